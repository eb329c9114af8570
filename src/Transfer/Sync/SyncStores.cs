using Transfer.S3.Copy;
using Transfer.S3.Delete;
using Transfer.S3.Directories;
using Transfer.S3.Requests;
using Transfer.S3.Upload;
using Transfer.S3.Verify;
using Transfer.S3.Wire;

namespace Transfer.S3.Sync;

/// <summary>Makes a prefix the same as another one, in the same store or in another one.</summary>
internal sealed class SyncStores : SyncJob
{
    private readonly ClientContext _source;
    private readonly ClientContext? _other;
    private readonly string _sourcePrefix;
    private readonly string _prefix;
    private readonly CopyOptions _each;
    private readonly StoreCopyOptions _storeCopy;
    private readonly CopyPlan _plan;
    private readonly ObjectBackup? _backup;

    private SyncStores(ClientContext context, ClientContext? other, S3Uri source, S3Uri target, SyncOptions options)
        : base(options, other ?? context)
    {
        _source = context;
        _other = other;
        _sourcePrefix = KeyPrefix.Normalize(source.Key);
        _prefix = KeyPrefix.Normalize(target.Key);
        DirectoryOptions directory = options.Directory;
        _each = directory.Copy ?? new CopyOptions();
        _plan = CopyPlan.ForPrefix(source with { Key = _sourcePrefix }, target with { Key = _prefix }, _each, context.Settings);
        DownloadOptions reading = directory.Download ?? new DownloadOptions();
        UploadOptions writing = directory.Upload ?? new UploadOptions();
        _storeCopy = new StoreCopyOptions { SourceCustomerKey = reading.CustomerKey, SourceRequesterPays = reading.RequesterPays, VerifySource = reading.Verify, Target = writing };
        if (other is not null)
        {
            new StoreCopy(context, other, _storeCopy).Check(source, target);
            _plan = _plan with
            {
                Source = _plan.Source with { Reading = new ReadAccess(reading.RequesterPays, reading.CustomerKey) },
                Target = _plan.Target with { Reading = new ReadAccess(writing.RequesterPays, writing.CustomerKey) },
            };
        }

        _backup = ObjectBackup.From(options, Address, other is null || other.Store == context.Store ? Source : null, Filter, (other ?? context).Settings);
    }

    public override TransferDirection Direction => _other is null ? TransferDirection.Copy : TransferDirection.Upload;

    public override ObjectAddress Address => _plan.Target with { Key = _prefix };

    public ObjectAddress Source => _plan.Source with { Key = _sourcePrefix };

    public override Place From => field ??= Place.Of(Source);

    public override Place To => field ??= Place.Of(Address);

    public override string SourceName => Source.ToString();

    public override string TargetName => Address.ToString();

    public override bool IsSourcePrefix => _sourcePrefix.Length > 0;

    public override long LargeBytes => (_other is null ? _plan.MultipartThresholdBytes : _other.Settings.MultipartThresholdBytes) + 1;

    // Copies within a store need no memory and little network throughput, so as many run as there are requests allowed.
    public override int MaxConcurrentObjects => Options.Directory.MaxConcurrentObjects ?? (_other is null ? _source.Settings.MaxConcurrency : _other.Settings.MaxUploadConcurrency);

    public override bool IsConcurrencyFixed => _other is null || Options.Directory.MaxConcurrentObjects is not null || _other.Settings.IsUploadConcurrencyGiven;

    protected override bool HasMarks => true;

    protected override ObjectBackup? Backup => _backup;

    protected override string SourceIdentity => GetIdentity(_source, Source);

    protected override string TargetIdentity => GetIdentity(_other ?? _source, Address);

    /// <summary>Validates the arguments and options.</summary>
    public static SyncStores Plan(ClientContext context, ClientContext? other, S3Uri source, S3Uri target, SyncOptions options)
    {
        SyncGuard.Check(options);
        SyncStores sync = new(context, other, source, target, options);
        return sync.Overlaps && (other is null || other.Store == context.Store)
            ? throw new ArgumentException($"{sync.Source} and {sync.Address} overlap. A prefix can't be synchronized with itself, with what is under it, or with what it is under.", nameof(target))
            : sync;
    }

    private bool Overlaps => Source.Bucket == Address.Bucket && Overlap.Exists(_sourcePrefix, _prefix);

