using System.Net;
using System.Text.Json;
using Transfer.S3.Copy;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Trees;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>Completes the upload of one huge object, if all of its parts are there. It can be repeated after it was interrupted at any request.</summary>
internal sealed class HugeObjectCompletion(JobFolder folder, JobPlan plan, Pairing sync, TransferRun writing)
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

        JobLine end = await PrepareAsync(item, number, pieces, line, cancellationToken).ConfigureAwait(false) is var (prepared, failure) && prepared is not null
            ? await PublishAsync(prepared, isReviewed: false, cancellationToken).ConfigureAwait(false)
            : failure!;
        await RecordAsync(number, end, cancellationToken).ConfigureAwait(false);
        return (end, false);
    }

    /// <summary>Records how an object has ended.</summary>
    public Task RecordAsync(int number, JobLine end, CancellationToken cancellationToken)
        => folder.WriteAsync(JobNames.Completed(plan.Id, number), JsonSerializer.SerializeToUtf8Bytes(end, JobJson.Default.JobLine), cancellationToken);

    /// <summary>Finds what completes an object, whose pieces are all done.</summary>
    /// <returns>The line of the object if it can't be completed.</returns>
    public Task<(PreparedObject? Prepared, JobLine? Failure)> PrepareAsync(IReadOnlyList<ReviewedPiece> pieces, CancellationToken cancellationToken)
        => PrepareAsync(pieces[0].Item with { Piece = null }, pieces[0].Item.Piece!.Object, pieces, Planned(pieces), cancellationToken);

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

    private async Task<(PreparedObject? Prepared, JobLine? Failure)> PrepareAsync(JobItem item, int number, IReadOnlyList<ReviewedPiece> pieces, JobLine line, CancellationToken cancellationToken)
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
            StagedUpload staged = new StagedUpload(upload.UploadId, [.. parts.Select(static part => part.ToUploaded())], parts.Sum(static part => part.Bytes), upload.Began)
            {
                SourceChecksum = sync.Direction == TransferDirection.Copy ? upload.SourceChecksum : null,
                SourceEncryption = upload.SourceEncryption,
            }.With(checksum);
            return (new PreparedObject(number, item, staged, line) { Lost = upload.Lost, IsSourceVerified = plan.Source.IsLocal || ofSource is { IsVerified: true } }, null);
        }
        catch (Exception e) when (TreeSync.IsOfObject(e))
        {
            return (null, line.With(e, TreeSync.IsConflict(e) ? JobLine.Conflict : JobLine.Failed));
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
            UploadRequest request = UploadRequest.ForStaged(new NewObject(address, upload.Checksum, default, new ObjectHeaders()), new StagedUpload(upload.UploadId, [], parts[^1].Bytes, null));
            listed = await new UploadCalls(writing, request).ListPartsAsync(upload.UploadId, cancellationToken).ConfigureAwait(false);
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

    /// <summary>Publishes an object.</summary>
    /// <param name="one">What completes it.</param>
    /// <param name="isReviewed">Whether the target was looked up a moment ago.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<JobLine> PublishAsync(PreparedObject one, bool isReviewed, CancellationToken cancellationToken)
    {
        try
        {
            TargetState target = TargetState.Listed(one.Item.ToTarget(plan.Target));
            StagedResult end = await new StagedCompletion(sync, writing).RunAsync(one.Item.Name, one.Upload, target, isReviewed, cancellationToken).ConfigureAwait(false);
            return ToLine(one, end);
        }
        catch (Exception e) when (TreeSync.IsOfObject(e))
        {
            return one.Line.With(e, TreeSync.IsConflict(e) ? JobLine.Conflict : JobLine.Failed);
        }
    }

    /// <summary>Finds an object that was published, but whose result is lost.</summary>
    /// <returns>Null if the target isn't that object.</returns>
    public async Task<JobLine?> FindPublishedAsync(PreparedObject one, CancellationToken cancellationToken)
        => await new StagedCompletion(sync, writing).FindAsync(one.Item.Name, one.Upload, cancellationToken).ConfigureAwait(false) is { } there ? ToLine(one, there) : null;

    private JobLine ToLine(PreparedObject one, StagedResult end)
    {
        IReadOnlyList<string> lost = [.. one.Lost, .. end.Lost];
        JobLine line = one.Line with { TargetETag = end.ETag, Lost = lost.Count > 0 ? lost : null };
        return end.Verdict is { } verdict ? line with { Checksum = JobChecksum.From(GetVerdict(verdict, one.IsSourceVerified)) } : line with { Status = JobLine.Already, Reason = "checksum" };
    }

    /// <summary>Combines what both stores have confirmed.</summary>
    private ChecksumVerdict GetVerdict(ChecksumVerdict ofTarget, bool isSourceVerified)
        => sync.Direction == TransferDirection.Copy || !ofTarget.IsVerified || isSourceVerified ? ofTarget
            : ChecksumVerdict.Unverified("the store of the source has no checksum of the object that could be compared", ofTarget.Algorithm, ofTarget.Value);
}
