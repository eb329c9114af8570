using System.Runtime.ExceptionServices;
using Transfer.S3.Concurrency;
using Transfer.S3.Integrity;
using Transfer.S3.Scheduling;
using Transfer.S3.Stores;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>Sends the requests of one upload: with retries, with a checksum that the store accepts, and with exceptions for the caller.</summary>
internal sealed class UploadCalls
{
    private readonly TransferRun _run;
    private readonly UploadRequest _request;
    private readonly bool _isChecksumOpen;
    private readonly AmbiguousAttempts _parts = new();

    // Replaced if the store rejects its checksum, perhaps by another part between two attempts of this one.
    private NewObject _target;

    public UploadCalls(TransferRun run, UploadRequest request)
    {
        _run = run;
        _request = request;
        _isChecksumOpen = request.Target.Checksum == ChecksumAlgorithm.Auto;
        _target = _isChecksumOpen ? request.Target with { Checksum = run.Client.Profile.Checksum } : request.Target;
    }

    /// <summary>Gets the algorithm of the checksums of new parts.</summary>
    public ChecksumAlgorithm Checksum => Volatile.Read(ref _target).Checksum;

    /// <summary>Gets a value that indicates whether the bodies of the requests are probably signed.</summary>
    public bool SignsBodies => _run.Client.Wire.SignsBodies(_request.Address.Bucket);

    /// <summary>
    /// Gets a value that indicates whether the object may have been published although the upload failed, because neither the response to its publication nor a lookup
    /// of the object shows that.
    /// </summary>
    public bool MayBePublished { get; private set; }

    /// <summary>Publishes the object with one request. The caller remains the owner of the part.</summary>
    public async Task<PublishedUpload> PutAsync(PartBody body, CancellationToken cancellationToken)
    {
        DateTimeOffset began = _run.Client.Time.GetUtcNow();
        AmbiguousAttempts unclear = new();
        ConditionalWrite write = new(_run, _request.Address, StoreTrait.PutCondition) { Presence = _request.Presence, Proves = _request.ProvesCondition };
        PublishedObject published;
        try
        {
            published = await WithChecksumAsync(
                target => write.SendAsync(
                    target,
                    asked => _run.SendAsync(
                        attempt => unclear.WatchAsync(() => SendBodyAsync(body, asked, attempt, content => _run.Client.Wire.PutObjectAsync(asked, content, attempt.Token))),
                        new RequestRules(RequestCost.First(body.Length)),
                        cancellationToken),
                    cancellationToken)).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            string? md5 = unclear.MayBeDone(e) ? body.ComputeMd5() : null; // for stores that keep no checksum
            PublishedContent content = GetContent(body.Length, body.Checksum.Algorithm, body.Checksum.ToBase64(), md5, began);
            published = await FindPublishedAsync(unclear, e, content, cancellationToken).ConfigureAwait(false)
                ?? throw Failures.OfPublishing(_request.Target, "upload the object", e);
        }

        body.CountSent(body.Length);
        _run.Reporter.Bytes.AddConfirmed(body.Length);
        return new PublishedUpload(published, Verdict(published, body.Checksum.Algorithm, body.Checksum.ToBase64()), 0);
    }

    /// <inheritdoc cref="MultipartCreate"/>
    public Task<string> CreateAsync(CancellationToken cancellationToken) => MultipartCreate.RunAsync(
        _run.Client,
        _request.Address,
        (unclear, underWay) => WithChecksumAsync(
            target => _run.SendAsync(
                attempt => unclear.WatchAsync(() => _run.Client.Wire.CreateMultipartUploadAsync(target, attempt.Token)), RequestRules.Lookup with { UnderWay = underWay }, cancellationToken)),
        cancellationToken);

