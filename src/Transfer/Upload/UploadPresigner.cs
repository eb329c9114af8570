using System.Globalization;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>The server's side of an upload whose parts somebody else sends: it creates the upload, signs its parts, and publishes what it has checked.</summary>
internal sealed class UploadPresigner(TransferRun run, UploadRequest request)
{
    /// <summary>The limits of Signature Version 4 (Amazon S3 User Guide, "Sharing objects with presigned URLs").</summary>
    public static readonly TimeSpan MinLifetime = TimeSpan.FromSeconds(1);

    public static readonly TimeSpan MaxLifetime = TimeSpan.FromDays(7);

    private readonly UploadCalls _calls = new(run, request);

    private ChecksumAlgorithm Checksum => request.Target.Checksum;

    /// <summary>Creates the multipart upload, and signs its parts.</summary>
    public async Task<PresignedUpload> CreateAsync(long length, UploadOptions options, TimeSpan lifetime, CancellationToken cancellationToken)
    {
        UploadPlan plan = UploadPlan.ForLength(length, request.PartSizeBytes, request.MaxParts);
        request.CheckHolds(plan, length);
        DateTimeOffset created = run.Client.Time.GetUtcNow();
        PresignedUpload upload = new()
        {
            Bucket = request.Address.Bucket,
            Key = request.Address.Key,
            UploadId = await _calls.CreateAsync(cancellationToken).ConfigureAwait(false),
            Length = length,
            PartSizeBytes = plan.PartSizeBytes,
            Created = created,
            Lifetime = lifetime,
            Options = options with { Checksum = Checksum, PartSizeBytes = null, Length = null },
        };
        try
        {
            return upload with { Parts = await SignAsync(upload, Enumerable.Range(1, upload.PartCount), cancellationToken).ConfigureAwait(false) };
        }
        catch (Exception e)
        {
            throw Failures.WithCleanup(e, await _calls.AbortAsync(upload.UploadId).ConfigureAwait(false));
        }
    }

    /// <summary>Signs the parts that the store doesn't have yet.</summary>
    public async Task<PresignedUpload> SignMissingAsync(PresignedUpload upload, CancellationToken cancellationToken)
    {
        IReadOnlyDictionary<int, SentPart> sent = await _calls.ListPartsAsync(upload.UploadId, cancellationToken).ConfigureAwait(false) ?? throw NotFound(upload);
        return upload with { Parts = await SignAsync(upload, Missing(upload, sent), cancellationToken).ConfigureAwait(false) };
    }

    /// <summary>Signs one part.</summary>
    /// <param name="upload">The upload.</param>
    /// <param name="number">The number of the part.</param>
    /// <param name="checksum">The checksum that the part must have; null if the upload has no algorithm.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<PresignedPart> SignAsync(PresignedUpload upload, int number, string? checksum, CancellationToken cancellationToken)
    {
        PresignedPart part = upload.GetPart(number);
        PresignedUrl url = await run.PresignAsync(
            new PresignedRequest(HttpMethod.Put, request.Address, upload.Lifetime)
            {
                UploadId = upload.UploadId,
                PartNumber = number,
                LengthBytes = part.Length,
                Checksum = checksum is null ? null : (Checksum.HeaderName(), checksum),
            },
            cancellationToken).ConfigureAwait(false);
        return part with { Url = url.Url, Headers = url.Headers, Expires = run.Client.Time.GetUtcNow() + upload.Lifetime };
    }

