using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>Requests the headers of an object.</summary>
internal static class ObjectLookup
{
    public static async Task<ObjectInfo> RunAsync(TransferRun run, ObjectAddress address, CancellationToken cancellationToken)
        => (await HeadAsync(run, address, cancellationToken).ConfigureAwait(false)).Info;

    public static async Task<ObjectHead> HeadAsync(TransferRun run, ObjectAddress address, CancellationToken cancellationToken)
    {
        try
        {
            return await run.SendAsync(token => run.Client.Wire.HeadAsync(address, token), cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            throw new TransferException($"{address}: could not read the headers: {e.Message}{e.AttemptsText}", address, e);
        }
    }
}
