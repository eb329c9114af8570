using Transfer.S3.Concurrency;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>Sends the requests of one multipart upload, with exceptions for the caller. <see cref="ObjectPublisher"/> sends those that publish the object.</summary>
internal sealed class UploadCalls
{
    private readonly TransferRun _run;
    private readonly UploadRequest _request;
    private readonly AmbiguousAttempts _parts = new();
    private readonly bool _isStaged;

    public UploadCalls(TransferRun run, UploadRequest request)
    {
        _run = run;
        _request = request;
        _isStaged = run.Uploads is { TakesUploads: true };
        Checksums = new ChecksumFallback(run, request);
        Publisher = new ObjectPublisher(run, request, Checksums);
    }

    /// <summary>Gets what publishes the object.</summary>
    public ObjectPublisher Publisher { get; }

    /// <summary>Gets what selects a checksum that the store accepts.</summary>
    public ChecksumFallback Checksums { get; }

    /// <summary>Gets the algorithm of the checksums of new parts.</summary>
    public ChecksumAlgorithm Checksum => Checksums.Target.Checksum;

    /// <summary>Gets a value that indicates whether the bodies of the requests are probably signed.</summary>
    public bool SignsBodies => _run.Client.Wire.SignsBodies(_request.Address.Bucket);

    /// <inheritdoc cref="MultipartCreate"/>
    public Task<string> CreateAsync(CancellationToken cancellationToken) => MultipartCreate.RunAsync(
        _run.Client,
        _request.Address,
        (unclear, underWay) => Checksums.SendAsync(
            target => _run.SendAsync(
                attempt => unclear.WatchAsync(_run.Client.Wire.CreateMultipartUploadAsync(target, attempt.Token)), RequestRules.Lookup with { Cost = _isStaged ? RequestCost.OfSmallObject : RequestCost.Lookup, UnderWay = underWay }, cancellationToken)),
        cancellationToken);

    /// <summary>Sends one part. The caller remains the owner of the part.</summary>
    public async Task<UploadedPart> SendPartAsync(string uploadId, int number, PartBody body, CancellationToken cancellationToken)
    {
        try
        {
            UploadedPart part = await Checksums.SendAsync(
                target => _run.SendAsync(
                    attempt => _parts.WatchAsync(
                        body.SendAsync(target.Checksum, attempt, content => _run.Client.Wire.UploadPartAsync(target, uploadId, number, content, attempt.Token))),
                    new RequestRules(_isStaged && body.Length <= RequestCost.SmallBytes ? RequestCost.First(body.Length) : RequestCost.Part(body.Length))
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
        UploadedPart part = await CopyPartAsync(_request.Copied!, uploadId, number, offset, length, cancellationToken).ConfigureAwait(false);
        _run.Reporter.Bytes.Add(length);
        _run.Reporter.Bytes.AddPart(length);
        return part;
    }

    /// <summary>Lets the store copy one part of the object that is replaced.</summary>
    /// <exception cref="ChecksumMismatchException">Thrown when the store has copied other data than the source has.</exception>
    public async Task<UploadedPart> ReusePartAsync(string uploadId, int number, long offset, long length, string? checksum, CancellationToken cancellationToken)
    {
        UploadedPart part = await CopyPartAsync(_request.Reused!.Source, uploadId, number, offset, length, cancellationToken).ConfigureAwait(false);
        if (Checksum == ChecksumAlgorithm.ContentMd5 && !Md5Tag.Matches(part.ETag, checksum!))
        {
            // Nothing else would show what was copied.
            throw Failures.Create(_request.Address, $"copy part {number}", number, new WireException(FailureKind.Final, "the store does not tell the MD5 of the copied part"));
        }

        return part.Checksum is null || part.Checksum == checksum
            ? new UploadedPart(number, part.ETag, checksum) { IsChecksumKnown = part.Checksum is not null }
            : throw new ChecksumMismatchException($"{_request.Address}: part {number} was copied from the existing object, and differs from the source. Its {Checksum.Name()} is {part.Checksum}, but {checksum} was expected.")
            {
                Bucket = _request.Address.Bucket,
                Key = _request.Address.Key,
                PartNumber = number,
                Algorithm = Checksum,
                Expected = checksum,
                Actual = part.Checksum,
            };
    }

    private async Task<UploadedPart> CopyPartAsync(CopySource source, string uploadId, int number, long offset, long length, CancellationToken cancellationToken)
    {
        try
        {
            return await _run.SendAsync(
                token => _parts.WatchAsync(_run.Client.Wire.UploadPartCopyAsync(source, Checksums.Target, uploadId, number, offset, length, token)),
                cancellationToken,
                TransferDefaults.CompleteTimeout,
                _isStaged ? RequestCost.OfSmallObject : RequestCost.Part(0)).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            throw Failures.OfCopying(source, _request.Address, number, e);
        }
    }

    /// <summary>Gets what the journal says of the content of a copy that is about to be published. Its source is known, so it doesn't have to be a checksum.</summary>
    public static string GetMark(CopySource source) => source.FullObjectChecksum?.Value ?? source.Info.ETag ?? string.Empty;

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

    /// <summary>Aborts the multipart upload.</summary>
    /// <returns>The error; null if there is none.</returns>
    public Task<Exception?> AbortAsync(string uploadId) => MultipartAbort.RunAsync(_run, _request.Address, uploadId, _parts.LostAnswer);
}
