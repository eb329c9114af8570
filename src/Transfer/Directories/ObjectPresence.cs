using System.Net;
using Transfer.Download;
using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Directories;

/// <summary>Asks whether there is an object under a key already, before much is sent for nothing.</summary>
internal static class ObjectPresence
{
    public static async Task<bool> AskAsync(ClientContext context, ObjectAddress address, TransferReporter whole, CancellationToken cancellationToken)
    {
        try
        {
            await ObjectLookup.RunAsync(context, address, whole, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (TransferException e) when (e.StatusCode == HttpStatusCode.NotFound)
        {
            return false;
        }
    }
}
