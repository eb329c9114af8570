using Transfer.S3.Concurrency;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Stores;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>The way of the requests that publish an object. A rule for them is one of these layers, from the outside to the inside.</summary>
/// <remarks>
/// <list type="number">
/// <item><description>Lookup (<see cref="FindAsync"/>, <see cref="PublishedContent"/>): if no response tells whether the object was published, the object under its key
/// does.</description></item>
/// <item><description>Checksum (<see cref="ChecksumFallback"/>): if the store refuses the checksum, another one is sent, or none.</description></item>
/// <item><description>Condition (<see cref="ConditionalWrite"/>): what the store doesn't compare itself is compared before.</description></item>
/// <item><description>Request (<see cref="RequestPipeline"/>): when each attempt is sent, and how often.</description></item>
/// <item><description>Outcome (<see cref="AmbiguousAttempts"/>): whether an attempt that failed may have published the object.</description></item>
/// </list>
/// </remarks>
internal sealed class ObjectPublisher(TransferRun run, UploadRequest request, ChecksumFallback checksums)
{
    /// <summary>
    /// Gets a value that indicates whether the object may have been published although the upload failed, because neither the response to its publication nor a lookup
    /// of the object shows that.
    /// </summary>
    public bool MayBePublished { get; private set; }

    /// <summary>Publishes the object with one request. The caller remains the owner of the part.</summary>
    public async Task<PublishedUpload> PutAsync(PartBody body, CancellationToken cancellationToken)
    {
        DateTimeOffset began = run.Client.Time.GetUtcNow();
        Publication put = new(
            new ConditionalWrite(run, request.Address, StoreTrait.PutCondition) { Presence = request.Presence, Proves = request.ProvesCondition },
            new RequestRules(RequestCost.First(body.Length)),
            new AmbiguousAttempts(),
            (target, attempt) => body.SendAsync(target.Checksum, attempt, content => run.Client.Wire.PutObjectAsync(target, content, attempt.Token)));
        PublishedObject published;
        try
        {
            published = await checksums.SendAsync(target => WriteAsync(put, target, cancellationToken)).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            string? md5 = put.Outcome.MayBeDone(e) ? body.ComputeMd5() : null; // for stores that keep no checksum
            PublishedContent content = GetContent(body.Length, body.Checksum.Algorithm, body.Checksum.ToBase64(), md5, began);
            published = await FindAsync(put.Outcome, e, content, cancellationToken).ConfigureAwait(false)
                ?? throw Failures.OfPublishing(request.Target, "upload the object", e);
        }

        body.CountSent(body.Length);
        run.Reporter.Bytes.AddConfirmed(body.Length);
        return new PublishedUpload(published, Verdict(published, body.Checksum.Algorithm, body.Checksum.ToBase64()), 0);
    }

    /// <summary>Publishes the object from its parts.</summary>
    /// <param name="upload">The upload.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The object, and whether the multipart upload can still be open because only the object shows that it was published.</returns>
    public async Task<(PublishedObject Object, bool MayBeOpen)> CompleteAsync(StagedUpload upload, CancellationToken cancellationToken)
    {
        IReadOnlyList<UploadedPart> parts = upload.Parts;
        NewObject target = checksums.Target with { Checksum = upload.Algorithm };

        // A store that returned the checksum of no part doesn't know them, and may reject a list of parts that contains them, as OpenStack Swift does.
        bool sendsChecksums = target.Checksum == ChecksumAlgorithm.None || parts.Any(static part => part.IsChecksumKnown);
        AmbiguousAttempts outcome = new();
        try
        {
            try
            {
                return (await SendAsync(sendsChecksums).ConfigureAwait(false), false);
            }
            catch (WireException e) when (sendsChecksums ? checksums.IsOpen && target.Checksum != ChecksumAlgorithm.None && Refusals.IsOfValue(e.StatusCode, e.ErrorCode) : IsMissingChecksum(e))
            {
                // The store accepted the checksums of the parts. Without one for the object, its response determines the verdict.
                return (await SendAsync(!sendsChecksums).ConfigureAwait(false), false);
            }
        }
        catch (WireException e)
        {
            // After a conflict, Amazon S3 requires a new upload (Amazon S3 API Reference, "CompleteMultipartUpload"), so the next attempt may not find this one.
            e.Hint ??= outcome.WasConflict ? ErrorKinds.GetHint(ErrorKinds.Conflict) : null;
            PublishedContent content = GetContent(upload.Bytes, upload.Algorithm, upload.Expected, Md5Tag.OfParts([.. parts.Select(static part => part.ETag)]), upload.Began);
            return await FindAsync(outcome, e, content, cancellationToken).ConfigureAwait(false) is { } found
                ? (found, e.ErrorCode != "NoSuchUpload")
                : throw Failures.OfPublishing(request.Target, "complete the multipart upload", e);
        }

        Task<PublishedObject> SendAsync(bool withChecksums)
        {
            Publication complete = new(
                new ConditionalWrite(run, request.Address, StoreTrait.CompleteCondition) { Presence = PresenceFor(parts.Count) },
                RequestRules.Lookup with { Cost = request.IsStaged ? RequestCost.OfSmallObject : RequestCost.Lookup, Silence = TransferDefaults.CompleteTimeout },
                outcome,
                (sent, attempt) => run.Client.Wire.CompleteMultipartUploadAsync(sent, upload.UploadId, parts, withChecksums ? upload.FullObject : null, upload.Bytes, attempt.Token));
            return WriteAsync(complete, withChecksums ? target : target with { Checksum = ChecksumAlgorithm.None }, cancellationToken);
        }
    }

