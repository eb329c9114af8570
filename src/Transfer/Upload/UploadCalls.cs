using System.Net;
using Transfer.Integrity;
using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>The calls that one upload makes: with their retries, with the checksum that the store takes, and with what their failures mean to its caller.</summary>
internal sealed class UploadCalls
{
    private readonly ClientContext _context;
    private readonly UploadRequest _request;
    private readonly TransferReporter _reporter;
    private readonly bool _isChecksumOpen;

    // Replaced where the store refuses its checksum: by another part perhaps, between two attempts of this one.
    private NewObject _target;

    public UploadCalls(ClientContext context, UploadRequest request, TransferReporter reporter)
    {
        _context = context;
        _request = request;
        _reporter = reporter;
        _isChecksumOpen = request.Target.Checksum == ChecksumAlgorithm.Auto;
        _target = _isChecksumOpen ? request.Target with { Checksum = context.Checksums.Current } : request.Target;
    }

    /// <summary>The checksum that a part is to have.</summary>
    public ChecksumAlgorithm Checksum => Volatile.Read(ref _target).Checksum;

    /// <summary>Publishes the object in one request. The body stays the caller's.</summary>
    public async Task<PublishedUpload> PutAsync(PartBody body, CancellationToken cancellationToken)
    {
        UnclearAttempts unclear = new();
        PublishedObject published;
        try
        {
            published = await WithChecksumAsync(
                target => SendAsync(
                    guard => unclear.WatchAsync(() => _context.Wire.PutObjectAsync(target, Content(body, target, guard), guard.Token)), cancellationToken)).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            published = await FindPublishedAsync(unclear, e, body.Checksum.Algorithm, body.Checksum.ToBase64(), body.Length, cancellationToken).ConfigureAwait(false)
                ?? throw Failures.OfPublishing(_request.Target, "upload", e);
        }

        _reporter.AddBytes(body.Length);
        return new PublishedUpload(published, Verdict(published, body.Checksum.Algorithm, body.Checksum.ToBase64()), 0);
    }

    /// <inheritdoc cref="MultipartCreate"/>
    public Task<string> CreateAsync(CancellationToken cancellationToken) => MultipartCreate.RunAsync(
        _context,
        _request.Address,
        (unclear, underWay) => WithChecksumAsync(
            target => SendAsync(
                guard => unclear.WatchAsync(() => _context.Wire.CreateMultipartUploadAsync(target, guard.Token)), cancellationToken, underWay: underWay)),
        cancellationToken);

    /// <summary>Sends one part. The body stays the caller's.</summary>
    public async Task<UploadedPart> SendPartAsync(string uploadId, int number, PartBody body, CancellationToken cancellationToken)
    {
        try
        {
            UploadedPart part = await WithChecksumAsync(
                target => SendAsync(
                    guard => _context.Wire.UploadPartAsync(target, uploadId, number, Content(body, target, guard), guard.Token), cancellationToken)).ConfigureAwait(false);
            _reporter.AddBytes(body.Length);
            _reporter.AddPart();
            return part;
        }
        catch (WireException e)
        {
            throw Failures.Of(_request.Address, $"part {number}", number, e);
        }
    }

    /// <summary>Publishes the object from its parts.</summary>
    public async Task<PublishedObject> CompleteAsync(string uploadId, IReadOnlyList<UploadedPart> parts, ObjectChecksum checksum, CancellationToken cancellationToken)
    {
        NewObject target = Volatile.Read(ref _target) with { Checksum = checksum.Algorithm };
        UnclearAttempts unclear = new();
        try
        {
            try
            {
                return await CompleteAsync(target, checksum.FullObject).ConfigureAwait(false);
            }
            catch (WireException e) when (_isChecksumOpen && target.Checksum != ChecksumAlgorithm.None && IsRefusal(e))
            {
                // It took the parts with theirs. Without one here, the verdict is what its answer allows.
                return await CompleteAsync(target with { Checksum = ChecksumAlgorithm.None }, null).ConfigureAwait(false);
            }
        }
        catch (WireException e)
        {
            return await FindPublishedAsync(unclear, e, checksum.Algorithm, checksum.Expected, checksum.Length, cancellationToken).ConfigureAwait(false)
                ?? throw Failures.OfPublishing(_request.Target, "complete the multipart upload", e);
        }

        Task<PublishedObject> CompleteAsync(NewObject asked, string? fullObject) => SendAsync(
            guard => unclear.WatchAsync(() => _context.Wire.CompleteMultipartUploadAsync(asked, uploadId, parts, fullObject, guard.Token)),
            cancellationToken,
            TransferDefaults.CompleteTimeout);
    }

