using System.Globalization;

namespace Transfer.S3.Wire.Http;

internal sealed partial class HttpWire
{
    public async Task<ObjectHead> HeadAsync(ObjectAddress address, CancellationToken cancellationToken)
        => await TryHeadAsync(address, cancellationToken).ConfigureAwait(false) ?? await ReadHeadAsync(address, cancellationToken).ConfigureAwait(false);

    public Task<StoredParts?> GetStoredPartsAsync(ObjectAddress address, CancellationToken cancellationToken) => HeadAsync(
        address,
        static response => StoredParts.Parse(S3ResponseHeaders.Content(response, "Content-Range"), PartsCount(response)),
        cancellationToken,
        partNumber: 1);

    public Task<StoredPart?> HeadPartAsync(ObjectAddress address, int partNumber, string? etag, CancellationToken cancellationToken) => HeadAsync(
        address,
        response => StoredPart.Parse(S3ResponseHeaders.Content(response, "Content-Range"), PartsCount(response), S3ResponseHeaders.Get(response, "ETag"), etag),
        cancellationToken,
        partNumber,
        etag);

    /// <summary>Reads an object's headers; null if they don't contain its length.</summary>
    private Task<ObjectHead?> TryHeadAsync(ObjectAddress address, CancellationToken cancellationToken)
        => HeadAsync(address, response => GetHead(response, address), cancellationToken);

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
        Learn(address.Bucket, request, response);
        return read(response);
    }

    private static ObjectHead? GetHead(HttpResponseMessage response, ObjectAddress address)
        => S3ResponseHeaders.Length(response) is { } length and <= Sizes.MaxObject
            ? S3ResponseHeaders.ToHead(response, new ReceivedRange(0, length, length), address, keepsAnswer: false) with { AnsweredAt = HttpTime.OfStore(response.Headers.Date) }
            : null;

    /// <summary>Gets the headers from a read, because proxies that send bodies in chunks remove the length from the response to a HEAD request.</summary>
    private async Task<ObjectHead> ReadHeadAsync(ObjectAddress address, CancellationToken cancellationToken)
    {
        try
        {
            return await ReadAsync(new RequestedRange(0, 1)).ConfigureAwait(false);
        }
        catch (WireException e) when (e.Kind == FailureKind.RangeNotSatisfiable)
        {
            return await ReadAsync(default).ConfigureAwait(false); // the object is empty
        }

        async Task<ObjectHead> ReadAsync(RequestedRange range)
        {
            using RangeResponse response = await GetRangeAsync(address, range, ReadCondition.None, wantChecksum: true, cancellationToken).ConfigureAwait(false);
            return response.Head;
        }
    }

    private static int? PartsCount(HttpResponseMessage response)
        => int.TryParse(S3ResponseHeaders.Get(response, "x-amz-mp-parts-count"), NumberStyles.None, CultureInfo.InvariantCulture, out int count) ? count : null;
}
