using System.Globalization;
using Amazon.Runtime;
using Transfer.S3.Stores;

namespace Transfer.S3.Wire.Http;

internal sealed partial class HttpWire
{
    public async Task<PresignedUrl> PresignAsync(PresignedRequest presigned, CancellationToken cancellationToken)
    {
        ObjectAddress address = presigned.Address;
        StoreEndpoint endpoint = _endpoints.For(address.Bucket);
        ImmutableCredentials credentials = await _credentials.GetAsync(cancellationToken).ConfigureAwait(false)
            ?? throw new WireException(FailureKind.NoCredentials, "a URL is signed with credentials, and the client has none");
        SignedRequest request = new(presigned.Method, address.Key);
        request.Query("partNumber", presigned.PartNumber?.ToString(CultureInfo.InvariantCulture));
        request.Query("response-content-disposition", presigned.ContentDisposition);
        request.Query("response-content-type", presigned.ContentType);
        request.Query("uploadId", presigned.UploadId);
        request.Query("versionId", address.VersionId);

        // As a parameter, because a browser that opens the URL sends no headers. Amazon S3 takes it there, and other stores ignore it.
        bool asksForChecksum = presigned.Method == HttpMethod.Get && _profile.RequestsChecksums && _profile.GetSupport(StoreTrait.ChecksumMode, endpoint.Origin) != StoreSupport.Refused;
        request.Query(StoreProfile.ChecksumModeHeader, asksForChecksum ? "ENABLED" : null);
        AddPayer(request, address);
        request.Amz("x-amz-expected-bucket-owner", _owner);
        if (presigned.Checksum is { } checksum)
        {
            request.Amz(checksum.Name, checksum.Value);
        }

        Dictionary<string, string> headers = request.SignedHeaders.ToDictionary(static header => header.Name, static header => header.Value);
        request.Amz("content-length", presigned.LengthBytes?.ToString(CultureInfo.InvariantCulture));
        return new PresignedUrl(request.Presign(endpoint, credentials, _signer, presigned.Lifetime, _clock.GetNow(_clock.Offset)), headers);
    }
}
