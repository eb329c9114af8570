using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>Requests the headers of an object.</summary>
internal static class ObjectLookup
{
    public static async Task<ObjectInfo> RunAsync(ClientContext context, ObjectAddress address, TransferReporter reporter, CancellationToken cancellationToken)
    {
        try
        {
            return await context.Requests.SendAsync(token => context.Wire.HeadAsync(address, token), reporter, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            throw new TransferException($"{address}: could not read the headers: {e.Message}{e.AttemptsText}", address, e);
        }
    }
}