    /// <summary>Sends one part. The caller remains the owner of the part.</summary>
    public async Task<UploadedPart> SendPartAsync(string uploadId, int number, PartBody body, CancellationToken cancellationToken)
    {
        try
        {
            UploadedPart part = await WithChecksumAsync(
                target => _run.SendAsync(
                    attempt => _parts.WatchAsync(
                        () => SendBodyAsync(body, target, attempt, content => _run.Client.Wire.UploadPartAsync(target, uploadId, number, content, attempt.Token))),
                    new RequestRules(RequestCost.Part(body.Length))
                    {
                        // The ETag of an encrypted part is different each time.
                        CanRepeat = target.Headers.Encryption is null or { Algorithm: "AES256" } && _request.Address.Access.CustomerKey is null,
                    },
                    cancellationToken)).ConfigureAwait(false);
            body.CountSent(body.Length);
            _run.Reporter.Bytes.AddPart(body.Length);
            return part;
        }
        catch (WireException e)
        {
            throw Failures.Create(_request.Address, $"upload part {number}", number, e);
        }
    }

    /// <summary>Lets the store copy one part.</summary>
    public async Task<UploadedPart> CopyPartAsync(string uploadId, int number, long offset, long length, CancellationToken cancellationToken)
    {
        CopySource source = _request.Copied!;
        try
        {
            UploadedPart part = await _run.SendAsync(
                token => _parts.WatchAsync(() => _run.Client.Wire.UploadPartCopyAsync(source, _request.Target, uploadId, number, offset, length, token)),
                cancellationToken,
                TransferDefaults.CompleteTimeout,
                RequestCost.Part(0)).ConfigureAwait(false);
            _run.Reporter.Bytes.Add(length);
            _run.Reporter.Bytes.AddPart(length);
            return part;
        }
        catch (WireException e)
        {
            throw Failures.OfCopying(source, _request.Address, number, e);
        }
    }

    /// <summary>Gets what the journal says of the content of a copy that is about to be published. Its source is known, so it doesn't have to be a checksum.</summary>
    public static string GetMark(CopySource source) => source.FullObjectChecksum?.Value ?? source.Info.ETag ?? string.Empty;

    /// <summary>Publishes the object from its parts.</summary>
    /// <param name="uploadId">The ID of the upload.</param>
    /// <param name="parts">The parts, in order.</param>
    /// <param name="bytes">The number of bytes in all parts.</param>
    /// <param name="checksum">The checksum of the object. The data of parts that the store copies isn't in it.</param>
    /// <param name="began">The time when the upload started; null if it isn't known.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The object, and whether the multipart upload can still be open because only the object shows that it was published.</returns>
    public async Task<(PublishedObject Object, bool MayBeOpen)> CompleteAsync(
        string uploadId, IReadOnlyList<UploadedPart> parts, long bytes, ObjectChecksum checksum, DateTimeOffset? began, CancellationToken cancellationToken)
    {
        NewObject target = Volatile.Read(ref _target) with { Checksum = checksum.Algorithm };
        AmbiguousAttempts unclear = new();

        // A store that returned the checksum of no part doesn't know them, and may reject a list of parts that contains them, as OpenStack Swift does.
        bool sendsChecksums = target.Checksum == ChecksumAlgorithm.None || parts.Any(static part => part.IsChecksumKnown);
        try
        {
            try
            {
                return (await CompleteAsync(sendsChecksums).ConfigureAwait(false), false);
            }
            catch (WireException e) when (sendsChecksums ? _isChecksumOpen && target.Checksum != ChecksumAlgorithm.None && Refusals.IsOfValue(e.StatusCode, e.ErrorCode) : IsMissingChecksum(e))
            {
                // The store accepted the checksums of the parts. Without one for the object, its response determines the verdict.
                return (await CompleteAsync(!sendsChecksums).ConfigureAwait(false), false);
            }
        }
        catch (WireException e)
        {
            // After a conflict, Amazon S3 requires a new upload (Amazon S3 API Reference, "CompleteMultipartUpload"), so the next attempt may not find this one.
            e.Hint ??= unclear.WasConflict ? ErrorKinds.GetHint(ErrorKinds.Conflict) : null;
            PublishedContent content = GetContent(bytes, checksum.Algorithm, checksum.Expected, Md5Tag.OfParts([.. parts.Select(static part => part.ETag)]), began);
            return await FindPublishedAsync(unclear, e, content, cancellationToken).ConfigureAwait(false) is { } found
                ? (found, e.ErrorCode != "NoSuchUpload")
                : throw Failures.OfPublishing(_request.Target, "complete the multipart upload", e);
        }

        Task<PublishedObject> CompleteAsync(bool withChecksums)
            => new ConditionalWrite(_run, _request.Address, StoreTrait.CompleteCondition) { Presence = PresenceFor(parts.Count) }.SendAsync(
                withChecksums ? target : target with { Checksum = ChecksumAlgorithm.None },
                sent => _run.SendAsync(
                    attempt => unclear.WatchAsync(
                        () => _run.Client.Wire.CompleteMultipartUploadAsync(sent, uploadId, parts, withChecksums ? checksum.FullObject : null, bytes, attempt.Token)),
                    RequestRules.Lookup with { Silence = TransferDefaults.CompleteTimeout },
                    cancellationToken),
                cancellationToken);
    }

