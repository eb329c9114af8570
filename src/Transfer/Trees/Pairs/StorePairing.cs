using Transfer.S3.Copy;
using Transfer.S3.Delete;
using Transfer.S3.Download;
using Transfer.S3.Requests;
using Transfer.S3.Stores;
using Transfer.S3.Upload;
using Transfer.S3.Verify;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>Two prefixes of the same store, which copies the objects, or of two stores.</summary>
internal sealed class StorePairing : Pairing
{
    private readonly ClientContext? _other;
    private readonly StoreSide _source;
    private readonly StoreSide _target;
    private readonly CopyOptions _each;
    private readonly CopyPlan _plan;
    private readonly StoreCopyOptions _storeCopy;

    /// <param name="client">The client of the source.</param>
    /// <param name="other">The client of the target; null if the store copies the objects.</param>
    /// <param name="source">The prefix of the source.</param>
    /// <param name="target">The prefix of the target.</param>
    /// <param name="options">The options.</param>
    /// <param name="use">What the sides are used for.</param>
    public StorePairing(ClientContext client, ClientContext? other, S3Uri source, S3Uri target, TreeTransferOptions options, PairingUse use)
        : this(client, other, GetPlan(client, other, source, target, options, use), options, use)
    {
    }

    private StorePairing(ClientContext client, ClientContext? other, CopyPlan plan, TreeTransferOptions options, PairingUse use)
        : base(
            options,
            other ?? client,
            new StoreSide(client, plan.Source),
            new StoreSide(other ?? client, plan.Target)
            {
                Backup = ObjectBackup.From(options, plan.Target, other is null || other.Store == client.Store ? plan.Source : null, (other ?? client).Settings),
            },
            use)
    {
        (_other, _source, _target, _plan) = (other, (StoreSide)Source, (StoreSide)Target, plan);
        _each = options.Copy ?? new CopyOptions();
        _storeCopy = GetStoreCopy(options);
        if (other is not null)
        {
            new StoreCopy(client, other, _storeCopy).Check(new(plan.Source.Bucket, plan.Source.Key), new(plan.Target.Bucket, plan.Target.Key));
        }
    }

    public override TransferDirection Direction => _other is null ? TransferDirection.Copy : TransferDirection.Upload;

    public override long LargeBytes => (_other is null ? _plan.MultipartThresholdBytes : _other.Settings.MultipartThresholdBytes) + 1;

    // Copies within a store need no memory and little network throughput, so as many run as there are requests allowed.
    public override int MaxConcurrentObjects => Options.MaxConcurrentObjects ?? (_other is null ? Client.Settings.MaxConcurrency : Client.Settings.MaxUploadConcurrency);

    public override bool IsConcurrencyFixed => _other is null || Options.MaxConcurrentObjects is not null || Client.Settings.IsUploadConcurrencyGiven;

    /// <summary>Gets a value that indicates whether both sides have the same address of a store.</summary>
    public bool IsSameStore => _other is null || _other.Store == _source.Client.Store;

    /// <summary>Gets the side that is read.</summary>
    public StoreSide From => _source;

    /// <summary>Gets the side that is written.</summary>
    public StoreSide To => _target;

    public override async Task CheckAsync(CancellationToken cancellationToken)
    {
        if (Use == PairingUse.Sync)
        {
            await StoreOverlap.CheckAsync(this, cancellationToken).ConfigureAwait(false);
        }
    }

    public override Outcome? TryCompare(TreeEntry source, TreeEntry target)
        => base.TryCompare(source, target) ?? (Sync.Comparison != SyncComparison.Time && TryVerify(source, target) is { IsSame: true } ? Same(source, "etag") : null);

    public override async Task<(VerifyResult Result, long BytesRead)> VerifyAsync(TreeEntry source, TreeEntry target, bool readContent, CancellationToken cancellationToken)
    {
        if (TryVerify(source, target) is { } listed)
        {
            return (listed, 0);
        }

        (TransferRun reading, TransferRun writing) = BeginCounting(source);
        VerifyResult result = await new StoredComparison(reading, _source.GetAddress(source), writing, _target.GetAddress(target)).RunAsync(readContent, cancellationToken).ConfigureAwait(false);
        return (result, reading.Reporter.Bytes.Transferred);
    }

