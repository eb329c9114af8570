using System.Runtime.CompilerServices;
using Transfer.Directories;
using Transfer.Observability;
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
                throw failure = ReasonOf(e, cancellationToken);
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
