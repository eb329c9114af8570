using System.Collections.Concurrent;
using Transfer.Concurrency;
using Transfer.Integrity;
using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Upload;
using Transfer.Wire;

namespace Transfer.Copy;

/// <summary>Copies one object within the store, with one request or in concurrent parts. A copy that fails or is canceled is aborted.</summary>
internal sealed class CopyCoordinator(ClientContext context, CopyPlan plan, TransferReporter reporter)
{
    private bool _mayBePublished;

    public async Task<CopyResult> RunAsync(CancellationToken cancellationToken)
    {
        CopySource source = await HeadSourceAsync(cancellationToken).ConfigureAwait(false);
        KeptProperties kept = new(source.Info, new UploadOptions(), context.Wire.SendsExpiresAsText(plan.Target.Bucket));
        NewObject target = new(
            plan.Target, source.FullObjectChecksum?.Algorithm ?? ChecksumAlgorithm.None, new WriteCondition(plan.OnlyIfAbsent), kept.Headers);

        // Some stores, such as MinIO, ignore If-None-Match of CopyObject but honor that of CompleteMultipartUpload. An empty object can't be a multipart upload.
        return source.Info.Length <= plan.MultipartThresholdBytes && (!plan.OnlyIfAbsent || source.Info.Length == 0)
            ? await CopyWholeAsync(source, kept, target, cancellationToken).ConfigureAwait(false)
            : await CopyPartsAsync(source, kept, target with { Checksum = ChecksumAlgorithm.None }, cancellationToken).ConfigureAwait(false);
    }