    public override async Task<ItemCopy> CopyAsync(TreeEntry source, TargetState target, CancellationToken cancellationToken)
    {
        CopyPlan plan = GetPlan(source) with { Presence = target.Presence };
        bool isOther = !Moves || await SourceRemoval
            .IsOtherAsync(_source.Run, plan.Source, () => FindListedAsync(source, cancellationToken), _target.Run, plan.Target, cancellationToken).ConfigureAwait(false);
        TransferRun run = Begin(plan);
        CompletedCopy completed = await run.EndAfterAsync(_target.WriteAsync(run, plan.Target, target, SendAsync, cancellationToken)).ConfigureAwait(false);
        if (Moves)
        {
            await SourceRemoval.RemoveAsync(_source.Run, plan.Source, completed, _target.Run, plan.Target, isOther, _each.AllowedLosses, cancellationToken).ConfigureAwait(false);
        }

        CopyResult result = completed.Result;
        bool isProven = _other is null || _storeCopy.Target.Checksum != ChecksumAlgorithm.None;
        return new ItemCopy(result.Statistics.BytesTransferred, _source.MarkOf(source), result.Verdict, result.ETag)
        {
            SourceETag = result.SourceETag,
            Target = isProven ? SyncMark.OfObject(result.Statistics.BytesTransferred, result.ETag) : null,
            Lost = result.LostProperties,
        };

        Task<CompletedCopy> SendAsync(WriteCondition condition)
        {
            CopyPlan one = plan with { Overwrite = !condition.ForbidsOverwrite, TargetETag = condition.IfMatch };
            if (_other is null)
            {
                return new CopyCoordinator(run, one).RunAsync(cancellationToken);
            }

            StoreCopyOptions options = _storeCopy with { Target = _storeCopy.Target with { Overwrite = !condition.ForbidsOverwrite, IfMatch = condition.IfMatch } };
            return new StoreCopy(_source.Client, _other, options).RunAsync(
                one with { SourceETag = ETags.IsWeak(one.SourceETag) ? null : one.SourceETag }, source.HasLength ? source.Length : null, _source.Run, run, cancellationToken);
        }
    }

    protected override StoreUsage Estimate(TreeEntry source, TreeEntry? target)
    {
        bool isConditional = Use != PairingUse.Copy || Options is DirectoryOptions { SkipExisting: true };
        CopyPlan plan = GetPlan(source) with { Overwrite = !isConditional || target is not null, TargetETag = isConditional ? target?.ETag : null };
        StoreUsage usage = _other is null ? CopyCoordinator.Estimate(Client, plan, source.Length, IsStaged) : new StoreCopy(_source.Client, _other, _storeCopy).Estimate(plan, source.Length, IsStaged);
        return Moves ? usage + ObjectDeleter.Estimate(_source.Client.Profile, _source.Address.Bucket, looksUp: true) + RequestKind.HeadObject.ToUsage() : usage;
    }

    protected override StoreUsage EstimateLookups(StoreSide store, TreeEntry source, TreeEntry? target)
    {
        if (IsStaged)
        {
            return base.EstimateLookups(store, source, target);
        }

        (StoreProfile profile, string bucket) = (store.Client.Profile, store.Address.Bucket);
        if (_other is null && target is null)
        {
            return ConditionalWrite.EstimateLookup(profile, bucket, source.Length == 0 ? StoreTrait.CopyCondition : StoreTrait.CompleteCondition);
        }

        // The request of a copy has a condition of its own, which is looked up again.
        StoreTrait operation = _other is not null && source.Length < LargeBytes ? StoreTrait.PutCondition : StoreTrait.CompleteCondition;
        StoreUsage again = target is null ? default : ConditionalWrite.EstimateLookup(profile, bucket, operation, replaces: true);
        return base.EstimateLookups(store, source, target) + again;
    }

