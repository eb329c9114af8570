using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Integrity;

namespace Transfer.S3.Wire.Sdk;

/// <summary>Accesses the checksums of the SDK's types, which have one property for each algorithm.</summary>
internal static class SdkChecksums
{
    /// <summary>The order of the values that <see cref="First"/> takes.</summary>
    private static readonly ChecksumAlgorithm[] Order =
    [
        ChecksumAlgorithm.Crc64Nvme, ChecksumAlgorithm.Crc32C, ChecksumAlgorithm.Crc32, ChecksumAlgorithm.XxHash128, ChecksumAlgorithm.XxHash3,
        ChecksumAlgorithm.XxHash64, ChecksumAlgorithm.Sha256, ChecksumAlgorithm.Sha512, ChecksumAlgorithm.Sha1, ChecksumAlgorithm.Md5,
    ];

    public static Amazon.S3.ChecksumAlgorithm? Algorithm(ChecksumAlgorithm algorithm)
        => ChecksumTable.Find(algorithm)?.S3Name is { } name ? new Amazon.S3.ChecksumAlgorithm(name) : null;

    /// <summary>Gets the type for multipart uploads; null if the store keeps no checksum.</summary>
    public static ChecksumType? MultipartType(ChecksumAlgorithm algorithm)
        => ChecksumTable.Find(algorithm) is { S3Name: not null } entry ? new ChecksumType(entry.MultipartType) : null;

    public static void Set(PutObjectRequest request, ChecksumAlgorithm algorithm, string? value)
    {
        Check(algorithm, value);
        request.DisableDefaultChecksumValidation = value is null || algorithm == ChecksumAlgorithm.ContentMd5 ? true : null;
        request.MD5Digest = algorithm == ChecksumAlgorithm.ContentMd5 ? value : null;
        request.ChecksumCRC64NVME = algorithm == ChecksumAlgorithm.Crc64Nvme ? value : null;
        request.ChecksumCRC32C = algorithm == ChecksumAlgorithm.Crc32C ? value : null;
        request.ChecksumCRC32 = algorithm == ChecksumAlgorithm.Crc32 ? value : null;
        request.ChecksumXXHASH128 = algorithm == ChecksumAlgorithm.XxHash128 ? value : null;
        request.ChecksumXXHASH3 = algorithm == ChecksumAlgorithm.XxHash3 ? value : null;
        request.ChecksumXXHASH64 = algorithm == ChecksumAlgorithm.XxHash64 ? value : null;
        request.ChecksumSHA256 = algorithm == ChecksumAlgorithm.Sha256 ? value : null;
        request.ChecksumSHA512 = algorithm == ChecksumAlgorithm.Sha512 ? value : null;
        request.ChecksumSHA1 = algorithm == ChecksumAlgorithm.Sha1 ? value : null;
        request.ChecksumMD5 = algorithm == ChecksumAlgorithm.Md5 ? value : null;
    }

    public static void Set(UploadPartRequest request, ChecksumAlgorithm algorithm, string? value)
    {
        Check(algorithm, value);
        request.DisableDefaultChecksumValidation = value is null || algorithm == ChecksumAlgorithm.ContentMd5 ? true : null;
        request.MD5Digest = algorithm == ChecksumAlgorithm.ContentMd5 ? value : null;
        request.ChecksumCRC64NVME = algorithm == ChecksumAlgorithm.Crc64Nvme ? value : null;
        request.ChecksumCRC32C = algorithm == ChecksumAlgorithm.Crc32C ? value : null;
        request.ChecksumCRC32 = algorithm == ChecksumAlgorithm.Crc32 ? value : null;
        request.ChecksumXXHASH128 = algorithm == ChecksumAlgorithm.XxHash128 ? value : null;
        request.ChecksumXXHASH3 = algorithm == ChecksumAlgorithm.XxHash3 ? value : null;
        request.ChecksumXXHASH64 = algorithm == ChecksumAlgorithm.XxHash64 ? value : null;
        request.ChecksumSHA256 = algorithm == ChecksumAlgorithm.Sha256 ? value : null;
        request.ChecksumSHA512 = algorithm == ChecksumAlgorithm.Sha512 ? value : null;
        request.ChecksumSHA1 = algorithm == ChecksumAlgorithm.Sha1 ? value : null;
        request.ChecksumMD5 = algorithm == ChecksumAlgorithm.Md5 ? value : null;
    }

    /// <summary>Sets the checksum of the whole object, which only a CRC has.</summary>
    public static void Set(CompleteMultipartUploadRequest request, ChecksumAlgorithm algorithm, string? value)
    {
        request.ChecksumCRC64NVME = algorithm == ChecksumAlgorithm.Crc64Nvme ? value : null;
        request.ChecksumCRC32C = algorithm == ChecksumAlgorithm.Crc32C ? value : null;
        request.ChecksumCRC32 = algorithm == ChecksumAlgorithm.Crc32 ? value : null;
    }

