using System.Runtime.ExceptionServices;
using Transfer.Buffers;
using Transfer.Integrity;
using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>
/// Uploads one object: in one PUT, or in parts that are read and sent side by side. Whatever ends it early, no upload stays open.
/// </summary>
/// <remarks>
/// One loop begins the parts in order; each is sent by a task of its own from memory that the loop has waited for. A source that can be
/// read anywhere is read by those tasks, any other one by the loop.
/// </remarks>
internal sealed class UploadCoordinator(ClientContext context, UploadRequest request, IUploadSource source, TransferReporter reporter)
{
    private NewObject Target => request.Target;

    public async Task<PublishedUpload> RunAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await UploadAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            e.BelongsTo(request.Address);
            throw;
        }
    }

    private async Task<PublishedUpload> UploadAsync(CancellationToken cancellationToken)
    {
        if (source.Length is { } length)
        {
            UploadPlan plan = UploadPlan.ForLength(length, request.PartSizeBytes);
            if (length < request.MultipartThresholdBytes && length <= context.Settings.MemoryBytes)
            {
                reporter.SetTotal(length, 0);
                using PartBody body = await ReadAsync(0, length, cancellationToken).ConfigureAwait(false);
                return await PutAsync(body, cancellationToken).ConfigureAwait(false);
            }

            CheckFits(plan.PartSizeBytes);
            reporter.SetTotal(length, plan.TotalParts);
            return await UploadPartsAsync(plan, first: null, cancellationToken).ConfigureAwait(false);
        }
        else
        {
            // The first part decides: what ends within it is one PUT.
            UploadPlan plan = UploadPlan.ForUnknownLength(request.PartSizeBytes);
            CheckFits(plan.PartSizeBytes);
            PartBody first = await ReadAsync(0, plan.PartSizeBytes, cancellationToken).ConfigureAwait(false);
            try
            {
                if (first.Length < plan.PartSizeBytes)
                {
                    reporter.SetTotal(first.Length, 0);
                    return await PutAsync(first, cancellationToken).ConfigureAwait(false);
                }

                PartBody handedOver = first;
                first = null!;
                return await UploadPartsAsync(plan, handedOver, cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                first?.Dispose();
            }
        }
    }

    private void CheckFits(long partSizeBytes)
    {
        if (partSizeBytes > context.Settings.MemoryBytes)
        {
            throw new TransferException(
                $"{request.Address}: its parts are of {Sizes.Text(partSizeBytes)}, and the memory budget of {Sizes.Text(context.Settings.MemoryBytes)} does not hold one: "
                + $"raise {nameof(TransferClientOptions.MemoryBytes)}.");
        }
    }

    private async Task<PublishedUpload> PutAsync(PartBody body, CancellationToken cancellationToken)
    {
        await source.CheckEndAsync(cancellationToken).ConfigureAwait(false);
        PublishedObject published;
        try
        {
            published = await context.Scheduler.SendAsync(
                token => context.Wire.PutObjectAsync(Target, body.AsSequence(), body.Checksum.ToBase64(), token), reporter, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            throw Failures.Of(request.Address, "upload", null, e);
        }

        reporter.AddBytes(body.Length);
        return new PublishedUpload(published, Verdict(published, body.Checksum.ToBase64()), 0);
    }

    private async Task<PublishedUpload> UploadPartsAsync(UploadPlan plan, PartBody? first, CancellationToken cancellationToken)
    {
        string uploadId;
        try
        {
            uploadId = await context.Scheduler.SendAsync(token => context.Wire.CreateMultipartUploadAsync(Target, token), reporter, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            first?.Dispose();
            throw e is WireException wire ? Failures.Of(request.Address, "create the multipart upload", null, wire) : Rethrow(e);
        }

        using PartSet parts = new(context, request, source, reporter, uploadId);
        ObjectChecksum checksum;
        PublishedObject published;
        try
        {
            await parts.SendAllAsync(plan, first, cancellationToken).ConfigureAwait(false);
            await source.CheckEndAsync(cancellationToken).ConfigureAwait(false);
            checksum = parts.Checksum();
            published = await CompleteAsync(uploadId, parts.Uploaded, checksum, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            Exception? cleanup = await AbortAsync(uploadId).ConfigureAwait(false);
            if (e is TransferException failure)
            {
                failure.CleanupError = cleanup;
            }

            throw;
        }

        return new PublishedUpload(published, Verdict(published, checksum.Expected), parts.Uploaded.Count);
    }

    private async Task<PublishedObject> CompleteAsync(string uploadId, IReadOnlyList<UploadedPart> parts, ObjectChecksum checksum, CancellationToken cancellationToken)
    {
        try
        {
            return await context.Scheduler.SendAsync(
                token => context.Wire.CompleteMultipartUploadAsync(Target, uploadId, parts, checksum.FullObject, token), reporter, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            // An answer that was lost looks like this to the next attempt, the SDK's own included: the upload is gone because it is done.
            if ((e.ErrorCode == "NoSuchUpload" || (e.Kind == FailureKind.PreconditionFailed && e.Attempts > 1))
                && await FindPublishedAsync(checksum.Expected, cancellationToken).ConfigureAwait(false) is { } published)
            {
                return published;
            }

            throw Failures.Of(request.Address, "complete the multipart upload", null, e);
        }
    }

    /// <summary>The object under the key, if it is the one that was uploaded here: of its length and its checksum.</summary>
    private async Task<PublishedObject?> FindPublishedAsync(string? expected, CancellationToken cancellationToken)
    {
        try
        {
            ObjectInfo found = await context.Scheduler.SendAsync(token => context.Wire.HeadAsync(request.Address, token), reporter, cancellationToken).ConfigureAwait(false);
            return expected is not null && found.Length == reporter.Bytes && found.Checksum is { } stored && stored.Algorithm == Target.Checksum && stored.Value == expected
                ? new PublishedObject(found.ETag, found.VersionId, stored)
                : null;
        }
        catch (WireException)
        {
            return null; // not to be told apart: the first failure stands
        }
    }

    private ChecksumVerdict Verdict(PublishedObject published, string? expected)
    {
        if (expected is null)
        {
            return ChecksumVerdict.Unverified("no checksum was asked for");
        }

        if (published.Checksum is not { } stored || stored.Algorithm != Target.Checksum)
        {
            return ChecksumVerdict.Unverified("the store did not confirm the checksum that it was sent", Target.Checksum, expected);
        }

        return stored.Value == expected
            ? ChecksumVerdict.Verified(stored.Algorithm, expected)
            : throw new ChecksumMismatchException(
                $"{request.Address}: the object was published with another content than was sent. Its {stored.Algorithm.Name()} is {stored.Value}, and {expected} was sent.")
            {
                Bucket = request.Address.Bucket,
                Key = request.Address.Key,
                Algorithm = stored.Algorithm,
                Expected = expected,
                Actual = stored.Value,
            };
    }

    /// <summary>Ends the multipart upload, whatever the caller's token says: what stays open is billed for ever.</summary>
    private async Task<Exception?> AbortAsync(string uploadId)
    {
        using CancellationTokenSource timeout = new(TransferDefaults.AbortTimeout, context.Time);
        try
        {
            await context.Scheduler.SendAsync(
                async token =>
                {
                    await context.Wire.AbortMultipartUploadAsync(request.Address, uploadId, token).ConfigureAwait(false);
                    return true;
                },
                reporter,
                timeout.Token).ConfigureAwait(false);
            return null;
        }
#pragma warning disable CA1031 // reported beside the first failure, never instead of it
        catch (Exception e)
#pragma warning restore CA1031
        {
            Log.AbortFailed(context.Logger, request.Address.Bucket, request.Address.Key, uploadId, e);
            return e is WireException wire ? Failures.Of(request.Address, $"abort the multipart upload {uploadId}", null, wire) : e;
        }
    }

    private async Task<PartBody> ReadAsync(long offset, long count, CancellationToken cancellationToken)
    {
        ChunkLease lease = await context.Pool.LeaseAsync(MemoryUse.Transient, context.Pool.ChunksFor(count), revolving: false, cancellationToken).ConfigureAwait(false);
        PartBody body = new(lease, Target.Checksum);
        try
        {
            await PartSet.FillAsync(source, offset, count, body, cancellationToken).ConfigureAwait(false);
            return body;
        }
        catch
        {
            body.Dispose();
            throw;
        }
    }

    private static Exception Rethrow(Exception e)
    {
        ExceptionDispatchInfo.Throw(e);
        return e;
    }
}
