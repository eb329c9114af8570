using Transfer.S3.Requests;
using Transfer.S3.Sync;

namespace Transfer.S3;

/// <content>Synchronizations.</content>
public sealed partial class TransferClient
{
    /// <inheritdoc/>
    public Task<DirectoryResult> SyncAsync(
        Place source, Place target, SyncOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => SyncAsync(source, target, null, options, progress, cancellationToken);

    /// <inheritdoc/>
    public Task<DirectoryResult> SyncAsync(
        Place source, TransferClient targetClient, Place target, SyncOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(targetClient);
        return SyncAsync(source, target, targetClient, options, progress, cancellationToken);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<Outcome> PlanSyncAsync(Place source, Place target, SyncOptions? options = null, CancellationToken cancellationToken = default)
    {
        SyncJob sync = Plan(source, target, null, options);
        return EnumerateAsync(sync.Address.Bucket, sync.Address.Key, (run, token) => new SyncEngine(sync).PlanAsync(run, run, token), cancellationToken);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<Outcome> PlanSyncAsync(
        Place source, TransferClient targetClient, Place target, SyncOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(targetClient);
        SyncJob sync = Plan(source, target, targetClient, options);
        return EnumerateAsync(
            sync.From.Bucket!,
            sync.From.Prefix!,
            (reading, token) => targetClient.EnumerateAsync(
                sync.Address.Bucket, sync.Address.Key, (writing, stopping) => new SyncEngine(sync).PlanAsync(reading, writing, stopping), token),
            cancellationToken);
    }

    private async Task<DirectoryResult> SyncAsync(
        Place source, Place target, TransferClient? other, SyncOptions? options, IProgress<TransferProgress>? progress, CancellationToken cancellationToken)
    {
        SyncJob sync = Plan(source, target, other, options);
        try
        {
            cancellationToken.ThrowIfCancellationRequested();
            SyncEngine engine = new(sync);
            return await (other is null
                ? BeginWhole(sync, progress).RunAsync((whole, token) => engine.RunAsync(whole, whole, token), cancellationToken)
                : _context.BeginCounting(sync.From.Bucket!, sync.From.Prefix!).RunAsync(
                    (reading, token) => other.BeginWhole(sync, progress).RunAsync((writing, stopping) => engine.RunAsync(reading, writing, stopping), token),
                    cancellationToken)).ConfigureAwait(false);
        }
        finally
        {
            (sync as IDisposable)?.Dispose();
        }
    }

    private SyncJob Plan(Place source, Place target, TransferClient? other, SyncOptions? options)
    {
        ThrowIfDisposed();
        other?.ThrowIfDisposed();
        SyncJob sync = SyncJob.Plan(_context, other?._context, source, target, options ?? new SyncOptions());
        if (sync is not SyncStores stores)
        {
            CheckKeepsSecret(sync.Address);
        }
        else if (other is not null)
        {
            CheckKeepsSecret(stores.Source);
            other.CheckKeepsSecret(sync.Address);
        }

        return sync;
    }

    private TransferRun BeginWhole(SyncJob sync, IProgress<TransferProgress>? progress)
    {
        DirectoryOptions directory = sync.Options.Directory;
        (RateLimit? whole, RateLimit? each) = sync.Direction switch
        {
            TransferDirection.Copy => (null, null),
            TransferDirection.Download => (directory.RateLimit, directory.Download?.RateLimit),
            _ => (directory.RateLimit, directory.Upload?.RateLimit),
        };
        return _context.BeginWhole(sync.Direction, sync.Address, progress, directory.Events, whole, each, directory.Handle);
    }
}