    public static PartETag PartETag(UploadedPart part, ChecksumAlgorithm algorithm) => new()
    {
        PartNumber = part.Number,
        ETag = part.ETag,
        ChecksumCRC64NVME = algorithm == ChecksumAlgorithm.Crc64Nvme ? part.Checksum : null,
        ChecksumCRC32C = algorithm == ChecksumAlgorithm.Crc32C ? part.Checksum : null,
        ChecksumCRC32 = algorithm == ChecksumAlgorithm.Crc32 ? part.Checksum : null,
        ChecksumXXHASH128 = algorithm == ChecksumAlgorithm.XxHash128 ? part.Checksum : null,
        ChecksumXXHASH3 = algorithm == ChecksumAlgorithm.XxHash3 ? part.Checksum : null,
        ChecksumXXHASH64 = algorithm == ChecksumAlgorithm.XxHash64 ? part.Checksum : null,
        ChecksumSHA256 = algorithm == ChecksumAlgorithm.Sha256 ? part.Checksum : null,
        ChecksumSHA512 = algorithm == ChecksumAlgorithm.Sha512 ? part.Checksum : null,
        ChecksumSHA1 = algorithm == ChecksumAlgorithm.Sha1 ? part.Checksum : null,
        ChecksumMD5 = algorithm == ChecksumAlgorithm.Md5 ? part.Checksum : null,
    };

    public static StoredChecksum? From(GetObjectResponse r)
        => First(r.ChecksumType, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumXXHASH128, r.ChecksumXXHASH3, r.ChecksumXXHASH64, r.ChecksumSHA256, r.ChecksumSHA512, r.ChecksumSHA1, r.ChecksumMD5);

    public static StoredChecksum? From(GetObjectMetadataResponse r)
        => First(r.ChecksumType, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumXXHASH128, r.ChecksumXXHASH3, r.ChecksumXXHASH64, r.ChecksumSHA256, r.ChecksumSHA512, r.ChecksumSHA1, r.ChecksumMD5);

    public static StoredChecksum? From(ObjectPart r)
        => First(ChecksumType.FULL_OBJECT, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumXXHASH128, r.ChecksumXXHASH3, r.ChecksumXXHASH64, r.ChecksumSHA256, r.ChecksumSHA512, r.ChecksumSHA1, r.ChecksumMD5);

    public static StoredChecksum? From(Checksum r)
        => First(r.ChecksumType, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumXXHASH128, r.ChecksumXXHASH3, r.ChecksumXXHASH64, r.ChecksumSHA256, r.ChecksumSHA512, r.ChecksumSHA1, r.ChecksumMD5);

    public static StoredChecksum? From(PartDetail r)
        => First(null, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumXXHASH128, r.ChecksumXXHASH3, r.ChecksumXXHASH64, r.ChecksumSHA256, r.ChecksumSHA512, r.ChecksumSHA1, r.ChecksumMD5);

    public static StoredChecksum? From(PutObjectResponse r)
        => First(r.ChecksumType, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumXXHASH128, r.ChecksumXXHASH3, r.ChecksumXXHASH64, r.ChecksumSHA256, r.ChecksumSHA512, r.ChecksumSHA1, r.ChecksumMD5);

    public static StoredChecksum? From(CompleteMultipartUploadResponse r)
        => First(r.ChecksumType, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumXXHASH128, r.ChecksumXXHASH3, r.ChecksumXXHASH64, r.ChecksumSHA256, r.ChecksumSHA512, r.ChecksumSHA1, r.ChecksumMD5);

    public static StoredChecksum? From(CopyObjectResponse r)
        => First(r.ChecksumType, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumXXHASH128, r.ChecksumXXHASH3, r.ChecksumXXHASH64, r.ChecksumSHA256, r.ChecksumSHA512, r.ChecksumSHA1, r.ChecksumMD5);

    public static string? From(UploadPartResponse r, ChecksumAlgorithm algorithm)
        => GetValue(algorithm, First(null, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumXXHASH128, r.ChecksumXXHASH3, r.ChecksumXXHASH64, r.ChecksumSHA256, r.ChecksumSHA512, r.ChecksumSHA1, r.ChecksumMD5));

    public static string? From(CopyPartResponse r, ChecksumAlgorithm algorithm)
        => GetValue(algorithm, First(null, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumXXHASH128, r.ChecksumXXHASH3, r.ChecksumXXHASH64, r.ChecksumSHA256, r.ChecksumSHA512, r.ChecksumSHA1, r.ChecksumMD5));

    private static string? GetValue(ChecksumAlgorithm algorithm, StoredChecksum? stored) => stored?.Algorithm == algorithm ? stored.Value : null;

    private static StoredChecksum? First(ChecksumType? type, params ReadOnlySpan<string?> values)
    {
        for (int i = 0; i < values.Length; i++)
        {
            if (!string.IsNullOrEmpty(values[i]))
            {
                return ChecksumTable.ToStored(Order[i], values[i]!, type?.Value);
            }
        }

        return null;
    }

    private static void Check(ChecksumAlgorithm algorithm, string? value)
    {
        if (value is not null && algorithm != ChecksumAlgorithm.ContentMd5 && !Order.AsSpan().Contains(algorithm))
        {
            throw new WireException(
                FailureKind.Final,
                $"the AWS SDK can't send {algorithm.Name()} checksums; choose another algorithm, or an {nameof(AmazonS3Client)} and a bucket that need the SDK only for credentials");
        }
    }
}
