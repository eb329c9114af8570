using System.Globalization;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Stores;

namespace Transfer.S3.Wire.Sdk;

internal sealed partial class SdkWire
{
    public async Task<PresignedUrl> PresignAsync(PresignedRequest presigned, CancellationToken cancellationToken)
    {
        ObjectAddress address = presigned.Address;
        GetPreSignedUrlRequest request = new()
        {
            BucketName = address.Bucket,
            Key = address.Key,
            VersionId = address.VersionId,
            Verb = presigned.Method == HttpMethod.Put ? HttpVerb.PUT : HttpVerb.GET,
            Expires = settings.Time.GetUtcNow().UtcDateTime + presigned.Lifetime,
            Protocol = s3.Config?.ServiceURL?.StartsWith("http:", StringComparison.OrdinalIgnoreCase) == true ? Protocol.HTTP : Protocol.HTTPS,
        };
        request.ResponseHeaderOverrides.ContentDisposition = presigned.ContentDisposition;
        request.ResponseHeaderOverrides.ContentType = presigned.ContentType;
        if (presigned.Method == HttpMethod.Get && profile.RequestsChecksums)
        {
            request.Parameters[StoreProfile.ChecksumModeHeader] = "ENABLED";
        }

        if (presigned is { UploadId: { } uploadId, PartNumber: { } number })
        {
            // The SDK puts the ID into the URL as it is.
            request.UploadId = Uri.EscapeDataString(uploadId) == uploadId ? uploadId
                : throw new WireException(FailureKind.Final, "the AWS SDK can't sign a URL with the ID of this upload");
            request.PartNumber = number;
        }

        Dictionary<string, string> headers = [];
        if (address.Access.RequesterPays)
        {
            headers["x-amz-request-payer"] = "requester";
        }

        if (settings.ExpectedBucketOwner is { } owner)
        {
            headers["x-amz-expected-bucket-owner"] = owner;
        }

        if (presigned.Checksum is { } checksum)
        {
            headers[checksum.Name] = checksum.Value;
        }

        foreach ((string name, string value) in headers)
        {
            request.Headers[name] = value;
        }

        if (presigned.LengthBytes is { } length)
        {
            request.Headers["content-length"] = length.ToString(CultureInfo.InvariantCulture);
        }

        try
        {
            string url = await s3.GetPreSignedURLAsync(request).WaitAsync(cancellationToken).ConfigureAwait(false);
            return new PresignedUrl(PresignedUrl.Parse(url), headers);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            throw new WireException(FailureKind.Final, e.Message, e);
        }
    }
}
