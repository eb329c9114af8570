using Transfer.S3.Probing;

namespace Transfer.S3;

/// <content>Stores that are not known yet.</content>
public sealed partial class TransferClient
{
    /// <summary>Finds out what the store of a bucket supports, with about 170 requests and objects of its own, which are removed at the end.</summary>
    /// <param name="bucket">The bucket.</param>
    /// <param name="prefix">The prefix under which objects may be created; an empty string for the whole bucket.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests. Objects are removed even if it is canceled.</param>
    /// <returns>What the store supports.</returns>
    /// <remarks>
    /// <para>
    /// A client learns what it needs from the requests of its transfers anyway. A probe shows it beforehand, and lets transfers begin without trying: this client uses the
    /// result, and so do later clients with the same endpoint and <see cref="TransferClientOptions.StateDirectory"/> for seven days. Probe a store again after it was
    /// upgraded, or after the permissions have changed.
    /// </para>
    /// <para>The objects are in a folder whose name begins with <c>transfer-probe-</c>. They have about 26 MiB. Versions that a bucket keeps are removed, too.</para>
    /// </remarks>
    /// <exception cref="TransferException">Thrown when no object can be created under the prefix.</exception>
    public Task<StoreReport> ProbeStoreAsync(string bucket, string prefix = "", CancellationToken cancellationToken = default)
    {
        CheckList(bucket, prefix);
        cancellationToken.ThrowIfCancellationRequested();
        return _context.BeginCounting(bucket, prefix).RunAsync((run, token) => StoreProber.RunAsync(run, bucket, prefix, token), cancellationToken);
    }
}
