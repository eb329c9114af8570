using Microsoft.Win32.SafeHandles;
using Transfer.S3.Directories;
using Transfer.S3.Download;
using Transfer.S3.Files;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Sync;

/// <summary>Makes a folder the same as a prefix.</summary>
internal sealed class SyncDownload : SyncJob, IDisposable
{
    private readonly ClientContext _context;
    private readonly string _prefix;
    private readonly string _directory;
    private readonly DownloadOptions _each;
    private readonly DownloadRequest _request;
    private readonly FileTarget _target;
    private readonly FileComparison _comparison;
    private readonly PathConflictDetector _taken = new(isCaseBlind: false);
    private readonly TargetTree _tree;
    private readonly FileBackup? _backup;
    private (string? Name, bool IsThere, string? Clash) _lastFolder;

    private SyncDownload(ClientContext context, string bucket, string prefix, string directory, SyncOptions options)
        : base(options, context)
    {
        _context = context;
        _prefix = KeyPrefix.Normalize(prefix);
        _directory = Path.GetFullPath(directory);
        DownloadOptions each = options.Directory.Download ?? new DownloadOptions();
        _each = options.Comparison == SyncComparison.Time ? each with { KeepLastModified = true } : each; // it is compared next time
        _request = DownloadRequest.ForPrefix(bucket, _prefix, _each, context.Settings);
        _target = FileTarget.From(_directory, _each);
        _tree = new TargetTree(_directory, _target.FlushToDisk);
        _comparison = new FileComparison(options, _directory);
        _backup = FileBackup.From(options, _directory, Filter, _target.FlushToDisk);
    }

    public override TransferDirection Direction => TransferDirection.Download;

    public override ObjectAddress Address => _request.Address with { Key = _prefix };

    public override Place From => field ??= Place.Of(Address);

    public override Place To => field ??= Place.InDirectory(_directory);

    public override string SourceName => Address.ToString();

    public override string TargetName => $"'{_directory}'";

    public override bool IsSourcePrefix => _prefix.Length > 0;

    public override long LargeBytes => _request.PartSizeBytes + 1;

    protected override string SourceIdentity => GetIdentity(_context, Address);

    protected override string TargetIdentity => _directory;

