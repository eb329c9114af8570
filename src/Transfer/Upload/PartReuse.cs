using System.Net;
using Transfer.S3.Buffers;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>
/// Uploads a source over an existing object. Parts that are equal in both are copied by the store, and the others are sent. If everything is equal, nothing is
/// published. If the parts can't be compared or copied, all of the source is sent.
/// </summary>
/// <remarks>
/// The copies and the completion are bound to the ETag of the object that was compared, and the store compares the checksum of the new object with that of the source.
/// </remarks>
internal sealed class PartReuse(TransferRun run, UploadRequest request, IUploadSource source)
{
    private readonly SourceReader _reader = new(source);

    public async Task<PublishedUpload> RunAsync(CancellationToken cancellationToken)
    {
        if (source is not IRandomAccessSource || source.Length is not { } length || length < request.MultipartThresholdBytes || request.Target.Condition.ForbidsOverwrite)
        {
            return await SendAllAsync(cancellationToken).ConfigureAwait(false);
        }

        if (request.Target.Checksum == ChecksumAlgorithm.None)
        {
            StoredPartList.NotUsed(run, request.Address, "checksums are turned off");
            return await SendAllAsync(cancellationToken).ConfigureAwait(false);
        }

        if (await StoredPartList.FindAsync(run, request.Address, cancellationToken).ConfigureAwait(false) is not { } stored)
        {
            return await SendAllAsync(cancellationToken).ConfigureAwait(false);
        }

        CheckCondition(stored.Head.Info.ETag!);
        long partBytes = stored.Parts[0].Length;
        if (GetObstacle(stored, partBytes, length) is { } obstacle)
        {
            StoredPartList.NotUsed(run, request.Address, obstacle);
            return await SendAllAsync(cancellationToken).ConfigureAwait(false);
        }

        PartChecksumValue?[] equal = await CompareAsync(stored, partBytes, length, cancellationToken).ConfigureAwait(false);
        if (length == stored.Head.Info.Length && Array.TrueForAll(equal, static sum => sum is not null) && PublishedContent.IsAsWanted(stored.Head, request.Target.Headers))
        {
            return await FinishSameAsync(stored, equal, length, cancellationToken).ConfigureAwait(false);
        }

        ReusedParts reused = new(new CopySource(request.Address, stored.Head), equal);
        return await SendRestAsync(reused, stored, partBytes, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Lets the store copy what is equal, and sends the rest.</summary>
    private async Task<PublishedUpload> SendRestAsync(ReusedParts reused, StoredPartList stored, long partBytes, CancellationToken cancellationToken)
    {
        if (reused.Count == 0)
        {
            StoredPartList.NotUsed(run, request.Address, "none of them is equal to that of the source");
            return await SendAllAsync(cancellationToken).ConfigureAwait(false);
        }

        // MinIO copies no part into an upload that has declared a checksum, but into one whose parts have an MD5.
        ChecksumAlgorithm[] algorithms = request.Target.Checksum == ChecksumAlgorithm.Auto ? [stored.Algorithm, ChecksumAlgorithm.ContentMd5] : [request.Target.Checksum];
        foreach (ChecksumAlgorithm algorithm in algorithms)
        {
            reused.Refusal = null;
            UploadRequest delta = request with
            {
                Target = request.Target with
                {
                    Checksum = algorithm,
                    Condition = request.Target.Condition with { IfMatch = ETags.Quoted(stored.Head.Info.ETag!) },
                },
                PartSizeBytes = partBytes,
                MultipartThresholdBytes = 0,
                ReusesParts = false,
                Reused = reused,
            };
            try
            {
                PublishedUpload published = await new UploadCoordinator(run, delta, source).RunAsync(cancellationToken).ConfigureAwait(false);
                Requests.Log.PartsReused(run.Client.Logger, reused.Count, published.Parts, request.Address.Bucket, request.Address.Key);
                return published;
            }
            catch (TransferException e) when (e == reused.Refusal)
            {
                run.Reporter.StartAgain();
            }

            if (reused.Refusal?.InnerException is not WireException refusal || !Refusals.IsOfValue(refusal.StatusCode, refusal.ErrorCode))
            {
                break;
            }
        }

        StoredPartList.NotUsed(run, request.Address, $"the store does not copy them ({reused.Refusal!.InnerException!.Message})");
        return await SendAllAsync(cancellationToken).ConfigureAwait(false);
    }

    private Task<PublishedUpload> SendAllAsync(CancellationToken cancellationToken)
        => new UploadCoordinator(run, request with { ReusesParts = false }, source).RunAsync(cancellationToken);

    /// <summary>Gets the reason why the new object can't have parts of the same size; null if it can.</summary>
    private string? GetObstacle(StoredPartList stored, long partBytes, long length)
    {
        int last = stored.Parts.Count - 1;
        return stored.Parts.Take(last).Any(part => part.Length != partBytes) || stored.Parts[last].Length > partBytes ? "they have different sizes"
            : partBytes < TransferDefaults.MinUploadPartSizeBytes ? $"they are smaller than {ByteSize.Format(TransferDefaults.MinUploadPartSizeBytes)}"
            : partBytes > Math.Min(request.MemoryBytes, TransferDefaults.MaxPartSizeBytes) ? $"they are larger than {nameof(TransferClientOptions.MemoryBytes)}"
            : UploadPlan.ForLength(length, partBytes, request.MaxParts).PartSizeBytes != partBytes ? $"the source does not fit into {request.MaxParts} parts of {ByteSize.Format(partBytes)}"
            : null;
    }

    /// <summary>Compares the parts of the source with those of the object. Several are read at the same time, each with one chunk.</summary>
    /// <returns>The checksum of each part of the object, if the source has the same part.</returns>
    private async Task<PartChecksumValue?[]> CompareAsync(StoredPartList stored, long partBytes, long length, CancellationToken cancellationToken)
    {
        PartChecksumValue?[] equal = new PartChecksumValue?[stored.Parts.Count];
        ParallelOptions options = new() { MaxDegreeOfParallelism = Environment.ProcessorCount, CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(Enumerable.Range(0, equal.Length), options, async (i, stopping) =>
        {
            long offset = i * partBytes;
            if (Math.Min(partBytes, length - offset) == stored.Parts[i].Length)
            {
                PartChecksumValue sum = await SumAsync(stored.Algorithm, offset, stored.Parts[i].Length, stopping).ConfigureAwait(false);
                equal[i] = sum.ToBase64() == stored.Parts[i].Checksum!.Value ? sum : null;
            }
        }).ConfigureAwait(false);
        return equal;
    }

    private async Task<PartChecksumValue> SumAsync(ChecksumAlgorithm algorithm, long offset, long length, CancellationToken cancellationToken)
    {
        using ChunkLease lease = await run.Client.Pool.LeaseAsync(MemoryUse.Transient, 1, revolving: false, cancellationToken).ConfigureAwait(false);
        using Chunk chunk = await lease.RentAsync(cancellationToken).ConfigureAwait(false);
        using PartChecksum sum = new(algorithm);
        for (long read = 0; read < length;)
        {
            cancellationToken.ThrowIfCancellationRequested();
            Span<byte> piece = chunk.Free.Span;
            piece = piece[..(int)Math.Min(piece.Length, length - read)];
            _reader.ReadAt(offset + read, piece);
            sum.Append(piece);
            read += piece.Length;
        }

        return sum.ToValue();
    }

    /// <summary>Checks the condition of the caller, so that nothing is read or sent in vain.</summary>
    private void CheckCondition(string etag)
    {
        if (request.Target.Condition.IfMatch is { } wanted && wanted != "*" && !ETags.AreSame(wanted, etag))
        {
            throw Failures.OfPublishing(
                request.Target, "upload the object", new WireException(FailureKind.PreconditionFailed, $"the object has the ETag {etag}") { StatusCode = HttpStatusCode.PreconditionFailed });
        }
    }

    /// <summary>Ends without a new object, because the existing one is the same.</summary>
    private async Task<PublishedUpload> FinishSameAsync(StoredPartList stored, PartChecksumValue?[] equal, long length, CancellationToken cancellationToken)
    {
        await _reader.CheckEndAsync(cancellationToken).ConfigureAwait(false);
        if (source is IResumableSource)
        {
            await AbandonedUploads.DiscardAsync(run, request.Address).ConfigureAwait(false);
        }

        ObjectChecksum whole = new();
        foreach (PartChecksumValue? sum in equal)
        {
            whole.Add(sum!.Value);
        }

        Requests.Log.PartsReused(run.Client.Logger, equal.Length, equal.Length, request.Address.Bucket, request.Address.Key);
        run.Reporter.SetTotal(length, 0);
        run.Reporter.Bytes.AddResumed(length);
        run.Reporter.Bytes.Add(length);
        run.Reporter.Bytes.AddConfirmed(length);
        return new PublishedUpload(PublishedContent.GetObject(stored.Head), ChecksumVerdict.Verified(stored.Algorithm, whole.Expected!), 0);
    }
}
