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
    /// <param name="options">The options of the comparison, and how the source is read; <see langword="null"/> for the defaults.</param>
    /// <param name="targetOptions">How the target is read; <see langword="null"/> for its latest version, without a key.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The result. If the objects differ, it describes the first difference.</returns>
    /// <remarks>
    /// The sizes are compared first, then checksums of the same algorithm that both stores hold, then ETags that are MD5s (Amazon S3 API Reference, "Object"). If
    /// these aren't conclusive, both objects are read in order, up to the first difference, within the memory limit of each client.
    /// </remarks>
    /// <exception cref="ArgumentException">Thrown when a bucket or a key is empty.</exception>
    /// <exception cref="TransferException">Thrown when an object doesn't exist or can't be read.</exception>
    /// <exception cref="TransferException">Thrown when an object changes while it is read (<see cref="TransferError.ObjectChanged"/>).</exception>
    /// <exception cref="OperationCanceledException">Thrown when <paramref name="cancellationToken"/> is canceled.</exception>
    public async Task<VerifyResult> VerifyAsync(
        S3Uri source,
        TransferClient targetClient,
        S3Uri target,
        VerifyOptions? options = null,
        ObjectAccessOptions? targetOptions = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(targetClient);
        ThrowIfDisposed();
        targetClient.ThrowIfDisposed();
        OptionGuard.Address(source);
        OptionGuard.Address(target);
        ObjectAddress from = GetAddress(source.Bucket, source.Key, options);
        ObjectAddress to = targetClient.GetAddress(target.Bucket, target.Key, targetOptions);
        bool readContent = options?.ReadContent ?? true;
        cancellationToken.ThrowIfCancellationRequested();
        return await _context.BeginCounting(source.Bucket, source.Key, rateLimit: options?.RateLimit).RunAsync(
            (reading, token) => targetClient._context.BeginCounting(target.Bucket, target.Key, rateLimit: options?.RateLimit).RunAsync(
                (comparing, stopping) => new StoredComparison(reading, from, comparing, to).RunAsync(readContent, stopping), token),
            cancellationToken).ConfigureAwait(false);
    }
}
