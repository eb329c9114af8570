using System.Runtime.ExceptionServices;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Stores;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Copy;

/// <summary>Copies one object within the store, with one request or in concurrent parts. A copy that fails or is canceled is aborted.</summary>
internal sealed class CopyCoordinator(TransferRun run, CopyPlan plan)
{
    public async Task<CompletedCopy> RunAsync(CancellationToken cancellationToken)
    {
        CopySource source = await HeadSourceAsync(cancellationToken).ConfigureAwait(false);
        KeptProperties kept = new(source.Head, new UploadOptions(), run.Client.Wire.SendsExpiresAsText(plan.Target.Bucket));
        NewObject target = new(
            plan.Target, source.FullObjectChecksum?.Algorithm ?? ChecksumAlgorithm.None, plan.Condition, kept.Headers);

        return run.Uploads is not { TakesUploads: true } && IsWhole(plan, source.Info.Length)
            ? await CopyWholeAsync(source, kept, target, cancellationToken).ConfigureAwait(false)
            : await CopyPartsAsync(source, kept, target with { Checksum = ChecksumAlgorithm.None }, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Returns whether an object is copied with one request.</summary>
    /// <remarks>Some stores, such as MinIO, ignore the conditions of CopyObject but honor those of CompleteMultipartUpload. An empty object has no range that could be copied.</remarks>
    private static bool IsWhole(CopyPlan plan, long length) => length <= plan.MultipartThresholdBytes && (plan.Condition == default || length == 0);

    /// <summary>Gets the requests that copy an object of a length, if none fails.</summary>
    /// <param name="client">The client of the store.</param>
    /// <param name="plan">The copy.</param>
    /// <param name="length">The length.</param>
    /// <param name="isStaged">Whether it is published together with others, which takes an upload of parts.</param>
    public static StoreUsage Estimate(ClientContext client, CopyPlan plan, long length, bool isStaged = false)
    {
        StoreUsage usage = RequestKind.HeadObject.ToUsage() with { BytesCopied = length };
        long parts = Math.Max(1, UploadPlan.ForLength(length, plan.PartSizeBytes, client.Settings.MaxUploadParts).TotalParts!.Value);
        return !isStaged && IsWhole(plan, length) ? usage + RequestKind.CopyObject.ToUsage()
            : usage + TagLookup.Estimate(client.Profile, plan.Source.Bucket) + RequestKind.CreateMultipartUpload.ToUsage() + (RequestKind.UploadPartCopy.ToUsage() * parts)
                + RequestKind.CompleteMultipartUpload.ToUsage();
    }

    private async Task<CompletedCopy> CopyWholeAsync(CopySource source, KeptProperties kept, NewObject target, CancellationToken cancellationToken)
    {
        run.Reporter.SetTotal(source.Info.Length, 0);
        PublishedObject published;
        try
        {
            published = await new ConditionalWrite(run, plan.Target, StoreTrait.CopyCondition) { Presence = plan.Presence }.SendAsync(
                target,
                asked => run.SendAsync(token => run.Client.Wire.CopyObjectAsync(source, asked, token), cancellationToken, TransferDefaults.CompleteTimeout),
                cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e) when (e.Kind == FailureKind.PreconditionFailed)
        {
            // Two conditions have the same status. The state of the source shows which of them was not met.
            bool isSame = await IsUnchangedAsync(source, cancellationToken).ConfigureAwait(false);
            bool isTaken = isSame && (plan.TargetETag is not null || (!plan.Overwrite && await IsTargetThereAsync(cancellationToken).ConfigureAwait(false)));
            throw !isSame ? Failures.SourceChanged(source, null, e) : isTaken ? Failures.OfPublishing(target, "copy the object", e) : NotCopied(null, e);
        }
        catch (WireException e)
        {
            throw Failures.OfCopying(source, plan.Target, null, e);
        }

        run.Reporter.Bytes.Add(source.Info.Length);
        return Result(source, published, Verdict(source, published, isWhole: true), 0, kept.LostBy(published, isByStore: true));
    }

    private async Task<CompletedCopy> CopyPartsAsync(CopySource source, KeptProperties kept, NewObject target, CancellationToken cancellationToken)
    {
        CheckPinned(source);
        await kept.ReadTagsAsync(run, source.Address, source.Info, cancellationToken).ConfigureAwait(false);
        PublishedUpload copy;
        try
        {
            UploadRequest request = CreateRequest(source, target with { Headers = kept.Headers }) with { SourceEncryption = kept.Encryption };
            copy = await new UploadCoordinator(run, request, Open(source)).RunAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.Error == TransferError.ObjectChanged)
        {
            ExceptionDispatchInfo.Throw(await ExplainAsync(source, e, cancellationToken).ConfigureAwait(false));
            throw;
        }

        return Result(source, copy.Object, Verdict(source, copy.Object, isWhole: false), copy.Parts, kept.LostBy(copy.Object, isByStore: false));
    }

    /// <summary>Opens the source for a copy of some of its parts, which begin at an offset.</summary>
    public async Task<UploadRange> OpenRangeAsync(long offset, CancellationToken cancellationToken)
    {
        CopySource source = await HeadSourceAsync(cancellationToken).ConfigureAwait(false);
        CheckPinned(source);
        NewObject target = new(plan.Target, ChecksumAlgorithm.None, plan.Condition, new ObjectHeaders());
        UploadRequest request = CreateRequest(source, target);
        return new UploadRange(run, request, Open(source), offset, DescribeAsync)
        {
            ExplainAsync = async e => e is TransferException { Error: TransferError.ObjectChanged } changed ? await ExplainAsync(source, changed, CancellationToken.None).ConfigureAwait(false) : e,
        };

        async Task<UploadDescription> DescribeAsync(CancellationToken stopping)
        {
            KeptProperties kept = new(source.Head, new UploadOptions(), run.Client.Wire.SendsExpiresAsText(plan.Target.Bucket));
            await kept.ReadTagsAsync(run, source.Address, source.Info, stopping).ConfigureAwait(false);
            return kept.AddTo(new UploadDescription(request with { Target = target with { Headers = kept.Headers } }) { SourceChecksum = source.FullObjectChecksum });
        }
    }

    /// <summary>Opens the source. An empty part is sent, because it can't be copied.</summary>
    private IUploadSource Open(CopySource source) => source.Info.Length == 0 ? new MemorySource(default) : new StoredSource(run.Client.Store, source);

    private void CheckPinned(CopySource source)
    {
        if (source.Info.ETag is null)
        {
            throw new TransferException($"{plan.Source}: the store returned no ETag, so the parts of the copy could be of different versions of the object. Increase {nameof(CopyOptions.MultipartThresholdBytes)} to copy it with one request.")
            {
                Bucket = plan.Source.Bucket,
                Key = plan.Source.Key,
            };
        }

        // The parts are cut by the size in the headers, so with a smaller one, the copy would be the beginning of the object.
        if (plan.SourceLength is { } listed && listed != source.Info.Length)
        {
            throw new TransferException($"{plan.Source} has {listed} bytes in the listing, and {source.Info.Length} bytes in its headers, so it was replaced, or the store returned a wrong size.")
            {
                Error = TransferError.ObjectChanged,
                Bucket = plan.Source.Bucket,
                Key = plan.Source.Key,
            };
        }
    }

    /// <summary>Finds out whether the source has changed, as the store says, or the store can't copy it.</summary>
    private async Task<Exception> ExplainAsync(CopySource source, TransferException e, CancellationToken cancellationToken)
        => e.InnerException is WireException { Kind: FailureKind.PreconditionFailed } refusal && await IsUnchangedAsync(source, cancellationToken).ConfigureAwait(false)
            ? Failures.WithCleanup(NotCopied(e.PartNumber, refusal), e.CleanupError)
            : e;

    /// <summary>Plans the upload whose parts the store copies. They need no memory here.</summary>
    /// <remarks>
    /// No checksum is declared, because MinIO rejects copied parts of an upload that declares one. Amazon S3 computes CRC-64/NVME by default, for the verdict.
    /// </remarks>
    private UploadRequest CreateRequest(CopySource source, NewObject target) => new(target, plan.PartSizeBytes, plan.MaxConcurrency, MultipartThresholdBytes: 0)
    {
        Copied = source.Info.Length == 0 ? null : source,
        Presence = plan.Presence,
        Resumes = plan.Resumes && source.Info.Length > 0, // also with one part, because the upload of a killed process would stay open
        IsConcurrencyGiven = true,
        MaxConcurrencyInChunks = plan.MaxConcurrency,
        MaxParts = run.Client.Settings.MaxUploadParts,
        UnknownLengthPartBytes = plan.PartSizeBytes,
        LargestPartBytes = plan.PartSizeBytes,
        LargestLatePartBytes = plan.PartSizeBytes,
        MemoryBytes = long.MaxValue,
    };

    private ChecksumVerdict Verdict(CopySource source, PublishedObject published, bool isWhole)
    {
        if (CompareWithSource(plan.Target, source.FullObjectChecksum, published.Checksum) is { } verdict)
        {
            return verdict;
        }

        // An ETag without a dash is an MD5, or a value that two objects don't have in common.
        return isWhole && Md5Tag.TryRead(source.Info.ETag, out string? md5) && Md5Tag.Matches(published.ETag, md5)
            ? ChecksumVerdict.Verified(ChecksumAlgorithm.Md5, md5)
            : NotComparable;
    }

    public static ChecksumVerdict NotComparable { get; } = ChecksumVerdict.Unverified("the store did not return full-object checksums of both the source and the copy");

    /// <summary>Compares the full-object checksums of a copy and its source.</summary>
    /// <returns>Null if they can't be compared.</returns>
    /// <exception cref="ChecksumMismatchException">Thrown when they differ.</exception>
    public static ChecksumVerdict? CompareWithSource(ObjectAddress target, StoredChecksum? ofSource, StoredChecksum? ofCopy)
    {
        if (ofSource is not { } expected || ofCopy is not { IsComposite: false } stored || stored.Algorithm != expected.Algorithm)
        {
            return null;
        }

        return stored.Value == expected.Value
            ? ChecksumVerdict.Verified(stored.Algorithm, stored.Value)
            : throw new ChecksumMismatchException(
                $"{target}: the copy differs from its source. Its {stored.Algorithm.Name()} is {stored.Value}, but the source's is {expected.Value}.")
            {
                Bucket = target.Bucket,
                Key = target.Key,
                Algorithm = stored.Algorithm,
                Expected = expected.Value,
                Actual = stored.Value,
            };
    }

    private CompletedCopy Result(CopySource source, PublishedObject published, ChecksumVerdict verdict, int parts, IReadOnlyList<string> lost)
    {
        CopyResult result = new()
        {
            LostProperties = lost,
            ETag = published.ETag,
            SourceETag = source.Info.ETag,
            VersionId = published.VersionId,
            Verdict = verdict,
            Parts = parts,
            Statistics = run.Reporter.GetStatistics(),
        };
        return new CompletedCopy(result, source.Info);
    }

    private async Task<CopySource> HeadSourceAsync(CancellationToken cancellationToken)
    {
        try
        {
            ObjectHead head = await run.SendAsync(token => run.Client.Wire.HeadAsync(plan.Source.WithHeaders, token), cancellationToken).ConfigureAwait(false);
            if (!ETags.AreSame(plan.SourceETag, head.Info.ETag))
            {
                throw new TransferException($"{plan.Source} was replaced after it was listed.") { Error = TransferError.ObjectChanged, Bucket = plan.Source.Bucket, Key = plan.Source.Key };
            }

            return new CopySource(plan.Source with { VersionId = plan.Source.VersionId ?? head.Info.VersionId }, head);
        }
        catch (WireException e)
        {
            throw Failures.Create(plan.Source, "read the headers", null, e);
        }
    }

    /// <summary>Returns whether the source still has its ETag. If the store doesn't tell, it is assumed to have changed.</summary>
    private async Task<bool> IsUnchangedAsync(CopySource source, CancellationToken cancellationToken)
    {
        try
        {
            CopySource now = await HeadSourceAsync(cancellationToken).ConfigureAwait(false);
            return ETags.AreSame(now.Info.ETag, source.Info.ETag);
        }
        catch (TransferException e) when (e.Error != TransferError.LimitReached)
        {
            return false;
        }
    }

    private async Task<bool> IsTargetThereAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await PresenceLookup.RunAsync(run, plan.Target, cancellationToken).ConfigureAwait(false) == ObjectPresence.Present;
        }
        catch (WireException)
        {
            return false;
        }
    }

    /// <summary>
    /// Creates the error of a store that rejects the condition of a copy although the source has not changed, such as OpenStack Swift for objects that were uploaded in
    /// parts. Without the condition, Swift would copy the list of the parts instead of the content.
    /// </summary>
    private TransferException NotCopied(int? partNumber, WireException e) => new(
        $"{plan.Source}: the store can't copy this object. It reports that the object has changed, but its ETag is still the same. Copy the object through this machine instead (transfer cp --through).",
        plan.Source,
        e)
    {
        PartNumber = partNumber,
    };
}
