using Transfer.S3.Directories;
using Transfer.S3.Files;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Sync;

/// <summary>Makes a prefix the same as a folder.</summary>
internal sealed class SyncUpload : SyncJob, IDisposable
{
    private readonly ClientContext _context;
    private readonly string _directory;
    private readonly string _prefix;
    private readonly string? _root;
    private readonly UploadOptions _each;
    private readonly UploadRequest _request;
    private readonly FileComparison _comparison;
    private readonly ObjectBackup? _backup;
    private readonly SpecialNames _names;

    private SyncUpload(ClientContext context, string directory, string bucket, string prefix, SyncOptions options)
        : base(options, context)
    {
        _context = context;
        _directory = Path.GetFullPath(directory);
        _prefix = KeyPrefix.Normalize(prefix);
        _root = options.Directory.SymbolicLinks == SymbolicLinks.Follow ? null : _directory;
        UploadOptions each = options.Directory.Upload ?? new UploadOptions();
        _each = options.Comparison == SyncComparison.Time ? each with { KeepLastModified = true } : each; // it is compared next time
        _request = UploadRequest.ForPrefix(bucket, _prefix, _each, context.Settings);
        _comparison = new FileComparison(options, _root);
        _backup = ObjectBackup.From(options, Address, null, Filter, context.Settings);
        _names = new SpecialNames(context.Logger, bucket);
    }

    public override TransferDirection Direction => TransferDirection.Upload;

    public override ObjectAddress Address => _request.Address with { Key = _prefix };

    public override Place From => field ??= Place.InDirectory(_directory);

    public override Place To => field ??= Place.Of(Address);

    public override string SourceName => $"'{_directory}'";

    public override string TargetName => Address.ToString();

    public override long LargeBytes => _request.MultipartThresholdBytes;

    protected override string SourceIdentity => _directory;

    protected override ObjectBackup? Backup => _backup;

    protected override string TargetIdentity => GetIdentity(_context, Address);

