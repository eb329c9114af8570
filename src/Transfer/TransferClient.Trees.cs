using System.Runtime.CompilerServices;
using Transfer.S3.Requests;
using Transfer.S3.Trees;

namespace Transfer.S3;

/// <content>Operations on many objects.</content>
public sealed partial class TransferClient
{
    /// <inheritdoc/>
    public Task<DirectoryResult> CopyTreeAsync(
        Place source, Place target, DirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => CopyTreeAsync(source, target, null, options, progress, cancellationToken);

    /// <inheritdoc/>
    public Task<DirectoryResult> CopyTreeAsync(
        Place source, TransferClient targetClient, Place target, DirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(targetClient);
        return CopyTreeAsync(source, target, targetClient, options, progress, cancellationToken);
    }

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
        => PlanSyncAsync(source, target, null, options, cancellationToken);

    /// <inheritdoc/>
    public IAsyncEnumerable<Outcome> PlanSyncAsync(
        Place source, TransferClient targetClient, Place target, SyncOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(targetClient);
        return PlanSyncAsync(source, target, targetClient, options, cancellationToken);
    }

    /// <inheritdoc/>
    public Task<DirectoryResult> VerifyTreeAsync(
        Place source, Place target, VerifyDirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => VerifyTreeAsync(source, target, null, options, progress, cancellationToken);

    /// <inheritdoc/>
    public Task<DirectoryResult> VerifyTreeAsync(
        Place source, TransferClient targetClient, Place target, VerifyDirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(targetClient);
        return VerifyTreeAsync(source, target, targetClient, options, progress, cancellationToken);
    }

    /// <inheritdoc/>
    public async Task<DirectoryResult> ReadObjectsAsync(
        string bucket,
        string prefix,
        Func<string, ObjectReadStream, CancellationToken, Task> readAsync,
        ReadObjectsOptions? options = null,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        TreeRead reading = new(_context, bucket, prefix, readAsync, options ?? new ReadObjectsOptions());
        CheckKeepsSecret(reading.Side.Address);
        cancellationToken.ThrowIfCancellationRequested();
        return await _context.BeginWhole(TransferDirection.Download, reading.Side.Address, progress, options?.Events, options?.RateLimit, options?.Download?.RateLimit, options?.Handle)
            .RunAsync(reading.RunAsync, cancellationToken).ConfigureAwait(false);
    }

    private async Task<DirectoryResult> CopyTreeAsync(
        Place source, Place target, TransferClient? other, DirectoryOptions? options, IProgress<TransferProgress>? progress, CancellationToken cancellationToken)
    {
        using Pairing pair = Check(() => Pairing.Plan(_context, other?._context, source, target, options ?? new DirectoryOptions(), PairingUse.Copy), other);
        return await RunAsync(pair, other, () => BeginWhole(pair, progress), new TreeCopy(pair).RunAsync, cancellationToken).ConfigureAwait(false);
    }

    private async Task<DirectoryResult> SyncAsync(
        Place source, Place target, TransferClient? other, SyncOptions? options, IProgress<TransferProgress>? progress, CancellationToken cancellationToken)
    {
        using Pairing pair = Plan(source, target, other, options);
        return await RunAsync(pair, other, () => BeginWhole(pair, progress), new TreeSync(pair).RunAsync, cancellationToken).ConfigureAwait(false);
    }

    private async Task<DirectoryResult> VerifyTreeAsync(
        Place source, Place target, TransferClient? other, VerifyDirectoryOptions? options, IProgress<TransferProgress>? progress, CancellationToken cancellationToken)
    {
        options ??= new VerifyDirectoryOptions();
        using Pairing pair = Check(() => TreeVerify.Plan(_context, other?._context, source, target, options), other);
        return await RunAsync(
            pair,
            other,
            () => pair.Client.BeginWhole(TransferDirection.Download, pair.Address, progress, null, options.RateLimit, isTransfer: false),
            new TreeVerify(pair, options).RunAsync,
            cancellationToken).ConfigureAwait(false);
    }

    private IAsyncEnumerable<Outcome> PlanSyncAsync(Place source, Place target, TransferClient? other, SyncOptions? options, CancellationToken cancellationToken)
    {
        Plan(source, target, other, options).Dispose(); // invalid arguments are refused before the enumeration, and each enumeration has its own state
        return PlanAsync(cancellationToken);

        async IAsyncEnumerable<Outcome> PlanAsync([EnumeratorCancellation] CancellationToken stopping)
        {
            using Pairing pair = Plan(source, target, other, options);
            TreeSync engine = new(pair);
            IAsyncEnumerable<Outcome> planned = other is null
                ? EnumerateAsync(pair.Address.Bucket, pair.Address.Key, (run, token) => engine.PlanAsync(run, run, token), stopping)
                : EnumerateAsync(
                    pair.Source.Place.Bucket!,
                    pair.Source.Place.Prefix!,
                    (reading, token) => other.EnumerateAsync(pair.Address.Bucket, pair.Address.Key, (writing, until) => engine.PlanAsync(reading, writing, until), token),
                    stopping);
            await foreach (Outcome outcome in planned.ConfigureAwait(false))
            {
                yield return outcome;
            }
        }
    }

    private Pairing Plan(Place source, Place target, TransferClient? other, SyncOptions? options)
        => Check(() => Pairing.Plan(_context, other?._context, source, target, options ?? new SyncOptions(), PairingUse.Sync), other);

    /// <summary>Checks the clients, and that each side keeps the secrets of its key.</summary>
    private Pairing Check(Func<Pairing> plan, TransferClient? other)
    {
        ThrowIfDisposed();
        other?.ThrowIfDisposed();
        Pairing pair = plan();
        if (pair.Source is StoreSide source)
        {
            CheckKeepsSecret(source.Address);
        }

        if (pair.Target is StoreSide target)
        {
            (other ?? this).CheckKeepsSecret(target.Address);
        }

        return pair;
    }

    /// <summary>Runs an operation as a call at the target and, if that is in another store, at the source.</summary>
    private async Task<DirectoryResult> RunAsync(
        Pairing pair,
        TransferClient? other,
        Func<TransferRun> beginWhole,
        Func<TransferRun, TransferRun, CancellationToken, Task<DirectoryResult>> runAsync,
        CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return await (other is null
            ? beginWhole().RunAsync((whole, token) => runAsync(whole, whole, token), cancellationToken)
            : _context.BeginCounting(pair.Source.Place.Bucket!, pair.Source.Place.Prefix!).RunAsync(
                (reading, token) => beginWhole().RunAsync((writing, stopping) => runAsync(reading, writing, stopping), token),
                cancellationToken)).ConfigureAwait(false);
    }

    private static TransferRun BeginWhole(Pairing pair, IProgress<TransferProgress>? progress)
    {
        TreeTransferOptions all = pair.Options;
        (RateLimit? whole, RateLimit? each) = pair.Direction switch
        {
            TransferDirection.Copy => (null, null),
            TransferDirection.Download => (all.RateLimit, all.Download?.RateLimit),
            _ => (all.RateLimit, all.Upload?.RateLimit),
        };
        return pair.Client.BeginWhole(pair.Direction, pair.Address, progress, all.Events, whole, each, all.Handle);
    }
}