    /// <summary>Asks which parts the store has of an upload that an earlier run began.</summary>
    /// <returns>Null where the upload is gone; nothing where the store does not tell.</returns>
    public async Task<IReadOnlyDictionary<int, SentPart>?> ListPartsAsync(string uploadId, CancellationToken cancellationToken)
    {
        Dictionary<int, SentPart> parts = [];
        try
        {
            int? after = 0;
            while (after is { } last)
            {
                SentPartPage page = await SendAsync(guard => _context.Wire.ListPartsAsync(_request.Address, uploadId, last, guard.Token), cancellationToken).ConfigureAwait(false);
                foreach (SentPart part in page.Parts)
                {
                    parts[part.Number] = part;
                }

                after = page.Next;
            }

            return parts;
        }
        catch (WireException e) when (e.StatusCode == HttpStatusCode.NotFound)
        {
            return null;
        }
        catch (WireException e)
        {
            throw Failures.Of(_request.Address, "list the parts that an earlier upload sent", null, e);
        }
    }

    /// <summary>Has the checksum that an earlier run had, where nobody has chosen another one.</summary>
    public void UseChecksum(ChecksumAlgorithm algorithm)
    {
        if (_isChecksumOpen)
        {
            _target = _target with { Checksum = algorithm };
        }
    }

    /// <summary>Finds the object that an earlier run was about to publish.</summary>
    /// <returns>Null where it is not what is there.</returns>
    public async Task<PublishedUpload?> FindFormerAsync(ChecksumAlgorithm algorithm, string checksum, long length, int parts, CancellationToken cancellationToken)
        => await FindAsync(algorithm, checksum, length, cancellationToken).ConfigureAwait(false) is { } found
            ? new PublishedUpload(found, Verdict(found, algorithm, checksum), parts)
            : null;

    /// <summary>Ends the multipart upload.</summary>
    /// <returns>What went wrong with that; null where nothing did.</returns>
    public Task<Exception?> AbortAsync(string uploadId) => MultipartAbort.RunAsync(_context, _request.Address, uploadId, _reporter);

    /// <summary>What the store's answer says about the content that was published.</summary>
    /// <exception cref="ChecksumMismatchException">It is another one than was sent.</exception>
    public ChecksumVerdict Verdict(PublishedObject published, ChecksumAlgorithm algorithm, string? expected)
    {
        if (expected is null)
        {
            return ChecksumVerdict.Unverified(algorithm == ChecksumAlgorithm.None && !_isChecksumOpen ? "no checksum was asked for" : "the store takes no checksum of ours");
        }

        if (algorithm == ChecksumAlgorithm.Md5)
        {
            // Another tag proves nothing: that of an encrypted object is made of something else.
            return Md5Tag.Matches(published.ETag, expected)
                ? ChecksumVerdict.Verified(algorithm, expected)
                : ChecksumVerdict.Unverified("the store's ETag is not made of MD5s", algorithm, expected);
        }

        if (published.Checksum is not { } stored || stored.Algorithm != algorithm)
        {
            return ChecksumVerdict.Unverified("the store did not confirm the checksum that it was sent", algorithm, expected);
        }

        return stored.Value == expected
            ? ChecksumVerdict.Verified(stored.Algorithm, expected)
            : throw new ChecksumMismatchException(
                $"{_request.Address}: the object was published with another content than was sent. Its {stored.Algorithm.Name()} is {stored.Value}, and {expected} was sent.")
            {
                Bucket = _request.Address.Bucket,
                Key = _request.Address.Key,
                Algorithm = stored.Algorithm,
                Expected = expected,
                Actual = stored.Value,
            };
    }

