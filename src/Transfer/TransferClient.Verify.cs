using Transfer.S3.Verify;
using Transfer.S3.Wire;

namespace Transfer.S3;

/// <content>Comparisons of objects with objects.</content>
public sealed partial class TransferClient
{
    /// <summary>Compares an object of this store with an object of another store, or of the same one.</summary>
    /// <param name="source">The source object.</param>
    /// <param name="targetClient">The client of the target's store. It can be this client.</param>
    /// <param name="target">The target object.</param>
    /// <param name="options">The options; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The result. If the objects differ, it describes the first difference.</returns>
    /// <remarks>
    /// The sizes are compared first, then checksums of the same algorithm that both stores hold, then ETags that are MD5s (Amazon S3 API Reference, "Object"). If
    /// these aren't conclusive, both objects are read in order, up to the first difference, within the memory limit of each client.
    /// </remarks>
    /// <exception cref="ArgumentException">Thrown when a bucket or a key is empty.</exception>
    /// <exception cref="TransferException">Thrown when an object doesn't exist or can't be read.</exception>
    /// <exception cref="ObjectChangedException">Thrown when an object changes while it is read.</exception>
    /// <exception cref="OperationCanceledException">Thrown when <paramref name="cancellationToken"/> is canceled.</exception>
    public async Task<VerifyResult> VerifyAsync(
        S3Uri source, TransferClient targetClient, S3Uri target, StoreVerifyOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(targetClient);
        ThrowIfDisposed();
        targetClient.ThrowIfDisposed();
        OptionGuard.Address(source);
        OptionGuard.Address(target);
        ObjectAddress from = GetAddress(source.Bucket, source.Key, options?.Source);
        ObjectAddress to = targetClient.GetAddress(target.Bucket, target.Key, options?.Target);
        bool readContent = options?.ReadContent ?? true;
        cancellationToken.ThrowIfCancellationRequested();
        return await _context.BeginCounting(source.Bucket, source.Key).RunAsync(
            (reading, token) => targetClient._context.BeginCounting(target.Bucket, target.Key).RunAsync(
                (comparing, stopping) => new StoredComparison(reading, from, comparing, to).RunAsync(readContent, stopping), token),
            cancellationToken).ConfigureAwait(false);
    }
}
