using Transfer.S3.Delete;
using Transfer.S3.Files;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>A folder and a prefix, to which files are uploaded.</summary>
internal sealed class UploadPairing : Pairing
{
    private readonly FolderSide _folder;
    private readonly StoreSide _store;
    private readonly UploadOptions _each;
    private readonly UploadRequest _request;
    private readonly FileComparison _comparison;
    private readonly SpecialNames _names;

    public UploadPairing(ClientContext client, string directory, string bucket, string prefix, TreeTransferOptions options, PairingUse use)
        : this(client, directory, UploadRequest.ForPrefix(bucket, prefix, GetEach(options), client.Settings), prefix, options, use)
    {
    }

    private UploadPairing(ClientContext client, string directory, UploadRequest request, string prefix, TreeTransferOptions options, PairingUse use)
        : base(
            options,
            client,
            new FolderSide(client, directory, request.Address with { Key = prefix }) { Links = options.SymbolicLinks, ReadsHidden = options.IncludeHidden },
            new StoreSide(client, request.Address with { Key = prefix }) { Backup = ObjectBackup.From(options, request.Address with { Key = prefix }, null, client.Settings) },
            use)
    {
        (_folder, _store, _each, _request) = ((FolderSide)Source, (StoreSide)Target, GetEach(options), request);
        _comparison = new FileComparison(client, _folder.LinkRoot);
        _names = new SpecialNames(client.Logger, request.Address.Bucket);
    }

    public override TransferDirection Direction => TransferDirection.Upload;

    public override long LargeBytes => _request.MultipartThresholdBytes;

    public override Task<(VerifyResult Result, long BytesRead)> VerifyAsync(TreeEntry source, TreeEntry target, bool readContent, CancellationToken cancellationToken)
        => _comparison.RunAsync(Whole, source, target, _store.GetAddress(source), readContent, cancellationToken);

    public override Task<bool> HasContentAsync(TreeEntry source, TreeEntry target, ContentChecksum content, CancellationToken cancellationToken)
        => _comparison.HasContentAsync(source.Path!, content, _store.GetAddress(source), cancellationToken);

    public override void CheckName(TreeEntry source) => _names.Check(source.Path!, source.Name, _store.GetAddress(source).Key);

    public override async Task<ItemCopy> CopyAsync(TreeEntry source, TargetState target, CancellationToken cancellationToken)
    {
        UploadRequest request = _request.For(_store.GetAddress(source).Key, _each, source.Name) with { ProvesCondition = true, Presence = target.Presence };
        CheckName(source);
        TransferRun run = Whole.Client.Begin(TransferDirection.Upload, request.Address, null, _each.Events, Whole);
        return await OfFileAsync(source, request.Address, () => run.EndAfterAsync(_store.WriteAsync(run, request.Address, target, UploadAsync, cancellationToken))).ConfigureAwait(false);

        async Task<ItemCopy> UploadAsync(WriteCondition condition)
        {
            UploadRequest one = request with { Target = request.Target with { Condition = condition } };
            if (source.IsFolder)
            {
                return await UploadFolderAsync(run, one, source, cancellationToken).ConfigureAwait(false);
            }

            LocalSource local = await OpenAsync(source, request.Address).ConfigureAwait(false);
            await using (local.ConfigureAwait(false))
            {
                FileIdentity? read = MarksFiles ? local.GetIdentity() : null;
                one = local.Source is FileSource file ? one.ForFile(file, _each) : one;
                PublishedUpload published = await new UploadCoordinator(run, one, local.Source).RunAsync(cancellationToken).ConfigureAwait(false);
                long bytes = local.Source.Length ?? run.Reporter.Bytes.Transferred;
                ItemCopy copy = new(bytes, read is not null && local.GetIdentity() == read ? SyncMark.OfFile(read) : null, published.Verdict, published.Object.ETag)
                {
                    Target = _each.Checksum == ChecksumAlgorithm.None ? null : SyncMark.OfObject(bytes, published.Object.ETag),
                    Content = ContentChecksum.From(published.Verdict.Algorithm, published.Verdict.Value),
                };
                if (Moves)
                {
                    await SourceRemoval.RemoveAsync(source.Path!, local, request.Address, published.Verdict).ConfigureAwait(false);
                }

                return copy;
            }
        }
    }