    /// <summary>Publishes the object if all parts are there with the sizes that were signed, and if they have the checksum.</summary>
    /// <param name="upload">The upload.</param>
    /// <param name="expected">The checksum that the object must have; null for any.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<PublishedUpload> CompleteAsync(PresignedUpload upload, string? expected, CancellationToken cancellationToken)
    {
        if (await _calls.ListPartsAsync(upload.UploadId, cancellationToken).ConfigureAwait(false) is not { } sent)
        {
            return expected is not null && await _calls.Publisher.FindCompletedAsync(upload, Checksum, expected, cancellationToken).ConfigureAwait(false) is { } earlier ? earlier : throw NotFound(upload);
        }

        int[] missing = [.. Missing(upload, sent)];
        if (missing.Length > 0)
        {
            throw new TransferException($"{request.Address} was not published: {Describe(missing, upload.PartCount)}.")
            {
                Error = TransferError.UploadIncomplete,
                Bucket = upload.Bucket,
                Key = upload.Key,
                PartNumber = missing[0],
            };
        }

        SentPart[] parts = [.. Enumerable.Range(1, upload.PartCount).Select(number => sent[number])];
        ObjectChecksum checksum = Combine(parts);
        if (expected is not null && checksum.Expected != expected)
        {
            throw await RejectAsync(upload, expected, checksum.Expected).ConfigureAwait(false);
        }

        // A part that is sent again after it was listed has another ETag, and the store refuses the list.
        UploadedPart[] completed = [.. parts.Select(part => new UploadedPart(part.Number, part.ETag!, Value(part)) { IsChecksumKnown = Value(part) is not null })];
        (PublishedObject published, _) = await _calls.Publisher.CompleteAsync(new StagedUpload(upload.UploadId, completed, upload.Length, upload.Created).With(checksum), cancellationToken).ConfigureAwait(false);
        ChecksumVerdict verdict = Checksum == ChecksumAlgorithm.None ? ChecksumVerdict.Unverified("the parts were sent without checksums")
            : _calls.Publisher.Verdict(published, Checksum, checksum.Expected);
        return new PublishedUpload(published, verdict, completed.Length);
    }

    /// <summary>Aborts the upload.</summary>
    public async Task AbortAsync(string uploadId)
    {
        // A part that somebody still sends can be stored after the first request.
        if (await MultipartAbort.RunAsync(run, request.Address, uploadId, partsMayLand: true).ConfigureAwait(false) is { } error)
        {
            throw error;
        }
    }

    private async Task<IReadOnlyList<PresignedPart>> SignAsync(PresignedUpload upload, IEnumerable<int> numbers, CancellationToken cancellationToken)
    {
        List<PresignedPart> parts = [];
        foreach (int number in numbers)
        {
            parts.Add(Checksum == ChecksumAlgorithm.None ? await SignAsync(upload, number, null, cancellationToken).ConfigureAwait(false) : upload.GetPart(number));
        }

        return parts;
    }

    private static IEnumerable<int> Missing(PresignedUpload upload, IReadOnlyDictionary<int, SentPart> sent)
        => Enumerable.Range(1, upload.PartCount).Where(number => !(sent.TryGetValue(number, out SentPart? part) && part.LengthBytes == upload.GetPart(number).Length && part.ETag is { Length: > 0 }));

    private static string Describe(int[] missing, int count)
    {
        const int Named = 5;
        string numbers = string.Join(", ", missing.Take(Named)) + (missing.Length > Named ? ", ..." : string.Empty);
        return string.Create(CultureInfo.InvariantCulture, $"{missing.Length} of {count} parts are missing or have another length ({numbers})");
    }

    private string? Value(SentPart part) => part.Checksum is { } stored && stored.Algorithm == Checksum ? stored.Value : null;

    /// <summary>Combines the checksums of the parts, which the store has compared with their content.</summary>
    private ObjectChecksum Combine(SentPart[] parts)
    {
        ObjectChecksum checksum = new();
        foreach (SentPart part in parts)
        {
            if (PartChecksum.TryParse(Checksum, Value(part), part.LengthBytes) is not { } value)
            {
                return new ObjectChecksum();
            }

            checksum.Add(value);
        }

        return checksum;
    }

    /// <summary>
    /// Creates the error for content that isn't known to be what was expected. The upload is aborted if it is something else, because only sending all parts again could mend
    /// that. It stays open if the store doesn't tell.
    /// </summary>
    private async Task<Exception> RejectAsync(PresignedUpload upload, string expected, string? actual)
    {
        if (actual is null)
        {
            return new TransferException($"{request.Address} was not published: the store doesn't list the {Checksum.Name()} of each part, so the content can't be compared with {expected}.")
            {
                Bucket = upload.Bucket,
                Key = upload.Key,
            };
        }

        ChecksumMismatchException error = new($"{request.Address} was not published: the {Checksum.Name()} of its parts is {actual}, but {expected} was expected.")
        {
            Bucket = upload.Bucket,
            Key = upload.Key,
            Algorithm = Checksum,
            Expected = expected,
            Actual = actual,
        };
        return Failures.WithCleanup(error, await _calls.AbortAsync(upload.UploadId).ConfigureAwait(false));
    }

    private TransferException NotFound(PresignedUpload upload) => new($"{request.Address}: there is no such upload; it was completed or aborted.")
    {
        Error = TransferError.UploadNotFound,
        Bucket = upload.Bucket,
        Key = upload.Key,
    };
}