    /// <summary>Checks that buckets of the same name in stores with different addresses are different buckets, if the prefixes would overlap otherwise.</summary>
    public override async Task CheckAsync(CancellationToken cancellationToken)
    {
        if (!Overlaps)
        {
            return;
        }

        // An object is in both buckets with the same ETag and date only if they are the same. So the first one of each side is looked up on the other. The second look
        // is for the case that the first object was replaced at that moment.
        if (await IsOnOtherAsync(Reading, Source, Whole, Address, cancellationToken).ConfigureAwait(false)
            || await IsOnOtherAsync(Whole, Address, Reading, Source, cancellationToken).ConfigureAwait(false))
        {
            throw new TransferException(
                $"{Source} and {Address} overlap: both stores have an object with the same key, ETag, and date, so they are the same store under two names.")
            {
                Error = TransferError.Overlap,
                Bucket = Address.Bucket,
                Key = _prefix,
            };
        }
    }

    public override IAsyncEnumerable<SyncEntry> ReadSourceAsync(CancellationToken cancellationToken) => SyncSides.ListAsync(Reading, Source, Filter, Options.Directory.AsOf, leftOut: null, cancellationToken);

    public override IAsyncEnumerable<SyncEntry> ReadTargetAsync(CancellationToken cancellationToken) => SyncSides.ListAsync(Whole, Address, TargetFilter, asOf: null, leftOut: null, cancellationToken);

    public override ISideLookup LookUpSource() => new StoreLookup(Reading, Source);

    public override Task<SyncEntry?> FindSourceAsync(SyncEntry source, CancellationToken cancellationToken)
        => FindAsync(new StoreLookup(Reading, Source with { VersionId = source.VersionId }), source.Name, cancellationToken);

    /// <inheritdoc/>
    /// <remarks>Equal ETags that are made of MD5s are evidence. An encrypted object has an ETag that no other object has.</remarks>
    public override Outcome? TryCompare(SyncEntry source, SyncEntry target)
        => base.TryCompare(source, target) ?? (Options.Comparison != SyncComparison.Time && SameTags.AreEvidence(source.ETag, target.ETag) ? Same(source, "etag") : null);

    public override async Task<SyncDecision> CompareAsync(SyncEntry source, SyncEntry target, CancellationToken cancellationToken)
    {
        TransferRun reading = _source.BeginCounting(Source.Bucket, _sourcePrefix + source.Name, Reading);
        TransferRun writing = Whole.Client.BeginCounting(Address.Bucket, _prefix + source.Name, Whole);
        StoredComparison comparison = new(reading, GetSource(source), writing, GetTarget(source));
        (ObjectHead from, ObjectHead to) = await comparison.FindAsync(cancellationToken).ConfigureAwait(false);
        if (from.Info.Length != to.Info.Length)
        {
            return new SyncDecision(Outcome.Replacing(source.Name, source.Length, $"size {to.Info.Length} → {from.Info.Length}"));
        }

        if (Options.Comparison == SyncComparison.Time)
        {
            return new SyncDecision(
                ModificationTime.Recorded(from.Info) is not { } time || ModificationTime.Recorded(to.Info) is not { } recorded ? Outcome.WithoutEvidence(source.Name, source.Length)
                : (time - recorded).Duration() <= Options.ModifyWindow ? Same(source, "time")
                : Outcome.Replacing(source.Name, source.Length, "time"));
        }

        VerifyResult result = await comparison.CompareAsync(from, to, readContent: Options.Comparison == SyncComparison.Content, cancellationToken).ConfigureAwait(false);
        string? reason = result.Method switch
        {
            VerifyMethod.Size => "size",
            VerifyMethod.Checksum => "checksum",
            VerifyMethod.ETag => "etag",
            VerifyMethod.Content => "content",
            _ => null,
        };
        return new SyncDecision(result.IsSame ? Same(source, reason ?? "size") : reason is null ? Outcome.WithoutEvidence(source.Name, source.Length) : Outcome.Replacing(source.Name, source.Length, reason));
    }

    public override SyncMark? MarkOfSource(SyncEntry source) => SyncMark.OfObject(source.Length, source.ETag);

    public override SyncMark? MarkOfTarget(SyncEntry target) => SyncMark.OfObject(target.Length, target.ETag);

