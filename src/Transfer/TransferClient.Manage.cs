using Transfer.S3.Requests;
using Transfer.S3.Trees;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3;

/// <content>Tags and buckets.</content>
public sealed partial class TransferClient
{
    /// <inheritdoc/>
    public Task<IReadOnlyDictionary<string, string>> GetTagsAsync(string bucket, string key, ObjectAccessOptions? options = null, CancellationToken cancellationToken = default)
    {
        ObjectAddress address = GetTags(bucket, key, options);
        return SendAsync(address, "read the tags", token => ReadTagsAsync(address, token), cancellationToken);
    }

    /// <inheritdoc/>
    public Task SetTagsAsync(
        string bucket, string key, IReadOnlyDictionary<string, string> tags, ObjectAccessOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(tags);
        ObjectAddress address = GetTags(bucket, key, options);
        return SendAsync(address, "set the tags", token => _context.Wire.SetTagsAsync(address, tags, token), cancellationToken);
    }

    /// <summary>Requests a copy of an archived object that can be read for some days. It takes minutes to two days, depending on the storage class.</summary>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="options">The options; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>A task that ends when the store has accepted the request, or if the restoration is in progress already.</returns>
    /// <remarks><see cref="ObjectInfo.Restore"/> shows when the copy can be read. A request for an object that has such a copy changes how long it can be read.</remarks>
    /// <exception cref="ArgumentException">Thrown when an argument or an option is not valid.</exception>
    /// <exception cref="TransferException">
    /// Thrown when the store refused the request. The <see cref="TransferException.ErrorCode"/> is <c>InvalidObjectState</c> if the object isn't archived.
    /// </exception>
    /// <exception cref="OperationCanceledException">Thrown when <paramref name="cancellationToken"/> is canceled.</exception>
    public Task RestoreAsync(string bucket, string key, RestoreOptions? options = null, CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        OptionGuard.Address(bucket, key);
        options ??= new RestoreOptions();
        RestoreOptions.Check(nameof(options.Days), options.Days);
        cancellationToken.ThrowIfCancellationRequested();
        ObjectAddress address = new(bucket, key, options.VersionId, new ReadAccess(options.RequesterPays, null));
        return _context.BeginCounting(bucket, key).RunAsync(RequestAsync, cancellationToken);

        async Task<bool> RequestAsync(TransferRun run, CancellationToken stopping)
        {
            await Restoration.RequestAsync(run, address, options.Days, stopping).ConfigureAwait(false);
            return true;
        }
    }

    /// <inheritdoc/>
    public Task CreateBucketAsync(string bucket, CancellationToken cancellationToken = default)
    {
        CheckList(bucket, string.Empty);
        return SendAsync(new ObjectAddress(bucket, string.Empty), "create the bucket", token => _context.Wire.CreateBucketAsync(bucket, token), cancellationToken);
    }

    /// <inheritdoc/>
    public Task DeleteBucketAsync(string bucket, CancellationToken cancellationToken = default)
    {
        CheckList(bucket, string.Empty);
        return SendAsync(new ObjectAddress(bucket, string.Empty), "delete the bucket", token => _context.Wire.DeleteBucketAsync(bucket, token), cancellationToken);
    }

    private ObjectAddress GetTags(string bucket, string key, ObjectAccessOptions? options)
    {
        ThrowIfDisposed();
        OptionGuard.Address(bucket, key);
        return new ObjectAddress(bucket, key, options?.VersionId, new ReadAccess(options?.RequesterPays ?? false, null));
    }

    /// <summary>Reads tags. Some stores respond with an error if there are none.</summary>
    private async Task<IReadOnlyDictionary<string, string>> ReadTagsAsync(ObjectAddress address, CancellationToken cancellationToken)
    {
        try
        {
            return await _context.Wire.GetTagsAsync(address, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e) when (e.ErrorCode == "NoSuchTagSet")
        {
            return new Dictionary<string, string>();
        }
    }

    private Task<bool> SendAsync(ObjectAddress address, string what, Func<CancellationToken, Task> sendAsync, CancellationToken cancellationToken) => SendAsync(
        address,
        what,
        async token =>
        {
            await sendAsync(token).ConfigureAwait(false);
            return true;
        },
        cancellationToken);

    /// <summary>Sends a single request as a call of its own.</summary>
    private Task<T> SendAsync<T>(ObjectAddress address, string what, Func<CancellationToken, Task<T>> sendAsync, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return _context.BeginCounting(address.Bucket, address.Key).RunAsync(RequestAsync, cancellationToken);

        async Task<T> RequestAsync(TransferRun run, CancellationToken stopping)
        {
            try
            {
                return await run.SendAsync(sendAsync, stopping).ConfigureAwait(false);
            }
            catch (WireException e)
            {
                throw Failures.Create(address, what, null, e);
            }
        }
    }
}
