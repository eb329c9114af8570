using Transfer.S3.Requests;
using Transfer.S3.Trees;
using Transfer.S3.Upload;

namespace Transfer.S3.Jobs;

/// <summary>Runs one piece of a huge object: sends its parts to the upload that all workers of the object share.</summary>
/// <remarks>
/// The results of an earlier attempt are trusted. A part can be lost only together with its upload, and the end of the job compares all parts with the listing of the
/// store in any case.
/// </remarks>
/// <param name="sync">The sides.</param>
/// <param name="plan">The plan.</param>
/// <param name="uploads">The uploads of the job.</param>
/// <param name="writer">The client of the target.</param>
internal sealed class PieceRunner(Pairing sync, JobPlan plan, JobUploads uploads, ClientContext writer)
{
    /// <param name="item">The piece.</param>
    /// <param name="findParts">Gets the parts of earlier attempts that belong to the upload with a mark.</param>
    /// <param name="findDoneAsync">Gets the result of another attempt that has done the piece in the meantime; null if there is none.</param>
    /// <param name="record">Receives the line of each part when the store has it.</param>
    /// <param name="soft">Lets the parts in flight end, and begins no others.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The line of the piece; null if it was stopped.</returns>
    public async Task<JobLine?> RunAsync(
        JobItem item,
        Func<string, IEnumerable<JobPart>> findParts,
        Func<CancellationToken, Task<JobLine?>> findDoneAsync,
        Action<JobLine> record,
        CancellationToken soft,
        CancellationToken cancellationToken)
    {
        JobLine line = JobLine.From(item, plan, JobLine.Done);
        try
        {
            UploadRange range = await OpenAsync(item, cancellationToken).ConfigureAwait(false);
            await using (range.ConfigureAwait(false))
            {
                return await range.Run.EndAfterAsync(RunAsync(item, line, range, findParts, record, soft, cancellationToken)).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (TreeSync.IsOfObject(e))
        {
            // The upload doesn't exist anymore if the job was ended after another attempt has done this piece. Its line has the parts.
            return e is TransferException { ErrorCode: "NoSuchUpload" } && await findDoneAsync(cancellationToken).ConfigureAwait(false) is { } done
                ? done with { Status = JobLine.Already }
                : line.With(e, TreeSync.IsConflict(e) ? JobLine.Conflict : JobLine.Failed);
        }
    }

    private Task<UploadRange> OpenAsync(JobItem item, CancellationToken cancellationToken)
    {
        JobPiece piece = item.Piece!;
        return sync.Direction != TransferDirection.Copy && piece.PartBytes > writer.Settings.MemoryBytes
            ? throw UploadRequest.TooLargeParts(sync.Address with { Key = plan.Target.Prefix + item.Name }, piece.PartBytes, writer.Settings.MemoryBytes)
            : sync.OpenRangeAsync(item.ToSource(plan.Source), piece.Offset, item.CopiedBytes, piece.PartBytes, cancellationToken);
    }

    private async Task<JobLine?> RunAsync(
        JobItem item, JobLine line, UploadRange range, Func<string, IEnumerable<JobPart>> findParts, Action<JobLine> record, CancellationToken soft, CancellationToken cancellationToken)
    {
        JobPiece piece = item.Piece!;
        JobUpload upload = await uploads.GetAsync(item, range, cancellationToken).ConfigureAwait(false);
        SortedDictionary<int, JobPart> known = [];
        foreach (JobPart part in findParts(upload.Mark).Where(part => part.Number >= piece.First && part.Number <= piece.Last && part.Bytes == piece.GetSize(part.Number, item.Bytes)))
        {
            known[part.Number] = part;
            range.Run.Reporter.Bytes.AddResumed(part.Bytes);
            range.Run.Reporter.Bytes.Add(part.Bytes);
        }

        long resumed = known.Values.Sum(static part => part.Bytes);
        int[] missing = [.. Enumerable.Range(piece.First, piece.Last - piece.First + 1).Where(number => !known.ContainsKey(number))];
        Lock gate = new();
        SharedUpload shared = new(upload.UploadId, upload.Checksum, (sent, length, checksum) =>
        {
            if (range.IsChanged())
            {
                throw new TransferException($"{line.Source} was changed while it was being uploaded.") { Error = TransferError.ObjectChanged };
            }

            JobPart part = JobPart.From(sent, length, checksum);
            lock (gate)
            {
                known[part.Number] = part;
            }

            record(new JobLine { Status = JobLine.Part, Upload = upload.Mark, Parts = [part] });
        });
        await SendAsync(item, range, missing, shared, soft, cancellationToken).ConfigureAwait(false);
        return known.Count <= piece.Last - piece.First ? null : line with { Upload = upload.Mark, Parts = [.. known.Values], Resumed = resumed };
    }

    /// <summary>Sends parts until all are sent, or no others may begin.</summary>
    private static async Task SendAsync(JobItem item, UploadRange range, int[] missing, SharedUpload shared, CancellationToken soft, CancellationToken cancellationToken)
    {
        JobPiece piece = item.Piece!;
        using PartSet parts = new(range.Run, range.Request, range.Source.PartMemory, cancellationToken, shared);
        SourceReader reader = new(range.Source);
        try
        {
            for (int i = 0; i < missing.Length && !soft.IsCancellationRequested; i++)
            {
                parts.SetLeft(missing.Length - i);
                PartBody body = await parts.OpenAsync(piece.GetSize(missing[i], item.Bytes), parts.Stopping).ConfigureAwait(false);
                parts.Send(body, reader, range.Origin + piece.GetOffset(missing[i]) - piece.Offset, missing[i]);
            }

            await parts.WhenSentAsync().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            Exception first = await parts.AbandonAsync(e).ConfigureAwait(false);
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(range.ExplainAsync is { } explainAsync ? await explainAsync(first).ConfigureAwait(false) : first);
            throw;
        }
    }
}