    /// <summary>Validates the arguments and options.</summary>
    public static SyncUpload Plan(ClientContext context, string directory, string bucket, string prefix, SyncOptions options)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(directory);
        OptionGuard.Bucket(bucket);
        SyncGuard.Check(options, uploads: true);
        return new SyncUpload(context, directory, bucket, prefix, options);
    }

    public override Task CheckAsync(CancellationToken cancellationToken) => Directory.Exists(_directory)
        ? Task.CompletedTask
        : throw new TransferException($"'{_directory}' is not a directory. Specify the directory to synchronize.") { Error = TransferError.SourceMissing, Bucket = Address.Bucket, Key = _prefix };

    public override IAsyncEnumerable<SyncEntry> ReadSourceAsync(CancellationToken cancellationToken)
        => SyncSides.ReadFolderAsync(_directory, Options.Directory.SymbolicLinks, _context, Filter, Filter.Prunes, !Options.Directory.IncludeHidden, e => new TransferException($"'{_directory}' could not be read: {e.Message}", e) { Bucket = Address.Bucket, Key = _prefix }, cancellationToken);

    public override IAsyncEnumerable<SyncEntry> ReadTargetAsync(CancellationToken cancellationToken) => SyncSides.ListAsync(Whole, Address, TargetFilter, asOf: null, new LeftOutFiles(_context.Logger), cancellationToken);

    public override ISideLookup LookUpSource() => new FolderLookup(_directory);

    /// <inheritdoc/>
    /// <remarks>A link is what it leads to, if links are followed.</remarks>
    public override Task<SyncEntry?> FindSourceAsync(SyncEntry source, CancellationToken cancellationToken) => Task.FromResult(
        source.IsFolder ? (Directory.Exists(source.Path) ? source : null)
            : StateOfSource(source) is { } state ? source with { Length = state.Length, LastWrite = state.LastWrite, State = state }
            : null);

    public override Task<SyncDecision> CompareAsync(SyncEntry source, SyncEntry target, CancellationToken cancellationToken)
        => _comparison.RunAsync(Whole, source, source, target, GetAddress(source), cancellationToken);

    public override Task<bool> HasContentAsync(SyncEntry source, SyncEntry target, ContentChecksum content, CancellationToken cancellationToken)
        => _comparison.HasContentAsync(Whole, source.Path!, content, GetAddress(source), cancellationToken);

    public override FileIdentity? StateOfSource(SyncEntry source) => FileIdentity.At(source.Path!, followsLinks: _root is null);

    public override SyncMark? MarkOfSource(SyncEntry source) => SyncMark.OfFile(StateOfSource(source));

    public override SyncMark? MarkOfTarget(SyncEntry target) => SyncMark.OfObject(target.Length, target.ETag);

    public override async Task<SyncCopy> CopyAsync(SyncEntry source, SyncEntry? target, CancellationToken cancellationToken)
    {
        UploadRequest request = _request.For(_prefix + source.Name, _each, source.Name) with { ProvesCondition = true };
        _names.Check(source.Path!, source.Name, request.Address.Key);
        TransferRun run = Whole.Client.Begin(TransferDirection.Upload, request.Address, null, _each.Events, Whole);
        try
        {
            return await run.EndAfterAsync(WriteAsync(run, request.Address, target, UploadAsync, cancellationToken)).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TransferException($"'{source.Path}' could not be read: {e.Message}", e) { Bucket = request.Address.Bucket, Key = request.Address.Key };
        }

        async Task<SyncCopy> UploadAsync(WriteCondition condition)
        {
            UploadRequest one = request with { Target = request.Target with { Condition = condition } };
            if (source.IsFolder)
            {
                return await UploadFolderAsync(run, one, source, cancellationToken).ConfigureAwait(false);
            }

            LocalSource local = await OpenAsync(source, request.Address).ConfigureAwait(false);
            await using (local.ConfigureAwait(false))
            {
                FileIdentity? read = local.GetIdentity();
                one = local.Source is FileSource file ? one.ForFile(file, _each) : one;
                PublishedUpload published = await new UploadCoordinator(run, one, local.Source).RunAsync(cancellationToken).ConfigureAwait(false);
                string? etag = _each.Checksum == ChecksumAlgorithm.None ? null : published.Object.ETag;
                return new SyncCopy(local.Source.Length ?? run.Reporter.Bytes.Transferred, local.GetIdentity() == read ? SyncMark.OfFile(read) : null, published.Verdict, etag)
                {
                    Content = ContentChecksum.From(published.Verdict.Algorithm, published.Verdict.Value),
                };
            }
        }
    }

    public override async Task<UploadRange> OpenRangeAsync(SyncEntry source, long offset, long count, long partBytes, CancellationToken cancellationToken)
    {
        UploadRequest request = UploadRequest.From(Address.Bucket, _prefix + source.Name, _each with { PartSizeBytes = partBytes }, _context.Settings, source.Name);
        try
        {
            LocalSource local = await OpenAsync(source, request.Address).ConfigureAwait(false);
            FileSource file = (FileSource)local.Source;
            TransferRun run = Whole.Client.Begin(TransferDirection.Upload, request.Address, null, _each.Events, Whole);
            return new UploadRange(run, request.WithPartsInChunks().ForFile(file, _each), file, offset, closeAsync: local.DisposeAsync);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TransferException($"'{source.Path}' could not be read: {e.Message}", e) { Bucket = request.Address.Bucket, Key = request.Address.Key };
        }
    }

    public override Task DeleteAsync(IEnumerable<SyncEntry> targets, SourceReview? review, Action<SyncEntry, Exception?> ended, CancellationToken cancellationToken)
        => new ObjectRemover(Whole, Address, Backup, review).RunAsync(targets, ended, cancellationToken);

    public void Dispose()
    {
        _names.LogCount();
        _comparison.Dispose();
    }

    /// <summary>Uploads an object that represents a folder.</summary>
    private static async Task<SyncCopy> UploadFolderAsync(TransferRun run, UploadRequest request, SyncEntry source, CancellationToken cancellationToken)
    {
        if (!Directory.Exists(source.Path))
        {
            throw new ObjectChangedException($"'{source.Path}' was deleted after it was planned.") { Bucket = request.Address.Bucket, Key = request.Address.Key };
        }

        PublishedUpload published = await new UploadCoordinator(run, request, new MemorySource(default)).RunAsync(cancellationToken).ConfigureAwait(false);
        return new SyncCopy(0, null, published.Verdict, published.Object.ETag);
    }

    /// <summary>Opens a file in its pinned state.</summary>
    private async Task<LocalSource> OpenAsync(SyncEntry source, ObjectAddress address)
    {
        LocalSource local = LocalSource.OpenFile(source.Path!, _root);
        if (source.Pin is not { } pin || (local.Source is FileSource file && file.State.IsSame(pin)))
        {
            return local;
        }

        await local.DisposeAsync().ConfigureAwait(false);
        throw new ObjectChangedException($"'{source.Path}' was changed after it was planned.") { Bucket = address.Bucket, Key = address.Key };
    }

    private ObjectAddress GetAddress(SyncEntry entry) => Address with { Key = _prefix + entry.Name };
}