    /// <summary>Lists the parts of an upload of an earlier run.</summary>
    /// <returns>Null if the upload doesn't exist anymore.</returns>
    public async Task<IReadOnlyDictionary<int, SentPart>?> ListPartsAsync(string uploadId, CancellationToken cancellationToken)
    {
        Dictionary<int, SentPart> parts = [];
        try
        {
            await foreach (Page<SentPart> page in Pages.ReadAsync<SentPart>(
                async (after, stopping) => await _run.SendAsync(attempt => _run.Client.Wire.ListPartsAsync(_request.Address, uploadId, after, attempt.Token), RequestRules.Lookup, stopping).ConfigureAwait(false),
                cancellationToken).ConfigureAwait(false))
            {
                foreach (SentPart part in page.Items)
                {
                    parts[part.Number] = part;
                }
            }

            return parts;
        }
        catch (WireException e) when (e.ErrorCode is "NoSuchUpload" or "NoSuchBucket")
        {
            return null; // any other 404 may mean that the endpoint does not support the request
        }
        catch (WireException e)
        {
            throw Failures.Create(_request.Address, "list the parts of an earlier upload", null, e);
        }
    }

    /// <summary>Uses the algorithm of an earlier run, unless the caller has chosen one.</summary>
    public void UseChecksum(ChecksumAlgorithm algorithm)
    {
        if (_isChecksumOpen)
        {
            _target = _target with { Checksum = algorithm };
        }
    }

    /// <summary>Finds the object that an earlier run was about to publish.</summary>
    /// <param name="former">The upload of the earlier run.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>Null if there is no object or another one.</returns>
    public async Task<PublishedUpload?> FindFormerAsync(ResumedUpload former, CancellationToken cancellationToken)
    {
        UploadHeader header = former.Header;
        PublishedContent content = GetContent(header.Bytes, header.Checksum, former.Completing, _request.Copied is null ? null : Md5OfParts(former), header.Begun);
        return (await content.FindAsync(_run, _request.Address, cancellationToken).ConfigureAwait(false)).Object is { } found
            ? new PublishedUpload(found, Verdict(found, header.Checksum, former.Completing), former.Parts.Count)
            : null;
    }

    /// <summary>Aborts the multipart upload.</summary>
    /// <returns>The error; null if there is none.</returns>
    public Task<Exception?> AbortAsync(string uploadId) => MultipartAbort.RunAsync(_run, _request.Address, uploadId, _parts.LostAnswer);

    /// <summary>Verifies the published object with the store's response.</summary>
    /// <exception cref="ChecksumMismatchException">Thrown when the content differs from the data that was sent.</exception>
    public ChecksumVerdict Verdict(PublishedObject published, ChecksumAlgorithm algorithm, string? expected)
    {
        if (expected is null)
        {
            return ChecksumVerdict.Unverified(algorithm == ChecksumAlgorithm.None && !_isChecksumOpen ? "checksums were turned off" : "the store accepts no checksum that the client can compute");
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
                $"{_request.Address}: the published object differs from the data that was sent. Its {stored.Algorithm.Name()} is {stored.Value}, but {expected} was sent.")
            {
                Bucket = _request.Address.Bucket,
                Key = _request.Address.Key,
                Algorithm = stored.Algorithm,
                Expected = expected,
                Actual = stored.Value,
            };
    }

