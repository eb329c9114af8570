using Transfer.Integrity;
using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>The calls that one upload makes: with their retries, and with what their failures mean to its caller.</summary>
internal sealed class UploadCalls(ClientContext context, UploadRequest request, TransferReporter reporter)
{
    private NewObject Target => request.Target;

    /// <summary>Publishes the object in one request. The body stays the caller's.</summary>
    public async Task<PublishedUpload> PutAsync(PartBody body, CancellationToken cancellationToken)
    {
        string? checksum = body.Checksum.ToBase64();
        PublishedObject published;
        try
        {
            published = await context.Scheduler.SendAsync(
                token => context.Wire.PutObjectAsync(Target, body.AsSequence(), checksum, token), reporter, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            throw Failures.Of(request.Address, "upload", null, e);
        }

        reporter.AddBytes(body.Length);
        return new PublishedUpload(published, Verdict(published, checksum), 0);
    }

    /// <summary>Begins the multipart upload. Its id must be aborted or completed.</summary>
    public async Task<string> CreateAsync(CancellationToken cancellationToken)
    {
        // Off the caller's stack at once: it may be writing.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        try
        {
            return await context.Scheduler.SendAsync(token => context.Wire.CreateMultipartUploadAsync(Target, token), reporter, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            throw Failures.Of(request.Address, "create the multipart upload", null, e);
        }
    }

    /// <summary>Sends one part. The body stays the caller's.</summary>
    public async Task<UploadedPart> SendPartAsync(string uploadId, int number, PartBody body, CancellationToken cancellationToken)
    {
        try
        {
            UploadedPart part = await context.Scheduler.SendAsync(
                token => context.Wire.UploadPartAsync(Target, uploadId, number, body.AsSequence(), body.Checksum.ToBase64(), token),
                reporter,
                cancellationToken).ConfigureAwait(false);
            reporter.AddBytes(body.Length);
            reporter.AddPart();
            return part;
        }
        catch (WireException e)
        {
            throw Failures.Of(request.Address, $"part {number}", number, e);
        }
    }

    /// <summary>Publishes the object from its parts.</summary>
    public async Task<PublishedObject> CompleteAsync(string uploadId, IReadOnlyList<UploadedPart> parts, ObjectChecksum checksum, CancellationToken cancellationToken)
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

    /// <summary>Ends the multipart upload, whatever the caller's token says: what stays open is billed for ever.</summary>
    /// <returns>What went wrong with that; null where nothing did.</returns>
    public async Task<Exception?> AbortAsync(string uploadId)
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

    /// <summary>What the store's answer says about the content that was published.</summary>
    /// <exception cref="ChecksumMismatchException">It is another one than was sent.</exception>
    public ChecksumVerdict Verdict(PublishedObject published, string? expected)
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
}
