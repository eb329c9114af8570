using System.Globalization;
using Amazon.Runtime;
using Amazon.Runtime.Internal.Transform;
using Amazon.S3;
using Amazon.S3.Model;
using Amazon.S3.Model.Internal.MarshallTransformations;
using Amazon.S3.Transfer;
using Transfer.S3.Download;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.TransferUtility;

/// <summary>Creates the responses of the SDK's utility. The SDK's own code reads the headers and fills the response.</summary>
internal static class SdkResponses
{
    /// <param name="download">The download.</param>
    /// <param name="tellsRange">Whether the SDK would have requested a range, and returned it.</param>
    public static TransferUtilityDownloadResponse From(CompletedDownload download, bool tellsRange)
    {
        DownloadResult result = download.Result;
        TransferUtilityDownloadResponse response = SdkUtilityMembers.MapDownload(null, GetAnswer(result.Info, download.Answer));
        MakeWhole(response, result.Info.Length, tellsRange);
        AddChecksum(response, result.Verdict);
        return response;
    }

    public static TransferUtilityOpenStreamResponse From(SdkReadStream stream)
    {
        TransferUtilityOpenStreamResponse response = SdkUtilityMembers.MapOpenStream(null, GetAnswer(stream.Info, stream.Answer));
        MakeWhole(response, stream.Info.Length, tellsRange: true);
        response.ResponseStream = stream;
        return response;
    }

    public static TransferUtilityUploadResponse From(CompletedUpload upload, TransferUtilityUploadRequest request)
    {
        (UploadResult result, PublishedObject? published) = upload;
        if (published?.Answer is CompleteMultipartUploadResponse complete)
        {
            return SdkUtilityMembers.MapComplete(null, complete);
        }

        PutObjectResponse put = published?.Answer switch
        {
            PutObjectResponse given => given,
            HttpResponseMessage http => Read<PutObjectResponse>(PutObjectResponseUnmarshaller.Instance, http),
            _ => new PutObjectResponse { ETag = result.ETag, VersionId = result.VersionId },
        };
        if (result.Parts == 0)
        {
            return SdkUtilityMembers.MapPut(null, put);
        }

        // The headers of both responses are the same. The other properties of a completion are in its body, and its checksum is the verified one.
        ChecksumVerdict verdict = result.Verdict;
        string? checksum = verdict.IsVerified ? verdict.Value : null;
        return SdkUtilityMembers.MapComplete(null, new CompleteMultipartUploadResponse
        {
            BucketName = request.BucketName,
            Key = request.Key,
            Location = published?.Location,
            ETag = result.ETag,
            VersionId = result.VersionId,
            BucketKeyEnabled = put.BucketKeyEnabled,
            Expiration = put.Expiration,
            RequestCharged = put.RequestCharged,
            ServerSideEncryptionMethod = put.ServerSideEncryptionMethod,
            ServerSideEncryptionKeyManagementServiceKeyId = put.ServerSideEncryptionKeyManagementServiceKeyId,
            ChecksumCRC32 = verdict.Algorithm == ChecksumAlgorithm.Crc32 ? checksum : null,
            ChecksumCRC32C = verdict.Algorithm == ChecksumAlgorithm.Crc32C ? checksum : null,
            ChecksumCRC64NVME = verdict.Algorithm == ChecksumAlgorithm.Crc64Nvme ? checksum : null,
            ChecksumMD5 = verdict.Algorithm == ChecksumAlgorithm.Md5 && request.ChecksumAlgorithm?.Value == "MD5" ? checksum : null, // an ETag that is an MD5 is no checksum
            ChecksumSHA1 = verdict.Algorithm == ChecksumAlgorithm.Sha1 ? checksum : null,
            ChecksumSHA256 = verdict.Algorithm == ChecksumAlgorithm.Sha256 ? checksum : null,
            ChecksumSHA512 = verdict.Algorithm == ChecksumAlgorithm.Sha512 ? checksum : null,
            ChecksumXXHASH128 = verdict.Algorithm == ChecksumAlgorithm.XxHash128 ? checksum : null,
            ChecksumXXHASH3 = verdict.Algorithm == ChecksumAlgorithm.XxHash3 ? checksum : null,
            ChecksumXXHASH64 = verdict.Algorithm == ChecksumAlgorithm.XxHash64 ? checksum : null,
            ChecksumType = checksum is null ? null : IsComposite(checksum) ? ChecksumType.COMPOSITE : ChecksumType.FULL_OBJECT,
        });
    }