    /// <summary>Sends a request with the data of a part.</summary>
    private static async Task<T> SendBodyAsync<T>(PartBody body, NewObject target, RequestAttempt attempt, Func<RequestBody, Task<T>> sendAsync)
    {
        using PartSend? send = attempt.BeginSend(body.Length);
        using PartReader bytes = body.OpenReader(send);
        try
        {
            body.UseChecksum(target.Checksum, bytes);
            T result = await sendAsync(
                new RequestBody(bytes, body.Checksum.ToBase64(), body.Sha256, attempt.Guard.TouchBody, attempt.Guard.Pace is { } pace ? pace.TakePieceAsync : null)).ConfigureAwait(false);
            if (send is not null)
            {
                attempt.Confirmed(send);
            }

            return result;
        }
        catch (Exception e) when (bytes.Failure is { } failure && e != failure)
        {
            ExceptionDispatchInfo.Throw(failure); // not an error of the store, although it ended the request
            throw;
        }
    }

    /// <summary>
    /// Returns whether the error can be that of a store that requires the checksums of the parts, but doesn't return them.
    /// </summary>
    private static bool IsMissingChecksum(WireException e) => e.ErrorCode is "InvalidPart" or "InvalidRequest" or "InvalidArgument";

    /// <summary>
    /// Sends a request with a checksum. If the caller hasn't chosen the algorithm and the store may have rejected it, the next one is tried. An algorithm that
    /// succeeds is remembered. If none succeeds, the checksum wasn't the cause, and the first error is thrown.
    /// </summary>
    private async Task<T> WithChecksumAsync<T>(Func<NewObject, Task<T>> sendAsync)
    {
        WireException? refusal = null;
        while (true)
        {
            NewObject target = Volatile.Read(ref _target);
            try
            {
                T result = await sendAsync(target).ConfigureAwait(false);
                if (refusal is not null)
                {
                    _run.Client.Profile.LearnChecksum(target.Checksum, refusal.Message);
                }

                return result;
            }
            catch (WireException e) when (_isChecksumOpen && Refusals.IsOfValue(e.StatusCode, e.ErrorCode))
            {
                refusal ??= e;
                if (Volatile.Read(ref _target) == target)
                {
                    ChecksumAlgorithm next = StoreProfile.After(target.Checksum) ?? throw refusal;
                    Interlocked.CompareExchange(ref _target, target with { Checksum = next }, target);
                }
            }
            catch (WireException e) when (!_isChecksumOpen && _request.Copied is null && Refusals.IsOfValue(e.StatusCode, e.ErrorCode) && ChecksumTable.Find(target.Checksum) is { } chosen)
            {
                e.Hint ??= $"if the store doesn't support {chosen.Name} checksums, use {nameof(UploadOptions.Checksum)} {nameof(ChecksumAlgorithm.Auto)}, which selects one that it supports";
                throw;
            }
            catch (WireException e) when (refusal is not null && e.Kind == FailureKind.Final)
            {
                throw refusal;
            }
        }
    }

    /// <summary>Gets the result of an earlier HEAD request for the target. It is too old if several parts were copied since then.</summary>
    private ObjectPresence? PresenceFor(int parts) => _request.Copied is not null && parts == 1 ? _request.Presence : null;

    private static string? Md5OfParts(ResumedUpload former) => Md5Tag.OfParts([.. former.Parts.OrderBy(static part => part.Key).Select(static part => part.Value.ETag)]);

    private PublishedContent GetContent(long length, ChecksumAlgorithm algorithm, string? checksum, string? md5, DateTimeOffset? began) => new()
    {
        LengthBytes = _request.Copied?.Info.Length ?? length,
        Algorithm = _request.Copied is { } copied ? copied.FullObjectChecksum?.Algorithm ?? ChecksumAlgorithm.None : algorithm,
        Checksum = _request.Copied is { } source ? source.FullObjectChecksum?.Value : checksum,
        Md5 = md5,
        Headers = _request.Target.Headers,
        Began = began,
    };

    /// <summary>Finds the published object if it isn't known after an error whether it was published.</summary>
    /// <returns>Null if the error must be thrown.</returns>
    private async Task<PublishedObject?> FindPublishedAsync(AmbiguousAttempts unclear, WireException failure, PublishedContent content, CancellationToken cancellationToken)
    {
        if (!unclear.MayBeDone(failure))
        {
            return null;
        }

        PublishedLookup found = await content.FindAsync(_run, _request.Address, cancellationToken).ConfigureAwait(false);
        MayBePublished = !found.IsAnswered;
        return found.Object;
    }
}
