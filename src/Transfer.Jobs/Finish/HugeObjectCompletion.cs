using System.Net;
using System.Text.Json;
using Transfer.S3.Copy;
using Transfer.S3.Download;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Trees;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>Completes the upload of one huge object, if all of its parts are there. It can be repeated after it was interrupted at any request.</summary>
internal sealed class HugeObjectCompletion(JobFolder folder, JobPlan plan, PlanExtra extra, Pairing sync, TransferRun writing)
{
    /// <summary>The number of parts in a page of the listing (Amazon S3 API Reference, "ListParts").</summary>
    private const long PartsOfPage = 1000;

    /// <summary>Completes an object, or finds out that it was completed before.</summary>
    /// <param name="pieces">All pieces of the object, in the order of their parts.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The line of the object, and whether the object has changed since it was completed.</returns>
    public async Task<(JobLine Line, bool IsChanged)> RunAsync(IReadOnlyList<ReviewedPiece> pieces, CancellationToken cancellationToken)
    {
        JobItem item = pieces[0].Item with { Piece = null };
        int number = pieces[0].Item.Piece!.Object;
        JobLine line = NewLine(item);
        if (await FindEndAsync(pieces, cancellationToken).ConfigureAwait(false) is { } known)
        {
            return known;
        }

        JobLine end = await CompleteAsync(item, number, pieces, line, cancellationToken).ConfigureAwait(false);
        await folder.WriteAsync(JobNames.Completed(plan.Id, number), JsonSerializer.SerializeToUtf8Bytes(end, JobJson.Default.JobLine), cancellationToken).ConfigureAwait(false);
        return (end, false);
    }

    /// <summary>Finds out how an object has ended; null if it can be completed now.</summary>
    public async Task<(JobLine Line, bool IsChanged)?> FindEndAsync(IReadOnlyList<ReviewedPiece> pieces, CancellationToken cancellationToken)
        => await FindResultAsync(pieces, cancellationToken).ConfigureAwait(false) is { } known && (known.Line.IsDone || known.IsChanged || FindUnfinished(pieces) is not null) ? known : null;

    /// <summary>Gets the requests that complete an object: its parts are listed and compared before.</summary>
    public static StoreUsage Estimate(long parts)
        => (RequestKind.ListParts.ToUsage() * Math.Max(1, (parts + PartsOfPage - 1) / PartsOfPage)) + RequestKind.HeadObject.ToUsage() + RequestKind.CompleteMultipartUpload.ToUsage();

    /// <summary>Gets the line of an object that will be done.</summary>
    public JobLine Planned(IReadOnlyList<ReviewedPiece> pieces) => NewLine(pieces[0].Item with { Piece = null });

    /// <summary>Finds out how an object has ended so far, without completing it.</summary>
    /// <param name="pieces">All pieces of the object, in the order of their parts.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The line of the object, and whether the object has changed since it was completed; null if all pieces are done, and nobody has tried to complete it.</returns>
    public async Task<(JobLine Line, bool IsChanged)?> FindResultAsync(IReadOnlyList<ReviewedPiece> pieces, CancellationToken cancellationToken)
    {
        JobItem item = pieces[0].Item with { Piece = null };
        if (FindUnfinished(pieces) is { } left)
        {
            return (NewLine(item) with { Status = left.Status, Error = left.Error, RequestId = left.RequestId, Checksum = left.Checksum, Shard = left.Shard }, false);
        }

        if (await FindCompletionAsync(folder, plan, pieces[0].Item.Piece!.Object, cancellationToken).ConfigureAwait(false) is not { } former)
        {
            return null;
        }

        string? change = former.IsDone ? TargetReview.FindChangeOfObject(item, former, await sync.Target.FindAsync(item.Name, cancellationToken).ConfigureAwait(false)) : null;
        return change is null ? (former, false) : (former with { Status = JobLine.Conflict, Error = change }, true);
    }

    private JobLine NewLine(JobItem item) => JobLine.From(item, plan, JobLine.Done) with { Command = "finish", Time = writing.Client.Time.GetUtcNow().UtcDateTime };

    /// <summary>Gets the line of a piece that isn't done; null if all are. A conflict is the first to tell, because it doesn't go away.</summary>
    private static JobLine? FindUnfinished(IReadOnlyList<ReviewedPiece> pieces)
        => pieces.Select(static piece => piece.Line).Where(static line => !line.IsDone)
            .OrderBy(static line => line.Status switch { JobLine.Conflict => 0, JobLine.Failed => 1, _ => 2 }).FirstOrDefault();

