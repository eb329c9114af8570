using System.Net;
using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>Asks with one HEAD whether an object is there.</summary>
internal static class PresenceLookup
{
    /// <exception cref="WireException">The store did not answer.</exception>
    public static async Task<ObjectPresence> RunAsync(ClientContext context, ObjectAddress address, TransferReporter reporter, CancellationToken cancellationToken)
    {
        try
        {
            await context.Scheduler.SendAsync(token => context.Wire.HeadAsync(address, token), reporter, cancellationToken).ConfigureAwait(false);
            return ObjectPresence.Present;
        }
        catch (WireException e) when (e.StatusCode == HttpStatusCode.NotFound)
        {
            return ObjectPresence.Absent;
        }
        catch (WireException e) when (e.Kind == FailureKind.Final)
        {
            return ObjectPresence.Unknown;
        }
    }
}