    private static RequestBody Content(PartBody body, NewObject target, StallGuard guard)
    {
        body.UseChecksum(target.Checksum);
        return new RequestBody(body.AsSequence(), body.Checksum.ToBase64(), guard.Touch);
    }

    /// <summary>What stores answer that do not know a header, or one of its values.</summary>
    private static bool IsRefusal(WireException e)
        => (int?)e.StatusCode is 400 or 501 && e.ErrorCode is "NotImplemented" or "InvalidArgument" or "InvalidRequest" or "UnsupportedHeader" or "InvalidDigest";

    private Task<T> SendAsync<T>(
        Func<StallGuard, Task<T>> send, CancellationToken cancellationToken, TimeSpan? silence = null, CancellationToken? underWay = null)
        => _context.Scheduler.SendGuardedAsync(send, _reporter, cancellationToken, silence, underWay);

    /// <summary>
    /// Sends a request that names a checksum. Where nobody has chosen it and the store may have refused it, the next one is tried; a store that takes that
    /// is remembered, and where none helps it was something else that was wrong: the first refusal is what is thrown.
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
                if (refusal is not null && _context.Checksums.Settle(target.Checksum))
                {
                    Log.ChecksumRefused(_context.Logger, refusal.Message, target.Checksum);
                }

                return result;
            }
            catch (WireException e) when (_isChecksumOpen && IsRefusal(e))
            {
                refusal ??= e;
                if (Volatile.Read(ref _target) == target)
                {
                    ChecksumAlgorithm next = ChecksumPreference.After(target.Checksum) ?? throw refusal;
                    Interlocked.CompareExchange(ref _target, target with { Checksum = next }, target);
                }
            }
            catch (WireException e) when (refusal is not null && e.Kind == FailureKind.Final)
            {
                throw refusal;
            }
        }
    }

    /// <summary>
    /// Finds out what a publishing request has done whose answer does not say it: the object under the key, if it is the one that was uploaded here, of
    /// its length and its checksum.
    /// </summary>
    /// <returns>Null where it is another one, or none, or nothing had to be found out: then the failure stands.</returns>
    private async Task<PublishedObject?> FindPublishedAsync(
        UnclearAttempts unclear, WireException failure, ChecksumAlgorithm algorithm, string? expected, long length, CancellationToken cancellationToken)
    {
        // An answer that was lost looks like this to the next attempt, to one of the SDK's own too: the upload is gone because it is done.
        bool mayBeOurs = unclear.Any || failure.ErrorCode == "NoSuchUpload";
        return mayBeOurs && expected is not null ? await FindAsync(algorithm, expected, length, cancellationToken).ConfigureAwait(false) : null;
    }

    /// <summary>Reads what is under the key, if it is of this length and checksum.</summary>
    private async Task<PublishedObject?> FindAsync(ChecksumAlgorithm algorithm, string expected, long length, CancellationToken cancellationToken)
    {
        try
        {
            ObjectInfo found = await SendAsync(guard => _context.Wire.HeadAsync(_request.Address, guard.Token), cancellationToken).ConfigureAwait(false);
            bool isOurs = algorithm == ChecksumAlgorithm.Md5
                ? Md5Tag.Matches(found.ETag, expected)
                : found.Checksum is { } stored && stored.Algorithm == algorithm && stored.Value == expected;
            return found.Length == length && isOurs ? new PublishedObject(found.ETag, found.VersionId, found.Checksum) : null;
        }
        catch (WireException)
        {
            return null; // not to be told apart: the first failure stands
        }
    }
}