    public override async Task<SyncCopy> CopyAsync(SyncEntry source, SyncEntry? target, CancellationToken cancellationToken)
    {
        ObjectAddress address = GetTarget(source);
        TransferRun run = _other is null
            ? Whole.Client.Begin(TransferDirection.Copy, address, null, _each.Events, Whole)
            : Whole.Client.Begin(TransferDirection.Upload, address, null, _storeCopy.Target.Events, Whole);
        CopyResult result = (await run.EndAfterAsync(WriteAsync(run, address, target, SendAsync, cancellationToken)).ConfigureAwait(false)).Result;
        string? etag = _other is not null && _storeCopy.Target.Checksum == ChecksumAlgorithm.None ? null : result.ETag;
        return new SyncCopy(result.Statistics.BytesTransferred, MarkOfSource(source), result.Verdict, etag) { Lost = result.LostProperties };

        Task<CompletedCopy> SendAsync(WriteCondition condition)
        {
            CopyPlan plan = CreatePlan(source) with { Overwrite = !condition.ForbidsOverwrite, TargetETag = condition.IfMatch };
            if (_other is null)
            {
                return new CopyCoordinator(run, plan).RunAsync(cancellationToken);
            }

            StoreCopyOptions options = _storeCopy with { Target = _storeCopy.Target with { Overwrite = !condition.ForbidsOverwrite, IfMatch = condition.IfMatch } };
            plan = plan with { SourceETag = ETags.IsWeak(source.ETag) ? null : source.ETag };
            return new StoreCopy(_source, _other, options).RunAsync(plan, source.Length, Reading, run, cancellationToken);
        }
    }

    public override async Task<UploadRange> OpenRangeAsync(SyncEntry source, long offset, long count, long partBytes, CancellationToken cancellationToken)
    {
        CopyPlan plan = CreatePlan(source) with { PartSizeBytes = partBytes };
        TransferRun run = Whole.Client.Begin(Direction, plan.Target, null, _other is null ? _each.Events : _storeCopy.Target.Events, Whole);
        try
        {
            return await (_other is null
                ? new CopyCoordinator(run, plan).OpenRangeAsync(offset, cancellationToken)
                : CopyBetween(_other).OpenRangeAsync(plan, Reading, run, cancellationToken)).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            await run.Reporter.EndAsync(e).ConfigureAwait(false);
            throw;
        }

        StoreCopy CopyBetween(ClientContext other)
        {
            StoreCopyOptions options = _storeCopy with
            {
                SourceRange = ObjectRange.From(offset, count),
                Target = _storeCopy.Target with { PartSizeBytes = partBytes },
            };
            return new StoreCopy(_source, other, options);
        }
    }

    public override Task DeleteAsync(IEnumerable<SyncEntry> targets, SourceReview? review, Action<SyncEntry, Exception?> ended, CancellationToken cancellationToken)
        => new ObjectRemover(Whole, Address, Backup, review).RunAsync(targets, ended, cancellationToken);

    private static async Task<bool> IsOnOtherAsync(TransferRun here, ObjectAddress prefix, TransferRun there, ObjectAddress other, CancellationToken cancellationToken)
    {
        ListQuery query = new(prefix.Bucket, prefix.Key, prefix.Access);
        IAsyncEnumerator<ListedObject> first = ObjectListing.ReadAsync(here, query, item => throw ObjectListing.NotUnder(query, item), cancellationToken).GetAsyncEnumerator(cancellationToken);
        await using (first.ConfigureAwait(false))
        {
            if (!await first.MoveNextAsync().ConfigureAwait(false))
            {
                return false;
            }

            bool has = await SameBucket.HasAsync(there, other, first.Current, cancellationToken).ConfigureAwait(false)
                ?? throw new TransferException(
                    $"{prefix} and {other} overlap if they are the same store under two names, and the other store doesn't tell. Allow HEAD requests, or use another bucket or prefix.")
                {
                    Bucket = other.Bucket,
                    Key = other.Key,
                };
            return has && (prefix.Key != other.Key || await AreListedAlikeAsync(here, there, query, cancellationToken).ConfigureAwait(false));
        }
    }

    /// <summary>
    /// Returns whether two stores list the same objects with the same times on their first pages. A single object that was copied within a second looks the same in both
    /// stores, so it alone must not prevent that a mirror is updated. Nothing is lost if the prefixes are the same and the stores are, too, because all objects are.
    /// </summary>
    private static async Task<bool> AreListedAlikeAsync(TransferRun here, TransferRun there, ListQuery query, CancellationToken cancellationToken)
    {
        Page<ListedObject> one = await ObjectListing.RequestPageAsync(here, query, null, cancellationToken).ConfigureAwait(false);
        Page<ListedObject> other = await ObjectListing.RequestPageAsync(there, query, null, cancellationToken).ConfigureAwait(false);
        return one.Items.Select(static item => (item.Key, item.Length, item.LastModified)).SequenceEqual(other.Items.Select(static item => (item.Key, item.Length, item.LastModified)));
    }

    private CopyPlan CreatePlan(SyncEntry source) => _plan with { Source = GetSource(source), Target = GetTarget(source), SourceETag = source.ETag, SourceLength = source.Length };

    private ObjectAddress GetSource(SyncEntry source) => Source with { Key = _sourcePrefix + source.Name, VersionId = source.VersionId };

    private ObjectAddress GetTarget(SyncEntry source) => Address with { Key = _prefix + source.Name };
}
