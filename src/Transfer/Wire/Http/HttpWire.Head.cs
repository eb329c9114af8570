using System.Globalization;

namespace Transfer.Wire.Http;

internal sealed partial class HttpWire
{
    public Task<ObjectInfo> HeadAsync(ObjectAddress address, CancellationToken cancellationToken)
        => HeadAsync(address, response => InfoOf(response, address), cancellationToken);

    public Task<StoredParts?> GetStoredPartsAsync(ObjectAddress address, CancellationToken cancellationToken) => HeadAsync(
        address,
        static response => StoredParts.Of(S3ResponseHeaders.Content(response, "Content-Range"), PartsCount(response)),
        cancellationToken,
        partNumber: 1);

    public Task<StoredPart?> HeadPartAsync(ObjectAddress address, int partNumber, string? etag, CancellationToken cancellationToken) => HeadAsync(
        address,
        response => StoredPart.Of(S3ResponseHeaders.Content(response, "Content-Range"), PartsCount(response), S3ResponseHeaders.Get(response, "ETag"), etag),
        cancellationToken,
        partNumber,
        etag);

    /// <summary>
    /// Gets the headers of an object, or of one part with <paramref name="partNumber"/>. With <paramref name="etag"/>, the object must still have this ETag.
    /// </summary>
    private async Task<T> HeadAsync<T>(
        ObjectAddress address, Func<HttpResponseMessage, T> read, CancellationToken cancellationToken, int? partNumber = null, string? etag = null)
    {
        SignedRequest request = new(HttpMethod.Head, address.Key) { WantsChecksum = partNumber is null };
        request.Query("partNumber", partNumber?.ToString(CultureInfo.InvariantCulture));
        request.Query("versionId", address.VersionId);
        AddAccess(request, address);
        request.Header("If-Match", ETags.IsWeak(etag) ? null : etag);
        request.Header("Accept-Encoding", "identity");
        using HttpResponseMessage response = await SendAsync(address.Bucket, request, cancellationToken).ConfigureAwait(false);
        _transport.CheckNotDecompressed(response);
        S3ResponseHeaders.Origin(response).Check();
        return read(response);
    }

    private static ObjectInfo InfoOf(HttpResponseMessage response, ObjectAddress address)
    {
        long length = response.Content.Headers.ContentLength
            ?? throw new WireException(FailureKind.Final, "the response has no valid Content-Length") { StatusCode = response.StatusCode, RequestId = S3ResponseHeaders.RequestId(response) };
        return S3ResponseHeaders.ToInfo(response, new ReceivedRange(0, length, length), address, keepsAnswer: false) with { AnsweredAt = response.Headers.Date };
    }

    private static int? PartsCount(HttpResponseMessage response)
        => int.TryParse(S3ResponseHeaders.Get(response, "x-amz-mp-parts-count"), NumberStyles.None, CultureInfo.InvariantCulture, out int count) ? count : null;
}
