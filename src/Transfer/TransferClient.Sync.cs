using Transfer.S3.Scheduling;
using Transfer.S3.Sync;

namespace Transfer.S3;

/// <content>Synchronizations.</content>
public sealed partial class TransferClient
{
    /// <inheritdoc/>
    public async Task<DirectoryResult> SyncUploadAsync(
        string directory, string bucket, string prefix, SyncOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        using SyncUpload sync = Plan(directory, bucket, prefix, options);
        return await RunAsync(sync, options?.Directory.Upload?.RateLimit, progress, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<DirectoryResult> SyncDownloadAsync(
        string bucket, string prefix, string directory, SyncOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        using SyncDownload sync = PlanDownload(bucket, prefix, directory, options);
        return await RunAsync(sync, options?.Directory.Download?.RateLimit, progress, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<DirectoryResult> SyncCopyAsync(
        S3Uri source, S3Uri target, SyncOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => await RunAsync(Plan(source, null, target, options), null, progress, cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    public async Task<DirectoryResult> SyncCopyAsync(
        S3Uri source, TransferClient targetClient, S3Uri target, SyncOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(targetClient);
        SyncStores sync = Plan(source, targetClient, target, options);
        cancellationToken.ThrowIfCancellationRequested();
        return await _context.BeginCounting(source.Bucket, source.Key).RunAsync(
            (reading, token) => targetClient.BeginWhole(sync, options?.Directory.Upload?.RateLimit, progress)
                .RunAsync((writing, stopping) => new SyncEngine(sync).RunAsync(reading, writing, stopping), token),
            cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<Outcome> PlanSyncUploadAsync(string directory, string bucket, string prefix, SyncOptions? options = null, CancellationToken cancellationToken = default)
    {
        SyncUpload sync = Plan(directory, bucket, prefix, options);
        return EnumerateAsync(sync.Address.Bucket, sync.Address.Key, (run, token) => new SyncEngine(sync).PlanAsync(run, run, token), cancellationToken);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<Outcome> PlanSyncDownloadAsync(string bucket, string prefix, string directory, SyncOptions? options = null, CancellationToken cancellationToken = default)
    {
        SyncDownload sync = PlanDownload(bucket, prefix, directory, options);
        return EnumerateAsync(sync.Address.Bucket, sync.Address.Key, (run, token) => new SyncEngine(sync).PlanAsync(run, run, token), cancellationToken);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<Outcome> PlanSyncCopyAsync(
        S3Uri source, S3Uri target, SyncOptions? options = null, CancellationToken cancellationToken = default)
    {
        SyncStores sync = Plan(source, null, target, options);
        return EnumerateAsync(sync.Address.Bucket, sync.Address.Key, (run, token) => new SyncEngine(sync).PlanAsync(run, run, token), cancellationToken);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<Outcome> PlanSyncCopyAsync(
        S3Uri source, TransferClient targetClient, S3Uri target, SyncOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(targetClient);
        SyncStores sync = Plan(source, targetClient, target, options);
        return EnumerateAsync(
            source.Bucket,
            source.Key,
            (reading, token) => targetClient.EnumerateAsync(target.Bucket, target.Key, (writing, stopping) => new SyncEngine(sync).PlanAsync(reading, writing, stopping), token),
            cancellationToken);
    }

    private SyncUpload Plan(string directory, string bucket, string prefix, SyncOptions? options)
    {
        ThrowIfDisposed();
        SyncUpload sync = SyncUpload.Plan(_context, directory, bucket, prefix, options ?? new SyncOptions());
        CheckKeepsSecret(sync.Address);
        return sync;
    }

    private SyncDownload PlanDownload(string bucket, string prefix, string directory, SyncOptions? options)
    {
        ThrowIfDisposed();
        SyncDownload sync = SyncDownload.Plan(_context, bucket, prefix, directory, options ?? new SyncOptions());
        CheckKeepsSecret(sync.Address);
        return sync;
    }

    private SyncStores Plan(S3Uri source, TransferClient? other, S3Uri target, SyncOptions? options)
    {
        ThrowIfDisposed();
        other?.ThrowIfDisposed();
        SyncStores sync = SyncStores.Plan(_context, other?._context, source, target, options ?? new SyncOptions());
        if (other is not null)
        {
            CheckKeepsSecret(sync.Source);
            other.CheckKeepsSecret(sync.Address);
        }

        return sync;
    }

    private async Task<DirectoryResult> RunAsync(SyncJob sync, RateLimit? each, IProgress<TransferProgress>? progress, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return await BeginWhole(sync, each, progress).RunAsync((whole, token) => new SyncEngine(sync).RunAsync(whole, whole, token), cancellationToken).ConfigureAwait(false);
    }

    private TransferRun BeginWhole(SyncJob sync, RateLimit? each, IProgress<TransferProgress>? progress)
    {
        DirectoryOptions directory = sync.Options.Directory;
        bool isLimited = sync.Direction != TransferDirection.Copy;
        return _context.BeginWhole(sync.Direction, sync.Address, progress, directory.Events, isLimited ? directory.RateLimit : null, isLimited ? each : null, directory.Handle);
    }
}