    public override async Task<UploadRange> OpenRangeAsync(TreeEntry source, long offset, long count, long partBytes, CancellationToken cancellationToken)
    {
        CopyPlan plan = GetPlan(source) with { PartSizeBytes = partBytes };
        TransferRun run = Begin(plan);
        try
        {
            return await (_other is null
                ? new CopyCoordinator(run, plan).OpenRangeAsync(offset, cancellationToken)
                : CopyBetween(_other).OpenRangeAsync(plan, _source.Run, run, cancellationToken)).ConfigureAwait(false);
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
                SourceRange = count == 0 ? null : ObjectRange.From(offset, count), // an empty object has no range
                Target = _storeCopy.Target with { PartSizeBytes = partBytes },
            };
            return new StoreCopy(_source.Client, other, options);
        }
    }

    /// <summary>Gets the properties that a listing would have now, because those in a list of keys can be old.</summary>
    public async Task<ListedObject> FindListedAsync(TreeEntry source, CancellationToken cancellationToken)
    {
        if (Options is not DirectoryOptions { Keys: not null })
        {
            return source.Listed!;
        }

        ObjectInfo info = await ObjectLookup.RunAsync(_source.Run, _source.GetAddress(source), cancellationToken).ConfigureAwait(false);
        return new ListedObject { Key = _source.GetAddress(source).Key, Length = info.Length, ETag = info.ETag, LastModified = info.LastModified };
    }

    protected override async Task<(ItemTimes Source, ItemTimes Target)> FindTimesAsync(TreeEntry source, TreeEntry target, CancellationToken cancellationToken)
    {
        (TransferRun reading, TransferRun writing) = BeginCounting(source);
        (ObjectHead from, ObjectHead to) = await new StoredComparison(reading, _source.GetAddress(source), writing, _target.GetAddress(target)).FindAsync(cancellationToken).ConfigureAwait(false);
        return (new ItemTimes(from.Info.Length, ModificationTime.Recorded(from.Info)), new ItemTimes(to.Info.Length, ModificationTime.Recorded(to.Info)));
    }

    /// <summary>Compares a source with a target by what their listings tell; null if that isn't conclusive.</summary>
    private static VerifyResult? TryVerify(TreeEntry source, TreeEntry target)
        => source.HasLength && target.HasLength ? StoredComparison.TryCompareListed(source.Length, source.ETag, target.Length, target.ETag) : null;

    private static CopyPlan GetPlan(ClientContext client, ClientContext? other, S3Uri source, S3Uri target, TreeTransferOptions options, PairingUse use)
    {
        CopyPlan plan = CopyPlan.ForPrefix(source, target, options.Copy ?? new CopyOptions(), client.Settings);
        if (other is null && use != PairingUse.Verify)
        {
            return plan;
        }

        StoreCopyOptions between = GetStoreCopy(options);
        return plan with
        {
            Source = plan.Source with { Reading = new ReadAccess(between.SourceRequesterPays, between.SourceCustomerKey) },
            Target = plan.Target with { Reading = new ReadAccess(between.Target.RequesterPays, between.Target.CustomerKey) },
        };
    }

    private static StoreCopyOptions GetStoreCopy(TreeTransferOptions options)
    {
        DownloadOptions reading = options.Download ?? new DownloadOptions();
        return new StoreCopyOptions
        {
            SourceCustomerKey = reading.CustomerKey,
            SourceRequesterPays = reading.RequesterPays,
            VerifySource = reading.Verify,
            Target = options.Upload ?? new UploadOptions(),
        };
    }

    private CopyPlan GetPlan(TreeEntry source) => _plan with
    {
        Source = _source.GetAddress(source),
        Target = _target.GetAddress(source.Name),
        SourceETag = PinsSource ? source.ETag : null,
        SourceLength = PinsSource ? source.Length : null,
    };

    private TransferRun Begin(CopyPlan plan) => _target.Run.Client.Begin(Direction, plan.Target, null, _other is null ? _each.Events : _storeCopy.Target.Events, _target.Run);

    private (TransferRun Reading, TransferRun Writing) BeginCounting(TreeEntry source)
    {
        ObjectAddress address = _source.GetAddress(source);
        return (_source.Client.BeginCounting(address.Bucket, address.Key, _source.Run), _target.Client.BeginCounting(_target.Address.Bucket, _target.GetAddress(source.Name).Key, _target.Run));
    }
}