    protected override StoreUsage Estimate(TreeEntry source, TreeEntry? target) => _request.Estimate(source.IsFolder ? 0 : source.Length, IsStaged);

    public override Task<UploadRange> OpenRangeAsync(TreeEntry source, long offset, long count, long partBytes, CancellationToken cancellationToken)
    {
        UploadRequest request = UploadRequest.From(_store.Address.Bucket, _store.GetAddress(source).Key, _each with { PartSizeBytes = partBytes }, Client.Settings, source.Name);
        return OfFileAsync(source, request.Address, async () =>
        {
            if (source.IsFolder)
            {
                return new UploadRange(Whole.Client.Begin(TransferDirection.Upload, request.Address, null, _each.Events, Whole), request, new MemorySource(default), offset);
            }

            LocalSource local = await OpenAsync(source, request.Address).ConfigureAwait(false);
            FileSource file = (FileSource)local.Source;
            TransferRun run = Whole.Client.Begin(TransferDirection.Upload, request.Address, null, _each.Events, Whole);
            return new UploadRange(run, request.WithPartsInChunks().ForFile(file, _each), file, offset, closeAsync: local.DisposeAsync);
        });
    }

    public override void Dispose()
    {
        _names.LogCount();
        _comparison.Dispose();
        base.Dispose();
    }

    protected override async Task<(ItemTimes Source, ItemTimes Target)> FindTimesAsync(TreeEntry source, TreeEntry target, CancellationToken cancellationToken)
        => await FileComparison.FindTimesAsync(Whole, source, _store.GetAddress(source), cancellationToken).ConfigureAwait(false);

    private static UploadOptions GetEach(TreeTransferOptions options)
    {
        UploadOptions each = options.Upload ?? new UploadOptions();
        return options is SyncOptions { Comparison: SyncComparison.Time } ? each with { KeepLastModified = true } : each; // it is compared next time
    }

    /// <summary>Names the file in the errors of reading it.</summary>
    private static async Task<T> OfFileAsync<T>(TreeEntry source, ObjectAddress address, Func<Task<T>> readAsync)
    {
        try
        {
            return await readAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TransferException($"'{source.Path}' could not be read: {e.Message}", e) { Bucket = address.Bucket, Key = address.Key };
        }
    }

    /// <summary>Uploads an object that represents a folder.</summary>
    private static async Task<ItemCopy> UploadFolderAsync(TransferRun run, UploadRequest request, TreeEntry source, CancellationToken cancellationToken)
    {
        if (!Directory.Exists(source.Path))
        {
            throw new TransferException($"'{source.Path}' was deleted after it was planned.") { Error = TransferError.ObjectChanged, Bucket = request.Address.Bucket, Key = request.Address.Key };
        }

        PublishedUpload published = await new UploadCoordinator(run, request, new MemorySource(default)).RunAsync(cancellationToken).ConfigureAwait(false);
        return new ItemCopy(0, null, published.Verdict, published.Object.ETag);
    }

    /// <summary>Opens a file in its pinned state.</summary>
    private async Task<LocalSource> OpenAsync(TreeEntry source, ObjectAddress address)
    {
        LocalSource local = LocalSource.OpenFile(source.Path!, _folder.LinkRoot);
        if (source.Pin is not { } pin || (local.Source is FileSource file && file.State.IsSame(pin)))
        {
            return local;
        }

        await local.DisposeAsync().ConfigureAwait(false);
        throw new TransferException($"'{source.Path}' was changed after it was planned.") { Error = TransferError.ObjectChanged, Bucket = address.Bucket, Key = address.Key };
    }
}
