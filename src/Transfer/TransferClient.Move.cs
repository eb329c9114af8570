using Transfer.S3.Copy;
using Transfer.S3.Delete;
using Transfer.S3.Download;
using Transfer.S3.Files;
using Transfer.S3.Requests;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3;

/// <content>Moves.</content>
public sealed partial class TransferClient
{
    /// <inheritdoc/>
    public async Task<UploadResult> MoveToStoreAsync(
        string path, string bucket, string key, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        options ??= DefaultUpload;
        MoveGuard.Check(options);
        UploadRequest request = Check(bucket, key, options, cancellationToken, path);
        LocalSource local = await LocalSource.OpenAsync(path, request, cancellationToken).ConfigureAwait(false);
        await using (local.ConfigureAwait(false))
        {
            if (local.Source is not FileSource file || new FileInfo(path).LinkTarget is not null)
            {
                throw new TransferException($"'{path}' is a link, a device, or a pipe. Only files can be moved.") { Bucket = bucket, Key = key };
            }

            request = request.ForFile(file, options);
            return await _context.Begin(TransferDirection.Upload, request.Address, progress, options.Events, rateLimit: options.RateLimit, handle: options.Handle)
                .RunAsync(MoveAsync, cancellationToken).ConfigureAwait(false);
        }

        async Task<UploadResult> MoveAsync(TransferRun run, CancellationToken stopping)
        {
            UploadResult result = (await new UploadCoordinator(run, request, local.Source).RunAsync(stopping).ConfigureAwait(false)).ToResult(run.Reporter);
            await SourceRemoval.RemoveAsync(path, local, request.Address, result.Verdict).ConfigureAwait(false);
            return result;
        }
    }

    /// <inheritdoc/>
    public async Task<DownloadResult> MoveToFileAsync(
        string bucket, string key, string path, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        options = (options ?? DefaultDownload) with { FlushToDisk = true }; // the file must survive a power failure, because it is the only copy
        MoveGuard.Check(options);
        DownloadRequest request = Check(bucket, key, options, cancellationToken);
        string target = LocalTarget.Resolve(path);
        if (LocalTarget.IsSpecial(target) || (!options.Overwrite && File.Exists(target)))
        {
            throw new TransferException(LocalTarget.IsSpecial(target) ? $"'{path}' is not a file." : $"'{path}' already exists, and {nameof(DownloadOptions.Overwrite)} is false.")
            {
                Bucket = bucket,
                Key = key,
            };
        }

        FileTarget file = FileTarget.From(target, options);
        return await Begin(request, progress, options).RunAsync(
            async (run, stopping) =>
            {
                DownloadResult result = (await FileDownload.RunAsync(run, request, file, stopping).ConfigureAwait(false)).Result;
                await SourceRemoval.RemoveAsync(run, request.Address, result.Info, $"'{target}'", result.Verdict, stopping).ConfigureAwait(false);
                return result;
            },
            cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<CopyResult> MoveAsync(
        S3Uri source, S3Uri target, CopyOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        options ??= new CopyOptions();
        MoveGuard.Check(options);
        CopyPlan plan = CopyPlan.From(source, target, options, _context.Settings);
        MoveGuard.CheckIsOther(plan.Source, plan.Target);
        cancellationToken.ThrowIfCancellationRequested();
        return await _context.Begin(TransferDirection.Copy, plan.Target, progress, options.Events, handle: options.Handle).RunAsync(
            async (run, stopping) =>
            {
                bool isOther = await IsOtherAsync(run, plan.Source, run, plan.Target, stopping).ConfigureAwait(false);
                CompletedCopy copy = await new CopyCoordinator(run, plan).RunAsync(stopping).ConfigureAwait(false);
                await SourceRemoval.RemoveAsync(run, plan.Source, copy, run, plan.Target, isOther, options.AllowedLosses, stopping).ConfigureAwait(false);
                return copy.Result;
            },
            cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<CopyResult> MoveAsync(
        S3Uri source, TransferClient targetClient, S3Uri target, StoreCopyOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(targetClient);
        ThrowIfDisposed();
        targetClient.ThrowIfDisposed();
        options ??= new StoreCopyOptions();
        MoveGuard.Check(options);
        OptionGuard.Address(source);
        OptionGuard.Address(target);
        StoreCopy copy = new(_context, targetClient._context, options);
        (DownloadRequest from, UploadRequest to) = copy.Check(source, target);
        if (targetClient._context.Store == _context.Store)
        {
            MoveGuard.CheckIsOther(from.Address, to.Address);
        }

        CheckKeepsSecret(from.Address);
        targetClient.CheckKeepsSecret(to.Address);
        cancellationToken.ThrowIfCancellationRequested();
        return await _context.BeginCounting(source.Bucket, source.Key).RunAsync(
            (reading, token) => targetClient._context
                .Begin(TransferDirection.Upload, to.Address, progress, options.Target.Events, rateLimit: options.Target.RateLimit, handle: options.Target.Handle)
                .RunAsync((writing, stopping) => MoveAsync(reading, writing, stopping), token),
            cancellationToken).ConfigureAwait(false);

        async Task<CopyResult> MoveAsync(TransferRun reading, TransferRun writing, CancellationToken stopping)
        {
            bool isOther = await IsOtherAsync(reading, from.Address, writing, to.Address, stopping).ConfigureAwait(false);
            CompletedCopy completed = await copy.RunAsync(from, to, null, reading, writing, stopping).ConfigureAwait(false);
            await StoreCopy.OfSourceAsync(async () =>
            {
                await SourceRemoval.RemoveAsync(reading, from.Address, completed, writing, to.Address, isOther, options.AllowedLosses, stopping).ConfigureAwait(false);
                return true;
            }).ConfigureAwait(false);
            return completed.Result;
        }
    }

    private static Task<bool> IsOtherAsync(TransferRun reading, ObjectAddress source, TransferRun writing, ObjectAddress target, CancellationToken cancellationToken)
    {
        return SourceRemoval.IsOtherAsync(reading, source, GetListedAsync, writing, target, cancellationToken);

        async Task<ListedObject> GetListedAsync()
        {
            ObjectInfo info = await ObjectLookup.RunAsync(reading, source, cancellationToken).ConfigureAwait(false);
            return new ListedObject { Key = source.Key, Length = info.Length, ETag = info.ETag, LastModified = info.LastModified };
        }
    }
}
