using Transfer.S3.Delete;
using Transfer.S3.Requests;
using Transfer.S3.Trees;
using Transfer.S3.Wire;

namespace Transfer.S3;

/// <content>Deletions.</content>
public sealed partial class TransferClient
{
    /// <inheritdoc/>
    public async Task<DeleteResult> DeleteAsync(string bucket, string key, DeleteOptions? options = null, CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        OptionGuard.Address(bucket, key);
        options ??= new DeleteOptions();
        ObjectDeletion deletion = new(key, GetCondition(options), string.IsNullOrEmpty(options.VersionId) ? null : options.VersionId);
        cancellationToken.ThrowIfCancellationRequested();
        return await _context.BeginCounting(bucket, key).RunAsync(DeleteAsync, cancellationToken).ConfigureAwait(false);

        async Task<DeleteResult> DeleteAsync(TransferRun run, CancellationToken stopping)
        {
            DeletedObject deleted = await new ObjectDeleter(run, bucket, new ReadAccess(options.RequesterPays, null)).DeleteAsync(deletion, stopping).ConfigureAwait(false);
            return new DeleteResult
            {
                VersionId = deleted.VersionId,
                IsDeleteMarker = deleted.IsDeleteMarker,
                Statistics = run.Reporter.GetStatistics(),
            };
        }
    }

    /// <inheritdoc/>
    public async Task<DirectoryResult> DeleteTreeAsync(
        string bucket, string prefix, DeleteDirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        TreeDelete deletion = TreeDelete.Plan(bucket, prefix, options ?? new DeleteDirectoryOptions());
        cancellationToken.ThrowIfCancellationRequested();
        return await _context.BeginWhole(TransferDirection.Copy, deletion.Address, progress, null, isTransfer: false)
            .RunAsync(deletion.RunAsync, cancellationToken).ConfigureAwait(false);
    }

    private static string? GetCondition(DeleteOptions options)
    {
        if (string.IsNullOrEmpty(options.IfMatch))
        {
            return null;
        }

        return options.VersionId is { Length: > 0 } ? throw new ArgumentException($"{nameof(options.VersionId)} and {nameof(options.IfMatch)} exclude each other: a version never changes.", nameof(options))
            : options.IfMatch == "*" || ETags.IsWeak(options.IfMatch)
                ? throw new ArgumentException($"{nameof(options.IfMatch)} is '{options.IfMatch}'; it must be the strong ETag of one state of the object.", nameof(options))
            : ETags.Quoted(options.IfMatch);
    }
}
