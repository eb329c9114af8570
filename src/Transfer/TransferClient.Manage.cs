using Transfer.Scheduling;
using Transfer.Upload;
using Transfer.Wire;

namespace Transfer;

/// <content>Tags and buckets.</content>
public sealed partial class TransferClient
{
    /// <inheritdoc/>
    public Task<IReadOnlyDictionary<string, string>> GetTagsAsync(string bucket, string key, TagOptions? options = null, CancellationToken cancellationToken = default)
    {
        ObjectAddress address = TagsOf(bucket, key, options);
        return SendAsync(address, "read the tags", token => ReadTagsAsync(address, token), cancellationToken);
    }

    /// <inheritdoc/>
    public Task SetTagsAsync(
        string bucket, string key, IReadOnlyDictionary<string, string> tags, TagOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(tags);
        ObjectAddress address = TagsOf(bucket, key, options);
        return SendAsync(address, "set the tags", token => _context.Wire.SetTagsAsync(address, tags, token), cancellationToken);
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

    private ObjectAddress TagsOf(string bucket, string key, TagOptions? options)
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
                throw Failures.Of(address, what, null, e);
            }
        }
    }
}
