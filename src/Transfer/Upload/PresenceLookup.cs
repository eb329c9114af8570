using System.Net;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>Checks with one HEAD request whether an object exists.</summary>
internal static class PresenceLookup
{
    /// <exception cref="WireException">Thrown when the store didn't respond.</exception>
    public static async Task<ObjectPresence> RunAsync(TransferRun run, ObjectAddress address, CancellationToken cancellationToken)
    {
        try
        {
            await run.SendAsync(token => run.Client.Wire.HeadAsync(address, token), cancellationToken).ConfigureAwait(false);
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