    // The SDK's response still belongs to the transfer, so only the response that is made of it is changed.
    private static GetObjectResponse GetAnswer(ObjectInfo info, object? answer) => answer switch
    {
        GetObjectResponse given => given,
        HttpResponseMessage http => Read<GetObjectResponse>(GetObjectResponseUnmarshaller.Instance, http),
        _ => FromInfo(info),
    };

    /// <summary>Converts the response to the first range to a response for the whole object.</summary>
    private static void MakeWhole(TransferUtilityGetObjectResponseBase response, long length, bool tellsRange)
    {
        if (response.Headers.ContentLength != length || response.ChecksumType == ChecksumType.COMPOSITE)
        {
            RemoveChecksums(response); // they are checksums of a part under the same names; the SDK omits them too
        }

        response.Headers.ContentLength = length;
        response.ContentRange = tellsRange && length > 0 ? string.Create(CultureInfo.InvariantCulture, $"bytes 0-{length - 1}/{length}") : null;
    }

    /// <summary>Sets the checksum of the object, which responses to ranges don't contain.</summary>
    private static void AddChecksum(TransferUtilityGetObjectResponseBase response, ChecksumVerdict verdict)
    {
        if (!verdict.IsVerified || verdict.Value is not { } value || IsComposite(value))
        {
            return;
        }

        switch (verdict.Algorithm)
        {
            case ChecksumAlgorithm.Crc32:
                response.ChecksumCRC32 = value;
                break;
            case ChecksumAlgorithm.Crc32C:
                response.ChecksumCRC32C = value;
                break;
            case ChecksumAlgorithm.Crc64Nvme:
                response.ChecksumCRC64NVME = value;
                break;
            case ChecksumAlgorithm.Sha1:
                response.ChecksumSHA1 = value;
                break;
            case ChecksumAlgorithm.Sha256:
                response.ChecksumSHA256 = value;
                break;
            case ChecksumAlgorithm.Sha512:
                response.ChecksumSHA512 = value;
                break;
            case ChecksumAlgorithm.XxHash128:
                response.ChecksumXXHASH128 = value;
                break;
            case ChecksumAlgorithm.XxHash3:
                response.ChecksumXXHASH3 = value;
                break;
            case ChecksumAlgorithm.XxHash64:
                response.ChecksumXXHASH64 = value;
                break;
            default:
                return; // for S3, an ETag that is an MD5 isn't a checksum
        }

        response.ChecksumType = ChecksumType.FULL_OBJECT;
    }

    private static bool IsComposite(string checksum) => checksum.Contains('-', StringComparison.Ordinal);

    private static void RemoveChecksums(TransferUtilityGetObjectResponseBase response)
    {
        response.ChecksumCRC32 = null;
        response.ChecksumCRC32C = null;
        response.ChecksumCRC64NVME = null;
        response.ChecksumMD5 = null;
        response.ChecksumSHA1 = null;
        response.ChecksumSHA256 = null;
        response.ChecksumSHA512 = null;
        response.ChecksumXXHASH128 = null;
        response.ChecksumXXHASH3 = null;
        response.ChecksumXXHASH64 = null;
    }

    private static T Read<T>(S3ReponseUnmarshaller reader, HttpResponseMessage http)
        where T : AmazonWebServiceResponse
    {
        using XmlUnmarshallerContext context = new(Stream.Null, false, new SdkResponseData(http));
        return (T)reader.Unmarshall(context);
    }

    /// <summary>Creates a response from the properties of an object that another client opened.</summary>
    private static GetObjectResponse FromInfo(ObjectInfo info)
    {
        GetObjectResponse answer = new() { ETag = info.ETag, VersionId = info.VersionId, LastModified = info.LastModified?.UtcDateTime };
        answer.Headers.ContentType = info.ContentType;
        foreach ((string name, string value) in info.Metadata)
        {
            answer.Metadata[name] = value;
        }

        return answer;
    }
}