    private async Task<CopyResult> CopyWholeAsync(CopySource source, KeptProperties kept, NewObject target, CancellationToken cancellationToken)
    {
        reporter.SetTotal(source.Info.Length, 0);
        PublishedObject published;
        try
        {
            published = await new ConditionalWrite(context, plan.Target, PublishOperation.Copy, reporter) { Presence = plan.Presence }.SendAsync(
                target,
                asked => context.Scheduler.SendAsync(token => context.Wire.CopyObjectAsync(source, asked, token), reporter, cancellationToken, TransferDefaults.CompleteTimeout),
                cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e) when (e.Kind == FailureKind.PreconditionFailed)
        {
            // Two conditions have the same status. The state of the source shows which of them was not met.
            bool isSame = await IsUnchangedAsync(source, cancellationToken).ConfigureAwait(false);
            bool isTaken = isSame && plan.OnlyIfAbsent && await IsTargetThereAsync(cancellationToken).ConfigureAwait(false);
            throw !isSame ? Changed(null, e) : isTaken ? Failures.OfPublishing(target, "copy the object", e) : NotCopied(null, e);
        }
        catch (WireException e)
        {
            throw OfCopy(null, e);
        }

        reporter.AddBytes(source.Info.Length);
        return Result(published, Verdict(source, published, isWhole: true), 0, kept.LostBy(published, isByStore: true));
    }

    private async Task<CopyResult> CopyPartsAsync(CopySource source, KeptProperties kept, NewObject target, CancellationToken cancellationToken)
    {
        if (source.Info.ETag is null)
        {
            throw new TransferException($"{plan.Source}: the store returned no ETag, so the parts of the copy could be of different versions of the object. Increase {nameof(CopyOptions.MultipartThresholdBytes)} to copy it with one request.")
            {
                Bucket = plan.Source.Bucket,
                Key = plan.Source.Key,
            };
        }

        UploadPlan parts = UploadPlan.ForLength(source.Info.Length, plan.PartSizeBytes, context.Settings.MaxUploadParts);
        reporter.SetTotal(source.Info.Length, parts.TotalParts);
        await kept.ReadTagsAsync(context, source.Address, source.Info, reporter, cancellationToken).ConfigureAwait(false);
        target = target with { Headers = kept.Headers };
        DateTimeOffset began = context.Time.GetUtcNow();
        string uploadId = await CreateAsync(target, cancellationToken).ConfigureAwait(false);
        AmbiguousAttempts sending = new();
        PublishedObject published;
        try
        {
            UploadedPart[] copied = await SendPartsAsync(source, target, uploadId, parts, sending, cancellationToken).ConfigureAwait(false);
            published = await CompleteAsync(source, target, uploadId, copied, began, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            Exception? cleanup = _mayBePublished
                ? Failures.NotAborted(plan.Target, uploadId)
                : await MultipartAbort.RunAsync(context, plan.Target, uploadId, reporter, sending.LostAnswer).ConfigureAwait(false);
            Exception first = e is ObjectChangedException { InnerException: WireException { Kind: FailureKind.PreconditionFailed } refusal } changed
                && await IsUnchangedAsync(source, cancellationToken).ConfigureAwait(false) ? NotCopied(changed.PartNumber, refusal) : e;
            if (Failures.WithCleanup(first, cleanup) is var failure && failure != e)
            {
                throw failure;
            }

            throw;
        }

        return Result(published, Verdict(source, published, isWhole: false), parts.TotalParts!.Value, kept.LostBy(published, isByStore: false));
    }

    private Task<string> CreateAsync(NewObject target, CancellationToken cancellationToken) => MultipartCreate.RunAsync(
        context,
        plan.Target,
        (unclear, underWay) => context.Scheduler.SendGuardedAsync(
            guard => unclear.WatchAsync(() => context.Wire.CreateMultipartUploadAsync(target, guard.Token)), reporter, cancellationToken, underWay: underWay),
        cancellationToken);

    private async Task<UploadedPart[]> SendPartsAsync(
        CopySource source, NewObject target, string uploadId, UploadPlan parts, AmbiguousAttempts sending, CancellationToken cancellationToken)
    {
        ConcurrentBag<UploadedPart> copied = [];
        ParallelOptions options = new() { MaxDegreeOfParallelism = plan.MaxPartsInFlight, CancellationToken = cancellationToken };

        // The call ends when all parts have ended, so that no part arrives after an abort.
        await Parallel.ForEachAsync(Enumerable.Range(1, parts.TotalParts!.Value), options, async (number, stopping) =>
        {
            long offset = (number - 1) * parts.PartSizeBytes;
            long length = Math.Min(parts.PartSizeBytes, source.Info.Length - offset);
            try
            {
                copied.Add(await context.Scheduler.SendAsync(
                    token => sending.WatchAsync(() => context.Wire.UploadPartCopyAsync(source, target, uploadId, number, offset, length, token)),
                    reporter,
                    stopping,
                    TransferDefaults.CompleteTimeout,
                    RequestCost.Part(0)).ConfigureAwait(false));
            }
            catch (WireException e)
            {
                throw OfCopy(number, e);
            }

            reporter.AddBytes(length);
            reporter.AddPart(length);
        }).ConfigureAwait(false);
        return [.. copied.OrderBy(part => part.Number)];
    }

    private async Task<PublishedObject> CompleteAsync(
        CopySource source, NewObject target, string uploadId, UploadedPart[] parts, DateTimeOffset began, CancellationToken cancellationToken)
    {
        AmbiguousAttempts unclear = new();
        try
        {
            // No checksum is declared, because MinIO rejects copied parts of an upload that declares one. Amazon S3 computes CRC-64/NVME by default,
            // for the verdict. The result of the earlier HEAD request is too old if several parts were copied since then.
            ConditionalWrite write = new(context, plan.Target, PublishOperation.Complete, reporter) { Presence = parts.Length == 1 ? plan.Presence : null };
            return await write.SendAsync(
                target,
                asked => context.Scheduler.SendAsync(
                    token => unclear.WatchAsync(() => context.Wire.CompleteMultipartUploadAsync(asked, uploadId, parts, null, token)), reporter, cancellationToken, TransferDefaults.CompleteTimeout),
                cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            PublishedContent copy = new()
            {
                LengthBytes = source.Info.Length,
                Algorithm = source.FullObjectChecksum?.Algorithm ?? ChecksumAlgorithm.None,
                Checksum = source.FullObjectChecksum?.Value,
                Md5 = Md5Tag.OfParts([.. parts.Select(static part => part.ETag)]),
                Headers = target.Headers,
                Began = began,
            };
            PublishedLookup found = unclear.MayBeDone(e)
                ? await copy.FindAsync(context, plan.Target, reporter, cancellationToken).ConfigureAwait(false)
                : new PublishedLookup(null, IsAnswered: true);
            if (found.Object is not { } published)
            {
                _mayBePublished = !found.IsAnswered;
                throw Failures.OfPublishing(target, "complete the multipart upload", e);
            }

            if (e.ErrorCode != "NoSuchUpload")
            {
                // Only the object shows that the copy was published, so the upload may still be open.
                await MultipartAbort.RunAsync(context, plan.Target, uploadId, reporter).ConfigureAwait(false);
            }

            return published;
        }
    }

    private ChecksumVerdict Verdict(CopySource source, PublishedObject published, bool isWhole)
    {
        if (source.FullObjectChecksum is { } expected && published.Checksum is { IsComposite: false } stored && stored.Algorithm == expected.Algorithm)
        {
            return stored.Value == expected.Value
                ? ChecksumVerdict.Verified(stored.Algorithm, stored.Value)
                : throw new ChecksumMismatchException(
                    $"{plan.Target}: the copy differs from its source. Its {stored.Algorithm.Name()} is {stored.Value}, but the source's is {expected.Value}.")
                {
                    Bucket = plan.Target.Bucket,
                    Key = plan.Target.Key,
                    Algorithm = stored.Algorithm,
                    Expected = expected.Value,
                    Actual = stored.Value,
                };
        }

        // An ETag without a dash is an MD5, or a value that two objects don't have in common.
        return isWhole && Md5Tag.TryRead(source.Info.ETag, out string? md5) && Md5Tag.Matches(published.ETag, md5)
            ? ChecksumVerdict.Verified(ChecksumAlgorithm.Md5, md5)
            : ChecksumVerdict.Unverified("the store did not return full-object checksums of both the source and the copy");
    }

    private CopyResult Result(PublishedObject published, ChecksumVerdict verdict, int parts, IReadOnlyList<string> lost) => new()
    {
        Lost = lost,
        ETag = published.ETag,
        VersionId = published.VersionId,
        BytesCopied = reporter.Bytes,
        Verdict = verdict,
        Elapsed = reporter.Elapsed,
        Parts = parts,
        Requests = reporter.Requests,
        Retries = reporter.Retries,
        Times = reporter.GetTimes(),
    };

    private async Task<CopySource> HeadSourceAsync(CancellationToken cancellationToken)
    {
        try
        {
            ObjectInfo info = await context.Scheduler.SendAsync(token => context.Wire.HeadAsync(plan.Source.WithHeaders, token), reporter, cancellationToken).ConfigureAwait(false);
            return new CopySource(plan.Source with { VersionId = plan.Source.VersionId ?? info.VersionId }, info);
        }
        catch (WireException e)
        {
            throw Failures.Of(plan.Source, "read the headers", null, e);
        }
    }

    /// <summary>
    /// Converts the error of a copy request. The source existed with its ETag when the copy started, so a source that is missing or different has changed.
    /// </summary>
    private TransferException OfCopy(int? partNumber, WireException e)
        => e.Kind == FailureKind.PreconditionFailed || e.ErrorCode is "NoSuchKey" or "NoSuchVersion"
            ? Changed(partNumber, e)
            : Failures.Of(plan.Target, partNumber is null ? "copy the object" : $"copy part {partNumber}", partNumber, e);

    /// <summary>Returns whether the source still has its ETag. If the store doesn't tell, it is assumed to have changed.</summary>
    private async Task<bool> IsUnchangedAsync(CopySource source, CancellationToken cancellationToken)
    {
        try
        {
            CopySource now = await HeadSourceAsync(cancellationToken).ConfigureAwait(false);
            return ETags.AreSame(now.Info.ETag, source.Info.ETag);
        }
        catch (TransferException)
        {
            return false;
        }
    }

    private async Task<bool> IsTargetThereAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await PresenceLookup.RunAsync(context, plan.Target, reporter, cancellationToken).ConfigureAwait(false) == ObjectPresence.Present;
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

    private ObjectChangedException Changed(int? partNumber, WireException e)
        => new($"{plan.Source} was replaced or deleted while it was being copied.", plan.Source, e) { PartNumber = partNumber };
}
