using System.Runtime.CompilerServices;
using Transfer.S3.Requests;
using Transfer.S3.Trees;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3;

/// <content>Lists.</content>
public sealed partial class TransferClient
{
    /// <inheritdoc/>
    public IAsyncEnumerable<ListedObject> ListObjectsAsync(
        string bucket, string prefix = "", ListObjectsOptions? options = null, CancellationToken cancellationToken = default)
    {
        CheckList(bucket, prefix);
        options ??= new ListObjectsOptions();
        PathFilter.Check(options.Include, options.Exclude, options.Filter);
        if (options is { Versions: true, AsOf: not null })
        {
            throw new ArgumentException($"{nameof(options.Versions)} can't be combined with {nameof(options.AsOf)}.", nameof(options));
        }

        PathFilter filter = new(options.Include, options.Exclude, options.Filter);
        ListQuery query = new(bucket, prefix, new ReadAccess(options.RequesterPays, null), options.Delimiter is { Length: > 0 } delimiter ? delimiter : null) { AsOf = options.AsOf, Versions = options.Versions };
        return EnumerateAsync(bucket, prefix, (run, token) => ObjectListing.ReadAsync(run, query, filter, token), cancellationToken);
    }

    /// <inheritdoc/>
    public Task<ListedObject> FindVersionAsync(string bucket, string key, DateTimeOffset asOf, ObjectAccessOptions? options = null, CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        ObjectAddress address = GetAddress(bucket, key, options);
        return address.VersionId is null
            ? _context.BeginCounting(bucket, key).RunAsync((run, token) => PastVersion.FindAsync(run, address, asOf, token), cancellationToken)
            : throw new ArgumentException($"{nameof(options.VersionId)} is set; the version is what is looked for.", nameof(options));
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<UnfinishedUpload> ListUploadsAsync(string bucket, string prefix = "", CancellationToken cancellationToken = default)
    {
        CheckList(bucket, prefix);
        return EnumerateAsync(bucket, prefix, (run, token) => new UploadListing(run, bucket, prefix).ReadAsync(token), cancellationToken);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<ListedBucket> ListBucketsAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return EnumerateAsync(
            string.Empty,
            string.Empty,
            (run, token) => ReadAsync<ListedBucket>(new ObjectAddress(string.Empty, string.Empty), "the buckets can't be listed", async (after, stop) => await _context.Wire.ListBucketsAsync(after, stop).ConfigureAwait(false), run, token),
            cancellationToken);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<ListedPart> ListPartsAsync(string bucket, string key, ObjectAccessOptions? options = null, CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        ObjectAddress address = GetAddress(bucket, key, options);
        return EnumerateAsync(
            bucket,
            key,
            (run, token) =>
            {
                string? etag = null;
                return ReadAsync(address, $"{address}: the parts can't be listed", RequestAsync, run, token);

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
        TransferRun run,
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
                return await run.SendAsync(token => requestAsync(after, token), stopping).ConfigureAwait(false);
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
        OptionGuard.Bucket(bucket);
        ArgumentNullException.ThrowIfNull(prefix);
    }

    /// <summary>Returns what a list contains. The client can be disposed while the caller processes an item.</summary>
    private async IAsyncEnumerable<T> EnumerateAsync<T>(
        string bucket, string prefix, Func<TransferRun, CancellationToken, IAsyncEnumerable<T>> read, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        cancellationToken.ThrowIfCancellationRequested();
        using CancellationTokenSource linked = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _context.Stopping);
        TransferRun run = _context.BeginCounting(bucket, prefix);
        run.Reporter.Trace?.Start();
        Exception? failure = null;
        IAsyncEnumerator<T> items = read(run, linked.Token).GetAsyncEnumerator(linked.Token);
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
            await run.Reporter.EndAsync(failure).ConfigureAwait(false);
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
                throw failure = run.GetReason(e, cancellationToken);
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
