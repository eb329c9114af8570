using System.Buffers;
using System.Globalization;
using System.Security.Cryptography;

namespace Transfer.Wire.Http;

internal sealed partial class HttpWire
{
    public async Task<PublishedObject> PutObjectAsync(NewObject target, ReadOnlySequence<byte> body, string? checksum, CancellationToken cancellationToken)
    {
        try
        {
            using HttpResponseMessage response = await SendAsync(NewRequest, PayloadHash(target, body), cancellationToken).ConfigureAwait(false);
            return new PublishedObject(AnswerHeaders.Get(response, "ETag"), AnswerHeaders.Get(response, "x-amz-version-id"), AnswerHeaders.Checksum(response));
        }
        catch (WireException e) when (IsElsewhere(e))
        {
            return await _sdk.PutObjectAsync(target, body, checksum, cancellationToken).ConfigureAwait(false);
        }

        SignedRequest NewRequest()
        {
            SequenceContent content = new(body);
            content.Headers.TryAddWithoutValidation("Content-Type", target.ContentType ?? "application/octet-stream");
            SignedRequest request = new(HttpMethod.Put, _endpoints.Of(target.Address.Bucket), target.Address.Key) { Content = content };
            request.Header("If-None-Match", target.OnlyIfAbsent ? "*" : null);
            if (checksum is not null)
            {
                request.Amz(target.Checksum.HeaderName(), checksum);
            }

            foreach ((string name, string value) in target.Metadata ?? new Dictionary<string, string>())
            {
                request.Amz("x-amz-meta-" + name.ToLowerInvariant(), value);
            }

            return request;
        }
    }

    public Task<string> CreateMultipartUploadAsync(NewObject target, CancellationToken cancellationToken) => _sdk.CreateMultipartUploadAsync(target, cancellationToken);

    public async Task<UploadedPart> UploadPartAsync(
        NewObject target, string uploadId, int partNumber, ReadOnlySequence<byte> body, string? checksum, CancellationToken cancellationToken)
    {
        try
        {
            using HttpResponseMessage response = await SendAsync(NewRequest, PayloadHash(target, body), cancellationToken).ConfigureAwait(false);
            string? confirmed = checksum is null ? null : AnswerHeaders.Get(response, target.Checksum.HeaderName());
            return confirmed is null || confirmed == checksum
                ? new UploadedPart(partNumber, AnswerHeaders.Get(response, "ETag"), checksum)
                : throw new WireException(FailureKind.Corrupt, $"the store confirmed checksum {confirmed}, and {checksum} was sent");
        }
        catch (WireException e) when (IsElsewhere(e))
        {
            return await _sdk.UploadPartAsync(target, uploadId, partNumber, body, checksum, cancellationToken).ConfigureAwait(false);
        }

        SignedRequest NewRequest()
        {
            SignedRequest request = new(HttpMethod.Put, _endpoints.Of(target.Address.Bucket), target.Address.Key) { Content = new SequenceContent(body) };
            request.Query("partNumber", partNumber.ToString(CultureInfo.InvariantCulture));
            request.Query("uploadId", uploadId);
            if (checksum is not null)
            {
                request.Amz(target.Checksum.HeaderName(), checksum);
            }

            return request;
        }
    }

    public Task<PublishedObject> CompleteMultipartUploadAsync(
        NewObject target, string uploadId, IReadOnlyList<UploadedPart> parts, string? fullObjectChecksum, CancellationToken cancellationToken)
        => _sdk.CompleteMultipartUploadAsync(target, uploadId, parts, fullObjectChecksum, cancellationToken);

    public Task AbortMultipartUploadAsync(ObjectAddress address, string uploadId, CancellationToken cancellationToken)
        => _sdk.AbortMultipartUploadAsync(address, uploadId, cancellationToken);

    /// <summary>
    /// What stands for the body in the signature. Over TLS, and on this machine, nothing on the way can change it unseen and the checksum finds what breaks;
    /// elsewhere its SHA-256 does, which costs a pass over the bytes.
    /// </summary>
    private string PayloadHash(NewObject target, ReadOnlySequence<byte> body)
    {
        if (_endpoints.Of(target.Address.Bucket).KeepsBodiesWhole)
        {
            return SignedRequest.UnsignedPayload;
        }

        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (ReadOnlyMemory<byte> memory in body)
        {
            hash.AppendData(memory.Span);
        }

        return Convert.ToHexStringLower(hash.GetHashAndReset());
    }
}