    /// <summary>Reads how an earlier attempt to complete an object ended.</summary>
    /// <returns>Null if there was none.</returns>
    public static async Task<JobLine?> FindCompletionAsync(JobFolder folder, JobPlan plan, int number, CancellationToken cancellationToken)
    {
        try
        {
            byte[]? content = await folder.ReadAllAsync(JobNames.Completed(plan.Id, number), cancellationToken).ConfigureAwait(false);
            return content is null ? null : JsonSerializer.Deserialize(content, JobJson.Default.JobLine);
        }
        catch (JsonException)
        {
            return null; // the object tells it too
        }
    }

    private async Task<JobLine> CompleteAsync(JobItem item, int number, IReadOnlyList<ReviewedPiece> pieces, JobLine line, CancellationToken cancellationToken)
    {
        ObjectAddress address = sync.Address with { Key = plan.Target.Prefix + item.Name };
        try
        {
            JobUpload upload = await JobUploads.FindAsync(folder, plan, number, cancellationToken).ConfigureAwait(false)
                ?? throw new TransferException($"{folder.Address} has no '{JobNames.Upload(plan.Id, number)}', which the results of {address} belong to. Plan the object again with --retry.");
            IReadOnlyList<JobPart> parts = GetParts(pieces, upload, address);
            parts = await CompareWithListAsync(address, upload, parts, cancellationToken).ConfigureAwait(false);
            ObjectChecksum checksum = new();
            foreach (JobPart part in parts)
            {
                checksum.Add(part.ToChecksum());
            }

            StoredChecksum? combined = checksum.FullObject is { } full ? new StoredChecksum { Algorithm = checksum.Algorithm, Value = full, IsComposite = false } : null;
            ChecksumVerdict? ofSource = CopyCoordinator.CompareWithSource(address, upload.SourceChecksum, combined); // before anything is published
            return await PublishAsync(item, upload, parts, checksum, ofSource, line, address, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (TreeSync.IsOfObject(e))
        {
            return line.With(e, TreeSync.IsConflict(e) ? JobLine.Conflict : JobLine.Failed);
        }
    }

    /// <summary>Gets all parts of an object from the results of its pieces.</summary>
    private static List<JobPart> GetParts(IReadOnlyList<ReviewedPiece> pieces, JobUpload upload, ObjectAddress address)
    {
        List<JobPart> parts = [];
        foreach ((JobItem item, JobLine line) in pieces)
        {
            JobPiece piece = item.Piece!;
            foreach (JobPart part in line.Upload == upload.Mark ? line.Parts ?? [] : [])
            {
                if (part.Number == parts.Count + 1 && part.Bytes == piece.GetSize(part.Number, item.Bytes))
                {
                    parts.Add(part);
                }
            }

            if (parts.Count != piece.Last)
            {
                throw new TransferException($"{address}: part {parts.Count + 1} belongs to another multipart upload, because the store of the job's folder has no conditions. Plan the object again with --retry.");
            }
        }

        return parts;
    }

    /// <summary>Compares the parts with those that the store has. A worker that was cut off can have sent one of them again after its result was written.</summary>
    /// <returns>The parts with the ETags of the store.</returns>
    private async Task<IReadOnlyList<JobPart>> CompareWithListAsync(ObjectAddress address, JobUpload upload, IReadOnlyList<JobPart> parts, CancellationToken cancellationToken)
    {
        IReadOnlyDictionary<int, SentPart>? listed;
        try
        {
            listed = await new UploadCalls(writing, CreateRequest(address, upload, default, parts[^1])).ListPartsAsync(upload.UploadId, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.StatusCode == HttpStatusCode.Forbidden || Refusals.IsOfOperation(e.StatusCode, e.ErrorCode))
        {
            return parts; // stores and credentials that can't list parts check them when the upload is completed
        }

        return listed is null ? parts : [.. parts.Select(part => Compare(address, part, listed.GetValueOrDefault(part.Number)))]; // without the upload, the object tells more
    }

    /// <summary>Gets a part with the ETag that it has in the store.</summary>
    private static JobPart Compare(ObjectAddress address, JobPart part, SentPart? there)
    {
        if (there is null)
        {
            throw new TransferException($"{address}: the store doesn't have part {part.Number} anymore. Plan the object again with --retry.");
        }

        bool isSame = there.LengthBytes == part.Bytes
            && (ETags.AreSame(there.ETag, part.ETag) || (part.Checksum is { } sum && there.Checksum is { } stored && stored.Algorithm == part.Algorithm && stored.Value == sum));
        return !isSame ? throw new TransferException($"{address}: part {part.Number} in the store isn't the one that was sent. Plan the object again with --retry.")
            : there.ETag is { Length: > 0 } etag ? part with { ETag = etag } : part;
    }

    private async Task<JobLine> PublishAsync(
        JobItem item, JobUpload upload, IReadOnlyList<JobPart> parts, ObjectChecksum checksum, ChecksumVerdict? ofSource, JobLine line, ObjectAddress address, CancellationToken cancellationToken)
    {
        UploadedPart[] uploaded = [.. parts.Select(static part => part.ToUploaded())];
        try
        {
            return await ((StoreSide)sync.Target).WriteAsync(writing, address, TargetState.Listed(item.ToTarget(plan.Target)), CompleteAsync, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (TreeSync.IsOfObject(e) && e is not ChecksumMismatchException)
        {
            return await FindAsync(item, upload, checksum, uploaded, address, cancellationToken).ConfigureAwait(false) is not { } there
                ? line.With(e, TreeSync.IsConflict(e) ? JobLine.Conflict : JobLine.Failed)
                : line with { Status = JobLine.Already, TargetETag = there.ETag, Reason = "checksum", Lost = upload.Lost.Count > 0 ? upload.Lost : null };
        }

        async Task<JobLine> CompleteAsync(WriteCondition condition)
        {
            UploadCalls calls = new(writing, CreateRequest(address, upload, condition, parts[^1]));
            (PublishedObject published, bool mayBeOpen) = await calls.Publisher.CompleteAsync(upload.UploadId, uploaded, parts.Sum(static part => part.Bytes), checksum, upload.Began, cancellationToken).ConfigureAwait(false);
            if (mayBeOpen)
            {
                _ = await calls.AbortAsync(upload.UploadId).ConfigureAwait(false);
            }

            ChecksumVerdict verdict = GetVerdict(calls, published, upload, checksum, ofSource, address);
            IReadOnlyList<string> lost = [.. upload.Lost, .. KeptProperties.EncryptionLostBy(published, upload.SourceEncryption)];
            return line with { TargetETag = published.ETag, Checksum = JobChecksum.From(verdict), Lost = lost.Count > 0 ? lost : null };
        }
    }

    private ChecksumVerdict GetVerdict(UploadCalls calls, PublishedObject published, JobUpload upload, ObjectChecksum checksum, ChecksumVerdict? ofSource, ObjectAddress address)
    {
        if (sync.Direction == TransferDirection.Copy)
        {
            return CopyCoordinator.CompareWithSource(address, upload.SourceChecksum, published.Checksum) ?? CopyCoordinator.NotComparable;
        }

        ChecksumVerdict ofTarget = calls.Publisher.Verdict(published, checksum.Algorithm, checksum.Expected);
        return !ofTarget.IsVerified || plan.Source.IsLocal || ofSource is { IsVerified: true } ? ofTarget
            : ChecksumVerdict.Unverified("the store of the source has no checksum of the object that could be compared", ofTarget.Algorithm, ofTarget.Value);
    }

    /// <summary>Finds the object that this upload makes, or one with the same size and checksum. The upload is then aborted, if it still exists.</summary>
    private async Task<ObjectInfo?> FindAsync(JobItem item, JobUpload upload, ObjectChecksum checksum, UploadedPart[] parts, ObjectAddress address, CancellationToken cancellationToken)
    {
        ObjectInfo there;
        try
        {
            there = await ObjectLookup.RunAsync(writing, address, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException)
        {
            return null; // the first error tells more
        }

        (ChecksumAlgorithm algorithm, string? expected) = sync.Direction == TransferDirection.Copy
            ? (upload.SourceChecksum?.Algorithm ?? ChecksumAlgorithm.None, upload.SourceChecksum?.Value)
            : (checksum.Algorithm, checksum.Expected);
        bool isComparable = expected is not null && there.Checksum is { } stored && stored.Algorithm == algorithm && stored.IsComposite == expected.Contains('-', StringComparison.Ordinal);
        bool isSame = there.Length == item.Bytes && (isComparable
            ? there.Checksum!.Value == expected
            : Md5Tag.OfParts([.. parts.Select(static part => part.ETag)]) is { } md5 && Md5Tag.Matches(there.ETag, md5));
        if (!isSame)
        {
            return null;
        }

        _ = await MultipartAbort.RunAsync(writing, address, upload.UploadId).ConfigureAwait(false);
        return there;
    }

    /// <summary>Gets the request of the upload, as far as its end needs it.</summary>
    private UploadRequest CreateRequest(ObjectAddress address, JobUpload upload, WriteCondition condition, JobPart last)
    {
        bool isChosen = sync.Direction == TransferDirection.Copy || (extra.Options.Upload?.Checksum ?? ChecksumAlgorithm.Auto) != ChecksumAlgorithm.Auto;
        ChecksumAlgorithm algorithm = isChosen ? upload.Checksum : ChecksumAlgorithm.Auto;
        return new UploadRequest(new NewObject(address, algorithm, condition, new ObjectHeaders()), last.Bytes, 1, 0)
        {
            MaxConcurrencyInChunks = 1,
            MaxParts = last.Number,
            UnknownLengthPartBytes = last.Bytes,
            LargestPartBytes = last.Bytes,
            LargestLatePartBytes = last.Bytes,
            MemoryBytes = long.MaxValue,
        };
    }
}
