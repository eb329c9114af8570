using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3;

public sealed partial class TransferClient
{
    private static readonly TimeSpan UsualLifetime = TimeSpan.FromHours(1);

    /// <inheritdoc/>
    public async Task<PresignedUpload> PresignUploadAsync(
        string bucket, string key, long length, UploadOptions? options = null, TimeSpan? lifetime = null, CancellationToken cancellationToken = default)
    {
        options ??= DefaultUpload;
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        if (options.Length is { } stated && stated != length)
        {
            throw new ArgumentException($"{nameof(options.Length)} is {stated}, and {nameof(length)} is {length}; omit it, or use the same number.", nameof(options));
        }

        long? partSize = options.PartSizeBytes is { } size ? ClientSettings.UploadPartSize(nameof(options.PartSizeBytes), size) : null;
        UploadRequest request = CheckPresigned(bucket, key, options, lifetime ?? UsualLifetime, cancellationToken);
        request = request with { PartSizeBytes = partSize ?? request.PartSizeBytes };
        return await _context.BeginCounting(bucket, key).RunAsync(
            (run, token) => new UploadPresigner(run, request).CreateAsync(length, options, lifetime ?? UsualLifetime, token), cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public Task<PresignedUpload> PresignMissingPartsAsync(PresignedUpload upload, CancellationToken cancellationToken = default)
        => PresignAsync(upload, (presigner, token) => presigner.SignMissingAsync(upload, token), cancellationToken);

    /// <inheritdoc/>
    public Task<PresignedPart> PresignPartAsync(PresignedUpload upload, int number, string? checksum = null, CancellationToken cancellationToken = default)
    {
        CheckPresigned(upload, cancellationToken);
        OptionGuard.Number(nameof(number), number, 1, upload.PartCount);
        CheckChecksum(upload, checksum, upload.GetPart(number).Length);
        if (checksum is null && upload.Options.Checksum != ChecksumAlgorithm.None)
        {
            throw new ArgumentException($"{nameof(checksum)} is null; it must be the {upload.Options.Checksum.Name()} of part {number}, because the upload was created with it.", nameof(checksum));
        }

        return PresignAsync(upload, (presigner, token) => presigner.SignAsync(upload, number, checksum, token), cancellationToken);
    }

    /// <inheritdoc/>
    public Task<UploadResult> CompleteUploadAsync(PresignedUpload upload, string? checksum = null, CancellationToken cancellationToken = default)
    {
        CheckPresigned(upload, cancellationToken);
        if (checksum is not null && upload.Options.Checksum == ChecksumAlgorithm.None)
        {
            throw new ArgumentException(
                $"{nameof(checksum)} is '{checksum}', but the upload was created without an algorithm. The store would publish it with any checksum. Set {nameof(UploadOptions)}.{nameof(UploadOptions.Checksum)}.",
                nameof(checksum));
        }

        return PresignAsync(
            upload,
            async (presigner, run, token) => (await presigner.CompleteAsync(upload, checksum, token).ConfigureAwait(false)).ToResult(run.Reporter),
            cancellationToken);
    }

    /// <inheritdoc/>
    public Task AbortUploadAsync(PresignedUpload upload, CancellationToken cancellationToken = default) => PresignAsync(
        upload,
        async (presigner, _) =>
        {
            await presigner.AbortAsync(upload.UploadId).ConfigureAwait(false);
            return true;
        },
        cancellationToken);

    /// <inheritdoc/>
    public async Task<Uri> PresignDownloadAsync(string bucket, string key, PresignDownloadOptions? options = null, CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        options ??= new PresignDownloadOptions();
        ObjectAddress address = GetAddress(bucket, key, new ObjectAccessOptions { VersionId = options.VersionId });
        CheckPresignedKey(key);
        OptionGuard.Time(nameof(options.Lifetime), options.Lifetime, UploadPresigner.MinLifetime, UploadPresigner.MaxLifetime);
        if (_context.Settings.Wire.ExpectedBucketOwner is not null)
        {
            throw new InvalidOperationException($"{nameof(TransferClientOptions.ExpectedBucketOwner)} is set, but a browser that opens the URL can't send the header that checks the owner. Use a client without the option.");
        }

        PresignedRequest request = new(HttpMethod.Get, address, options.Lifetime) { ContentDisposition = options.ContentDisposition, ContentType = options.ContentType };
        PresignedUrl url = await _context.BeginCounting(bucket, key).RunAsync((run, token) => run.PresignAsync(request, token), cancellationToken).ConfigureAwait(false);
        return url.Url;
    }

    private Task<T> PresignAsync<T>(PresignedUpload upload, Func<UploadPresigner, CancellationToken, Task<T>> body, CancellationToken cancellationToken)
        => PresignAsync(upload, (presigner, _, token) => body(presigner, token), cancellationToken);

    private async Task<T> PresignAsync<T>(PresignedUpload upload, Func<UploadPresigner, TransferRun, CancellationToken, Task<T>> body, CancellationToken cancellationToken)
    {
        UploadRequest request = CheckPresigned(upload, cancellationToken);
        return await _context.BeginCounting(upload.Bucket, upload.Key)
            .RunAsync((run, token) => body(new UploadPresigner(run, request), run, token), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Checks an upload that a caller has kept, because it can be damaged.</summary>
    private UploadRequest CheckPresigned(PresignedUpload upload, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(upload);
        ArgumentException.ThrowIfNullOrEmpty(upload.UploadId);
        OptionGuard.Size(nameof(upload.Length), upload.Length, 0, long.MaxValue);
        ClientSettings.UploadPartSize(nameof(upload.PartSizeBytes), upload.PartSizeBytes);
        OptionGuard.Number(nameof(upload.PartCount), upload.PartCount, 1, TransferDefaults.MaxParts);
        return CheckPresigned(upload.Bucket, upload.Key, upload.Options, upload.Lifetime, cancellationToken);
    }

    /// <summary>Checks the options of an upload whose parts somebody else sends.</summary>
    private UploadRequest CheckPresigned(string bucket, string key, UploadOptions options, TimeSpan lifetime, CancellationToken cancellationToken)
    {
        // Without an algorithm of the caller, none is declared: a store that keeps one then refuses parts without it.
        ChecksumAlgorithm algorithm = options.Checksum == ChecksumAlgorithm.Auto ? ChecksumAlgorithm.None : options.Checksum;
        UploadRequest request = Check(bucket, key, options with { Checksum = algorithm, PartSizeBytes = null }, cancellationToken);
        CheckPresignedKey(key);
        OptionGuard.Time(nameof(lifetime), lifetime, UploadPresigner.MinLifetime, UploadPresigner.MaxLifetime);
        if (options.CustomerKey is not null)
        {
            throw new ArgumentException($"{nameof(options.CustomerKey)} is set, but whoever sends the parts would need the key. Use {nameof(options.Encryption)}.", nameof(options));
        }

        return algorithm == ChecksumAlgorithm.None || ChecksumTable.Find(algorithm) is { S3Name: not null }
            ? request
            : throw new ArgumentOutOfRangeException(nameof(options), algorithm, $"{nameof(options.Checksum)} is {algorithm}; it must be an algorithm that stores keep a checksum of.");
    }

    private static void CheckPresignedKey(string key)
    {
        if (key.Split('/').Any(static segment => segment is "." or ".."))
        {
            throw new ArgumentException($"'{key}' has a segment that is '.' or '..', which browsers remove from a URL. Use another key.", nameof(key));
        }
    }

    private static void CheckChecksum(PresignedUpload upload, string? checksum, long length)
    {
        if (checksum is null)
        {
            return;
        }

        ChecksumAlgorithm algorithm = upload.Options.Checksum;
        if (algorithm == ChecksumAlgorithm.None)
        {
            throw new ArgumentException($"{nameof(checksum)} is '{checksum}', but the upload was created without an algorithm. Set {nameof(UploadOptions)}.{nameof(UploadOptions.Checksum)}.", nameof(checksum));
        }

        if (PartChecksum.TryParse(algorithm, checksum, length) is null)
        {
            throw new ArgumentException($"{nameof(checksum)} is '{checksum}'; it must be a {algorithm.Name()} in base64, which has {ChecksumTable.Find(algorithm)!.Bytes} bytes.", nameof(checksum));
        }
    }
}
