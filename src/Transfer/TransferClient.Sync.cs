using Transfer.S3.Scheduling;
using Transfer.S3.Sync;

namespace Transfer.S3;

/// <content>Synchronizations.</content>
public sealed partial class TransferClient
{
    /// <inheritdoc/>
    public async Task<SyncResult> SyncUploadAsync(
        string directory, string bucket, string prefix, SyncOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        using SyncUpload sync = Plan(directory, bucket, prefix, options);
        return await RunAsync(sync, options?.Directory.Upload?.RateLimit, progress, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<SyncResult> SyncDownloadAsync(
        string bucket, string prefix, string directory, SyncOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        using SyncDownload sync = PlanDownload(bucket, prefix, directory, options);
        return await RunAsync(sync, options?.Directory.Download?.RateLimit, progress, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<SyncResult> SyncCopyAsync(
        string sourceBucket, string sourcePrefix, string bucket, string prefix, SyncOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => await RunAsync(Plan(sourceBucket, sourcePrefix, null, bucket, prefix, options), null, progress, cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    public async Task<SyncResult> SyncCopyAsync(
        string sourceBucket,
        string sourcePrefix,
        ITransferClient target,
        string bucket,
        string prefix,
        SyncOptions? options = null,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default)
    {
        TransferClient other = OwnClient(target);
        SyncStores sync = Plan(sourceBucket, sourcePrefix, other, bucket, prefix, options);
        cancellationToken.ThrowIfCancellationRequested();
        return await _context.BeginCounting(sourceBucket, sourcePrefix).RunAsync(
            (reading, token) => other.BeginWhole(sync, options?.Directory.Upload?.RateLimit, progress)
                .RunAsync((writing, stopping) => new SyncEngine(sync).RunAsync(reading, writing, stopping), token),
            cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<SyncAction> PlanSyncUploadAsync(string directory, string bucket, string prefix, SyncOptions? options = null, CancellationToken cancellationToken = default)
    {
        SyncUpload sync = Plan(directory, bucket, prefix, options);
        return EnumerateAsync(sync.Address.Bucket, sync.Address.Key, (run, token) => new SyncEngine(sync).PlanAsync(run, run, token), cancellationToken);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<SyncAction> PlanSyncDownloadAsync(string bucket, string prefix, string directory, SyncOptions? options = null, CancellationToken cancellationToken = default)
    {
        SyncDownload sync = PlanDownload(bucket, prefix, directory, options);
        return EnumerateAsync(sync.Address.Bucket, sync.Address.Key, (run, token) => new SyncEngine(sync).PlanAsync(run, run, token), cancellationToken);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<SyncAction> PlanSyncCopyAsync(
        string sourceBucket, string sourcePrefix, string bucket, string prefix, SyncOptions? options = null, CancellationToken cancellationToken = default)
    {
        SyncStores sync = Plan(sourceBucket, sourcePrefix, null, bucket, prefix, options);
        return EnumerateAsync(sync.Address.Bucket, sync.Address.Key, (run, token) => new SyncEngine(sync).PlanAsync(run, run, token), cancellationToken);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<SyncAction> PlanSyncCopyAsync(
        string sourceBucket, string sourcePrefix, ITransferClient target, string bucket, string prefix, SyncOptions? options = null, CancellationToken cancellationToken = default)
    {
        TransferClient other = OwnClient(target);
        SyncStores sync = Plan(sourceBucket, sourcePrefix, other, bucket, prefix, options);
        return EnumerateAsync(
            sourceBucket,
            sourcePrefix,
            (reading, token) => other.EnumerateAsync(bucket, prefix, (writing, stopping) => new SyncEngine(sync).PlanAsync(reading, writing, stopping), token),
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

    private SyncStores Plan(string sourceBucket, string sourcePrefix, TransferClient? target, string bucket, string prefix, SyncOptions? options)
    {
        ThrowIfDisposed();
        target?.ThrowIfDisposed();
        SyncStores sync = SyncStores.Plan(_context, target?._context, sourceBucket, sourcePrefix, bucket, prefix, options ?? new SyncOptions());
        if (target is not null)
        {
            CheckKeepsSecret(sync.Source);
            target.CheckKeepsSecret(sync.Address);
        }

        return sync;
    }

    private async Task<SyncResult> RunAsync(SyncJob sync, RateLimit? each, IProgress<TransferProgress>? progress, CancellationToken cancellationToken)
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
