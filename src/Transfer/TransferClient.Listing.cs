using System.Runtime.CompilerServices;
using Transfer.Directories;
using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Upload;
using Transfer.Wire;

namespace Transfer;

/// <content>Lists.</content>
public sealed partial class TransferClient
{
    /// <inheritdoc/>
    public IAsyncEnumerable<ListedObject> ListObjectsAsync(
        string bucket, string prefix = "", ListObjectsOptions? options = null, CancellationToken cancellationToken = default)
    {
        CheckList(bucket, prefix);
        ListQuery query = new(bucket, prefix, new ReadAccess(options?.RequesterPays ?? false, null), options?.Delimiter is { Length: > 0 } delimiter ? delimiter : null);
        return EnumerateAsync(bucket, prefix, (reporter, token) => ObjectListing.ReadAsync(_context, query, reporter, token), cancellationToken);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<UnfinishedUpload> ListUploadsAsync(string bucket, string prefix = "", CancellationToken cancellationToken = default)
    {
        CheckList(bucket, prefix);
        return EnumerateAsync(bucket, prefix, (reporter, token) => new UploadListing(_context, bucket, prefix, reporter).ReadAsync(token), cancellationToken);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<ListedBucket> ListBucketsAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return EnumerateAsync(
            string.Empty,
            string.Empty,
            (reporter, token) => ReadAsync<ListedBucket>(new ObjectAddress(string.Empty, string.Empty), "the buckets can't be listed", async (after, stop) => await _context.Wire.ListBucketsAsync(after, stop).ConfigureAwait(false), reporter, token),
            cancellationToken);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<ListedPart> ListPartsAsync(string bucket, string key, ObjectInfoOptions? options = null, CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        ObjectAddress address = AddressOf(bucket, key, options);
        return EnumerateAsync(
            bucket,
            key,
            (reporter, token) =>
            {
                string? etag = null;
                return ReadAsync(address, $"{address}: the parts can't be listed", RequestAsync, reporter, token);

                async Task<Page<ListedPart>?> RequestAsync(PageEnd? after, CancellationToken stopping)
                {
                    // All pages must be about the same state of the object.
                    Page<ListedPart>? page = await _context.Wire.ListStoredPartsAsync(address, etag, after, stopping).ConfigureAwait(false);
                    etag = page?.ETag;
                    return page is null && after is not null ? throw new WireException(FailureKind.Final, "the object was replaced, or the store does not list all of them") : page;
                }
            },
            cancellationToken);
    }

    private async IAsyncEnumerable<T> ReadAsync<T>(
        ObjectAddress address,
        string failure,
        Func<PageEnd?, CancellationToken, Task<Page<T>?>> requestAsync,
        TransferReporter reporter,
        [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (Page<T> page in Pages.ReadAsync<T>(RequestAsync, cancellationToken).ConfigureAwait(false))
        {
            foreach (T item in page.Items)
            {
                yield return item;
            }
        }

        async Task<Page<T>?> RequestAsync(PageEnd? after, CancellationToken stopping)
        {
            try
            {
                return await _context.Requests.SendAsync(token => requestAsync(after, token), reporter, stopping).ConfigureAwait(false);
            }
            catch (WireException e)
            {
                throw new TransferException($"{failure}: {e.Message}{e.AttemptsText}", address, e);
            }
        }
    }

    private void CheckList(string bucket, string prefix)
    {
        ThrowIfDisposed();
        ArgumentException.ThrowIfNullOrWhiteSpace(bucket);
        ArgumentNullException.ThrowIfNull(prefix);
    }

    /// <summary>Returns what a list contains. The client can be disposed while the caller processes an item.</summary>
    private async IAsyncEnumerable<T> EnumerateAsync<T>(
        string bucket, string prefix, Func<TransferReporter, CancellationToken, IAsyncEnumerable<T>> read, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        cancellationToken.ThrowIfCancellationRequested();
        using CancellationTokenSource linked = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _context.Stopping);
        TransferReporter reporter = _context.Count(bucket, prefix);
        reporter.StartActivity();
        Exception? failure = null;
        IAsyncEnumerator<T> items = read(reporter, linked.Token).GetAsyncEnumerator(linked.Token);
        try
        {
            while (await MoveAsync().ConfigureAwait(false))
            {
                yield return items.Current;
            }
        }
        finally
        {
            await items.DisposeAsync().ConfigureAwait(false);
            await reporter.EndAsync(failure).ConfigureAwait(false);
        }

        async ValueTask<bool> MoveAsync()
        {
            _context.EnterTransfer();
            try
            {
                ThrowIfDisposed();
                return await items.MoveNextAsync().ConfigureAwait(false);
            }
            catch (OperationCanceledException e)
            {
                throw failure = TransferRun.ReasonOf(e, _context, cancellationToken);
            }
            catch (Exception e)
            {
                failure = e;
                throw;
            }
            finally
            {
                _context.LeaveTransfer();
            }
        }
    }
}