    /// <summary>Validates the arguments and options.</summary>
    public static SyncDownload Plan(ClientContext context, string bucket, string prefix, string directory, SyncOptions options)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(directory);
        OptionGuard.Bucket(bucket);
        SyncGuard.Check(options);
        return new SyncDownload(context, bucket, prefix, directory, options);
    }

    public override Task CheckAsync(CancellationToken cancellationToken) => File.Exists(_directory)
        ? throw new TransferException($"'{_directory}' is a file. Specify a directory to synchronize {Address} with.") { Bucket = Address.Bucket, Key = _prefix }
        : Task.CompletedTask;

    public override IAsyncEnumerable<SyncEntry> ReadSourceAsync(CancellationToken cancellationToken) => SyncSides.ListAsync(Reading, Address, Filter, Options.Directory.AsOf, new LeftOutFiles(_context.Logger), cancellationToken);

    public override IAsyncEnumerable<SyncEntry> ReadTargetAsync(CancellationToken cancellationToken) => Directory.Exists(_directory)
        ? SyncSides.ReadFolderAsync(_directory, SymbolicLinks.Skip, _context, Options.Delete ? null : Filter, TargetFilter.Prunes, ignoresHidden: false, e => new TransferException($"'{_directory}' could not be read: {e.Message}", e) { Bucket = Address.Bucket, Key = _prefix }, cancellationToken)
        : AsyncEnumerable.Empty<SyncEntry>();

    public override string? RefuseName(SyncEntry source, bool isThere)
        => _taken.Take(source.Name) is { } taken && !isThere ? taken
            : !KeyPath.TrySplit(source.Name, OperatingSystem.IsWindows(), Options.Directory.AllowSpecialNames, out _, out string? reason) ? reason
            : source is { HasFolderName: true, Length: > 0 } ? $"its name ends in '/' like that of a folder, but it has {source.Length} bytes"
            : null;

    /// <summary>
    /// Finds what the listing didn't show under this name: a folder instead of a file or a file instead of a folder, or a name that the file system doesn't distinguish
    /// from this one.
    /// </summary>
    public override string? FindClash(SyncEntry source)
    {
        string folder = source.Name[..(source.Name.TrimEnd('/').LastIndexOf('/') + 1)];
        if (_lastFolder.Name != folder)
        {
            string? clash = FindClash(folder);
            _lastFolder = (folder, clash is null && Directory.Exists(Path.Combine(_directory, folder)), clash);
        }

        if (!_lastFolder.IsThere)
        {
            return _lastFolder.Clash; // what others create from now on is found when the file gets its name
        }

        FileInfo there = new(Path.Combine(_directory, source.Name.TrimEnd('/')));
        if (there.LinkTarget is not null)
        {
            return $"'{there.FullName}' is a symbolic link, which is neither followed nor replaced";
        }

        return Directory.Exists(there.FullName)
            ? source.HasFolderName ? null : "a folder has this name, and a path can't be both a file and a folder"
            : !there.Exists ? null
            : source.HasFolderName ? "a file has this name, and a path can't be both a file and a folder"
            : "a file exists whose name differs only by case or Unicode normalization, or that was created in the meantime";
    }

    public override ISideLookup LookUpSource() => new StoreLookup(Reading, Address);

    public override Task<SyncEntry?> FindSourceAsync(SyncEntry source, CancellationToken cancellationToken)
        => FindAsync(new StoreLookup(Reading, Address with { VersionId = source.VersionId }), source.Name, cancellationToken);

    public override ISideLookup LookUpTarget() => new FolderLookup(_directory);

    public override Task<SyncDecision> CompareAsync(SyncEntry source, SyncEntry target, CancellationToken cancellationToken)
        => _comparison.RunAsync(Whole, source, target, source, GetAddress(source), cancellationToken);

    public override Task<bool> HasContentAsync(SyncEntry source, SyncEntry target, ContentChecksum content, CancellationToken cancellationToken)
        => _comparison.HasContentAsync(Whole, target.Path!, content, GetAddress(source), cancellationToken);

    public override SyncMark? MarkOfSource(SyncEntry source) => SyncMark.OfObject(source.Length, source.ETag);

    public override SyncMark? MarkOfTarget(SyncEntry target) => MarkOfFile(target.Path!, followsLinks: false);

    public override async Task<SyncCopy> CopyAsync(SyncEntry source, SyncEntry? target, CancellationToken cancellationToken)
    {
        (string folderName, string name) = Split(source.Name);
        LocalFolder folder;
        try
        {
            folder = _tree.Enter(folderName);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            ObjectAddress address = Address with { Key = _prefix + source.Name };
            throw new TransferException($"{address} could not be written to '{Path.Combine(_directory, source.Name)}': {e.Message}", e) { Bucket = address.Bucket, Key = address.Key };
        }

        try
        {
            return name.Length == 0 ? new SyncCopy(0, null, null, null) : await DownloadAsync(source, target, folder, name, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _tree.Leave(folderName);
        }
    }

    public override async Task DeleteAsync(IEnumerable<SyncEntry> targets, SourceReview? review, Action<SyncEntry, Exception?> ended, CancellationToken cancellationToken)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // the caller must not wait for the disk
        using FileRemover remover = new(_directory, _backup);
        foreach (SyncEntry[] batch in targets.Chunk(SourceReview.BatchSize))
        {
            IReadOnlyList<SyncEntry> absent = review is null ? batch : await review.RunAsync(batch, ended, cancellationToken).ConfigureAwait(false);
            remover.Remove(absent, ended, cancellationToken);
        }

        remover.RemoveFolders();
    }

    public void Dispose()
    {
        _tree.Dispose();
        _backup?.Dispose();
        _comparison.Dispose();
    }

    private async Task<SyncCopy> DownloadAsync(SyncEntry source, SyncEntry? target, LocalFolder folder, string name, CancellationToken cancellationToken)
    {
        string path = Path.Combine(_directory, source.Name);
        FileIdentity? written = null;
        FileTarget file = _target with
        {
            Path = path,
            Folder = folder,
            Overwrite = target is not null,
            BeforePublish = BeforePublish,
        };

        void BeforePublish(SafeFileHandle open)
        {
            written = FileIdentity.Of(open) ?? new FileIdentity(RandomAccess.GetLength(open), File.GetLastWriteTimeUtc(open).Ticks, 0, 0);
            if (target is not null)
            {
                LocalState.Check(folder.GetPath(name), path, target);
                _backup?.Keep(folder.GetPath(name), target);
            }
        }

        // With an ETag, every request is bound to the listed object. Without one, only its size is.
        DownloadRequest request = _request with { Address = GetAddress(source), Hint = new KnownObject(source.Length, source.ETag), SumsContent = KeepsState };
        TransferRun run = Whole.Client.Begin(TransferDirection.Download, request.Address, null, _each.Events, Whole);
        try
        {
            CompletedDownload completed = await run.EndAfterAsync(FileDownload.RunAsync(run, request, file, cancellationToken)).ConfigureAwait(false);
            DownloadResult result = completed.Result;
            FileIdentity? there = FileIdentity.At(folder.GetPath(name), followsLinks: false);
            return new SyncCopy(result.Statistics.BytesTransferred, MarkOfSource(source), result.Verdict, null)
            {
                // Whose file it is doesn't matter: it is too new to be recognized by its mark, so the next run reads it and compares its content with that of the object.
                Target = SyncMark.OfFile(there),
                File = there is { } now && written is { } mine && now.Length == mine.Length && (mine.Inode == 0 ? now.LastWrite == mine.LastWrite : now.Inode == mine.Inode) ? now : null,
                Content = completed.Content,
            };
        }
        catch (TransferException e) when (target is null && e.InnerException is IOException && LocalState.Exists(folder.GetPath(name)))
        {
            throw new PreconditionFailedException($"'{path}' was created after the folder was listed, or its name differs only by case or Unicode normalization from another one.", e)
            {
                Bucket = request.Address.Bucket,
                Key = request.Address.Key,
            };
        }
    }

    /// <summary>Finds a file or a link in the place of a folder.</summary>
    private string? FindClash(string folder)
    {
        for (int slash = folder.IndexOf('/', StringComparison.Ordinal); slash >= 0; slash = folder.IndexOf('/', slash + 1))
        {
            FileInfo there = new(Path.Combine(_directory, folder[..slash]));
            if (there.LinkTarget is not null)
            {
                return $"'{there.FullName}' is a symbolic link, which is not followed";
            }

            if (there.Exists)
            {
                return $"'{folder[..slash]}' is a file, and a path can't be both a file and a folder";
            }

            if (!Directory.Exists(there.FullName))
            {
                return null;
            }
        }

        return null;
    }

    private ObjectAddress GetAddress(SyncEntry source) => Address with { Key = _prefix + source.Name, VersionId = source.VersionId };

    private static (string Folder, string Name) Split(string name)
    {
        int slash = name.LastIndexOf('/');
        return slash < 0 ? (string.Empty, name) : (name[..slash], name[(slash + 1)..]);
    }
}