    /// <summary>Finds the object that an earlier run was about to publish.</summary>
    /// <param name="former">The upload of the earlier run.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>Null if there is no object or another one.</returns>
    public async Task<PublishedUpload?> FindFormerAsync(ResumedUpload former, CancellationToken cancellationToken)
    {
        UploadHeader header = former.Header;
        PublishedContent content = GetContent(header.Bytes, header.Checksum, former.Completing, request.Copied is null ? null : Md5OfParts(former), header.Begun);
        return (await content.FindAsync(run, request.Address, cancellationToken).ConfigureAwait(false)).Object is { } found
            ? new PublishedUpload(found, Verdict(found, header.Checksum, former.Completing), former.Parts.Count)
            : null;
    }

    /// <summary>Finds the object that an earlier call has published from parts that somebody else sent.</summary>
    /// <returns>Null if there is no object or another one.</returns>
    public async Task<PublishedUpload?> FindCompletedAsync(PresignedUpload upload, ChecksumAlgorithm algorithm, string checksum, CancellationToken cancellationToken)
    {
        PublishedContent content = GetContent(upload.Length, algorithm, checksum, null, upload.Created);
        return (await content.FindAsync(run, request.Address, cancellationToken).ConfigureAwait(false)).Object is { } found
            ? new PublishedUpload(found, Verdict(found, algorithm, checksum), upload.PartCount)
            : null;
    }

    /// <summary>Verifies the published object with the store's response.</summary>
    /// <exception cref="ChecksumMismatchException">Thrown when the content differs from the data that was sent.</exception>
    public ChecksumVerdict Verdict(PublishedObject published, ChecksumAlgorithm algorithm, string? expected)
    {
        if (expected is null)
        {
            return ChecksumVerdict.Unverified(algorithm == ChecksumAlgorithm.None && !checksums.IsOpen ? "checksums were turned off" : "the store accepts no checksum that the client can compute");
        }

        if (algorithm == ChecksumAlgorithm.ContentMd5)
        {
            // A different ETag proves nothing. For example, that of an encrypted object isn't an MD5.
            return Md5Tag.Matches(published.ETag, expected)
                ? ChecksumVerdict.Verified(ChecksumAlgorithm.Md5, expected)
                : ChecksumVerdict.Unverified("the store's ETag is not made of MD5s", ChecksumAlgorithm.Md5, expected);
        }

        if (published.Checksum is not { } stored || stored.Algorithm != algorithm)
        {
            return ChecksumVerdict.Unverified("the store did not confirm the checksum", algorithm, expected);
        }

        return stored.Value == expected
            ? ChecksumVerdict.Verified(stored.Algorithm, expected)
            : throw new ChecksumMismatchException(
                $"{request.Address}: the published object differs from the data that was sent. Its {stored.Algorithm.Name()} is {stored.Value}, but {expected} was sent.")
            {
                Bucket = request.Address.Bucket,
                Key = request.Address.Key,
                Algorithm = stored.Algorithm,
                Expected = expected,
                Actual = stored.Value,
            };
    }

    /// <summary>Condition: sends the request in a way that replaces no object that it must not replace.</summary>
    private Task<PublishedObject> WriteAsync(Publication publication, NewObject target, CancellationToken cancellationToken)
        => publication.Condition.SendAsync(target, asked => RequestAsync(publication, asked, cancellationToken), cancellationToken);

    /// <summary>Request and outcome: sends the request until an attempt succeeds, and watches each.</summary>
    private Task<PublishedObject> RequestAsync(Publication publication, NewObject target, CancellationToken cancellationToken)
        => run.SendAsync(attempt => publication.Outcome.WatchAsync(publication.SendOnceAsync(target, attempt)), publication.Rules, cancellationToken);

    /// <summary>Lookup: finds the published object if it isn't known after an error whether it was published.</summary>
    /// <returns>Null if the error must be thrown.</returns>
    private async Task<PublishedObject?> FindAsync(AmbiguousAttempts outcome, WireException failure, PublishedContent content, CancellationToken cancellationToken)
    {
        if (!outcome.MayBeDone(failure))
        {
            return null;
        }

        PublishedLookup found = await content.FindAsync(run, request.Address, cancellationToken).ConfigureAwait(false);
        MayBePublished = !found.IsAnswered;
        return found.Object;
    }

    /// <summary>
    /// Returns whether the error can be that of a store that requires the checksums of the parts, but doesn't return them.
    /// </summary>
    private static bool IsMissingChecksum(WireException e) => e.ErrorCode is "InvalidPart" or "InvalidRequest" or "InvalidArgument";

    /// <summary>Gets the result of an earlier lookup of the target. It is too old if parts were sent since then, or several were copied.</summary>
    private ObjectPresence? PresenceFor(int parts) => request.IsStaged || (request.Copied is not null && parts == 1) ? request.Presence : null;

    private static string? Md5OfParts(ResumedUpload former) => Md5Tag.OfParts([.. former.Parts.OrderBy(static part => part.Key).Select(static part => part.Value.ETag)]);

    private PublishedContent GetContent(long length, ChecksumAlgorithm algorithm, string? checksum, string? md5, DateTimeOffset? began) => new()
    {
        LengthBytes = request.Copied?.Info.Length ?? length,
        Algorithm = request.Copied is { } copied ? copied.FullObjectChecksum?.Algorithm ?? ChecksumAlgorithm.None : algorithm,
        Checksum = request.Copied is { } source ? source.FullObjectChecksum?.Value : checksum,
        Md5 = md5,
        Headers = request.Target.Headers,
        Began = began,
    };

    /// <summary>One request that publishes the object, and the state of its layers.</summary>
    private sealed record Publication(ConditionalWrite Condition, RequestRules Rules, AmbiguousAttempts Outcome, Func<NewObject, RequestAttempt, Task<PublishedObject>> SendOnceAsync);
}
