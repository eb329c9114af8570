using Microsoft.Win32.SafeHandles;
using Transfer.S3.Delete;
using Transfer.S3.Download;
using Transfer.S3.Files;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Verification;

namespace Transfer.S3.Trees;

/// <summary>A prefix and a folder, to which objects are downloaded.</summary>
internal sealed class DownloadPairing : Pairing
{
    private readonly StoreSide _store;
    private readonly FolderSide _folder;
    private readonly DownloadOptions _each;
    private readonly DownloadRequest _request;
    private readonly FileTarget _target;
    private readonly FileComparison _comparison;

    public DownloadPairing(ClientContext client, string bucket, string prefix, string directory, TreeTransferOptions options, PairingUse use)
        : this(client, DownloadRequest.ForPrefix(bucket, prefix, GetEach(options), client.Settings), prefix, FileTarget.From(directory, GetEach(options)), options, use)
    {
    }

    private DownloadPairing(ClientContext client, DownloadRequest request, string prefix, FileTarget target, TreeTransferOptions options, PairingUse use)
        : base(
            options,
            client,
            new StoreSide(client, request.Address with { Key = prefix }),
            new FolderSide(client, target.Path, request.Address with { Key = prefix })
            {
                Tree = new TargetTree(target.Path, target.FlushToDisk),
                Backup = FileBackup.From(options, target.Path, target.FlushToDisk),
                AllowsSpecialNames = options.AllowSpecialNames,
                Links = use == PairingUse.Verify ? options.SymbolicLinks : SymbolicLinks.Skip,
                MayBeMissing = use != PairingUse.Verify,
                TriesCase = use == PairingUse.Copy && options is not DirectoryOptions { DryRun: true },
            },
            use)
    {
        (_store, _folder, _each, _request, _target) = ((StoreSide)Source, (FolderSide)Target, GetEach(options), request, target);
        _comparison = new FileComparison(client, _folder.LinkRoot);
    }

    public override TransferDirection Direction => TransferDirection.Download;

    public override long LargeBytes => _request.PartSizeBytes + 1;

    public override Task<(VerifyResult Result, long BytesRead)> VerifyAsync(TreeEntry source, TreeEntry target, bool readContent, CancellationToken cancellationToken)
        => _comparison.RunAsync(Whole, target, source, _store.GetAddress(source), readContent, cancellationToken);

    public override Task<bool> HasContentAsync(TreeEntry source, TreeEntry target, ContentChecksum content, CancellationToken cancellationToken)
        => _comparison.HasContentAsync(target.Path!, content, _store.GetAddress(source), cancellationToken);

    public override Task<ItemCopy> CopyAsync(TreeEntry source, TargetState target, CancellationToken cancellationToken)
        => _folder.WriteAsync(source.Name, (folder, name) => name.Length == 0 ? Task.FromResult(new ItemCopy(0, null, null, null)) : DownloadAsync(source, target, folder, name, cancellationToken));

    protected override StoreUsage Estimate(TreeEntry source, TreeEntry? target)
    {
        long length = source.Length;
        PartBoundaries parts = new(_request.PartSizeBytes, IsStored: false, Origin: 0);
        int ranges = Math.Max(1, parts.CountFrom(0, length));
        StoreUsage usage = (RequestKind.GetObject.ToUsage() * ranges) with { BytesReceived = length };
        if (ranges > 1 && _request.Verify && _store.Client.Profile.NoAttributes is null)
        {
            usage += RequestKind.GetObjectAttributes.ToUsage(); // the response to a range has no checksum
        }

        return Moves ? usage + ObjectDeleter.Estimate(_store.Client.Profile, _store.Address.Bucket) : usage;
    }

    public override void Dispose()
    {
        _comparison.Dispose();
        base.Dispose();
    }

    protected override async Task<(ItemTimes Source, ItemTimes Target)> FindTimesAsync(TreeEntry source, TreeEntry target, CancellationToken cancellationToken)
    {
        (ItemTimes file, ItemTimes stored) = await FileComparison.FindTimesAsync(Whole, target, _store.GetAddress(source), cancellationToken).ConfigureAwait(false);
        return (stored, file);
    }

    private static DownloadOptions GetEach(TreeTransferOptions options)
    {
        DownloadOptions each = options.Download ?? new DownloadOptions();
        return each with
        {
            KeepLastModified = each.KeepLastModified || options is SyncOptions { Comparison: SyncComparison.Time }, // it is compared next time
            FlushToDisk = each.FlushToDisk || options is DirectoryOptions { DeleteSource: true }, // the file will be the only copy
        };
    }

    private async Task<ItemCopy> DownloadAsync(TreeEntry source, TargetState target, LocalFolder folder, string name, CancellationToken cancellationToken)
    {
        string path = Path.Combine(_folder.Root, source.Name);
        FileIdentity? written = null;
        FileTarget file = _target with
        {
            Path = path,
            Folder = folder,
            Overwrite = target.IsAny || target.Entry is not null,
            BeforePublish = MarksFiles ? BeforePublish : null,
        };

        void BeforePublish(SafeFileHandle open)
        {
            written = FileIdentity.Of(open) ?? new FileIdentity(RandomAccess.GetLength(open), File.GetLastWriteTimeUtc(open).Ticks, 0, 0);
            if (target.Entry is { } listed)
            {
                LocalState.Check(folder.GetPath(name), path, listed);
                _folder.Backup?.Keep(folder.GetPath(name), listed);
            }
        }

        // With an ETag, every request is bound to the listed object. Without one, only its size is.
        KnownObject? hint = source.HasLength ? new KnownObject(source.Length, source.ETag) : null;
        DownloadRequest request = _request with { Address = _store.GetAddress(source), Hint = hint, SumsContent = KeepsState };
        TransferRun run = Whole.Client.Begin(TransferDirection.Download, request.Address, null, _each.Events, Whole);
        try
        {
            CompletedDownload completed = await run.EndAfterAsync(
                PinsSource ? RunAsync(request) : ListedDownload.RunAsync(run, request, RunAsync)).ConfigureAwait(false);
            DownloadResult result = completed.Result;
            if (Moves)
            {
                await SourceRemoval.RemoveAsync(Whole, request.Address, result.Info, $"'{path}'", result.Verdict, cancellationToken).ConfigureAwait(false);
            }

            FileIdentity? there = !MarksFiles ? null : FileIdentity.At(folder.GetPath(name), followsLinks: false);
            return new ItemCopy(result.Statistics.BytesTransferred, _store.MarkOf(source), result.Verdict, null)
            {
                SourceETag = result.Info.ETag,

                // Whose file it is doesn't matter: it is too new to be recognized by its mark, so the next run reads it and compares its content with that of the object.
                Target = SyncMark.OfFile(there),
                File = there is { } now && written is { } mine && now.Length == mine.Length && (mine.Inode == 0 ? now.LastWrite == mine.LastWrite : now.Inode == mine.Inode) ? now : null,
                Content = completed.Content,
            };
        }
        catch (TransferException e) when (!file.Overwrite && e.InnerException is IOException && LocalState.Exists(folder.GetPath(name)))
        {
            throw new TransferException($"'{path}' was created after the folder was listed, or its name differs only by case or Unicode normalization from another one.", e)
            {
                Error = TransferError.PreconditionFailed,
                Bucket = request.Address.Bucket,
                Key = request.Address.Key,
            };
        }

        Task<CompletedDownload> RunAsync(DownloadRequest one) => FileDownload.RunAsync(run, one, file, cancellationToken);
    }
}
