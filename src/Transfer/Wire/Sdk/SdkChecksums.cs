using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.Wire.Sdk;

/// <summary>Accesses the checksums of the SDK's types, which have one property for each algorithm.</summary>
internal static class SdkChecksums
{
    public static Amazon.S3.ChecksumAlgorithm? Algorithm(ChecksumAlgorithm algorithm) => algorithm switch
    {
        ChecksumAlgorithm.Crc64Nvme => Amazon.S3.ChecksumAlgorithm.CRC64NVME,
        ChecksumAlgorithm.Crc32C => Amazon.S3.ChecksumAlgorithm.CRC32C,
        ChecksumAlgorithm.Crc32 => Amazon.S3.ChecksumAlgorithm.CRC32,
        ChecksumAlgorithm.Sha256 => Amazon.S3.ChecksumAlgorithm.SHA256,
        _ => null,
    };

    public static void Set(PutObjectRequest request, ChecksumAlgorithm algorithm, string? value)
    {
        request.ChecksumCRC64NVME = algorithm == ChecksumAlgorithm.Crc64Nvme ? value : null;
        request.ChecksumCRC32C = algorithm == ChecksumAlgorithm.Crc32C ? value : null;
        request.ChecksumCRC32 = algorithm == ChecksumAlgorithm.Crc32 ? value : null;
        request.ChecksumSHA256 = algorithm == ChecksumAlgorithm.Sha256 ? value : null;
        request.MD5Digest = algorithm == ChecksumAlgorithm.Md5 ? value : null;
        request.DisableDefaultChecksumValidation = value is null || algorithm == ChecksumAlgorithm.Md5 ? true : null;
    }

    public static void Set(UploadPartRequest request, ChecksumAlgorithm algorithm, string? value)
    {
        request.ChecksumCRC64NVME = algorithm == ChecksumAlgorithm.Crc64Nvme ? value : null;
        request.ChecksumCRC32C = algorithm == ChecksumAlgorithm.Crc32C ? value : null;
        request.ChecksumCRC32 = algorithm == ChecksumAlgorithm.Crc32 ? value : null;
        request.ChecksumSHA256 = algorithm == ChecksumAlgorithm.Sha256 ? value : null;
        request.MD5Digest = algorithm == ChecksumAlgorithm.Md5 ? value : null;
        request.DisableDefaultChecksumValidation = value is null || algorithm == ChecksumAlgorithm.Md5 ? true : null;
    }

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
        ChecksumSHA256 = algorithm == ChecksumAlgorithm.Sha256 ? part.Checksum : null,
    };

    public static StoredChecksum? Of(GetObjectResponse r) => First(r.ChecksumType, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumSHA256, r.ChecksumSHA1);

    public static StoredChecksum? Of(GetObjectMetadataResponse r) => First(r.ChecksumType, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumSHA256, r.ChecksumSHA1);

    public static StoredChecksum? Of(ObjectPart r)
        => First(ChecksumType.FULL_OBJECT, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumSHA256, r.ChecksumSHA1);

    public static StoredChecksum? Of(Checksum r) => First(r.ChecksumType, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumSHA256, r.ChecksumSHA1);

    public static StoredChecksum? Of(PartDetail r) => First(null, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumSHA256, r.ChecksumSHA1);

    public static StoredChecksum? Of(PutObjectResponse r) => First(r.ChecksumType, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumSHA256, r.ChecksumSHA1);

    public static StoredChecksum? Of(CompleteMultipartUploadResponse r) => First(r.ChecksumType, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumSHA256, r.ChecksumSHA1);

    public static string? Of(UploadPartResponse r, ChecksumAlgorithm algorithm)
        => First(null, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumSHA256, r.ChecksumSHA1) is { } stored && stored.Algorithm == algorithm
            ? stored.Value
            : null;

    public static StoredChecksum? Of(CopyObjectResponse r) => First(r.ChecksumType, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumSHA256, r.ChecksumSHA1);

    public static string? Of(CopyPartResponse r, ChecksumAlgorithm algorithm)
        => First(null, r.ChecksumCRC64NVME, r.ChecksumCRC32C, r.ChecksumCRC32, r.ChecksumSHA256, r.ChecksumSHA1) is { } stored && stored.Algorithm == algorithm
            ? stored.Value
            : null;

    private static StoredChecksum? First(ChecksumType? type, string? crc64Nvme, string? crc32C, string? crc32, string? sha256, string? sha1)
    {
        (ChecksumAlgorithm algorithm, string? value) = true switch
        {
            _ when !string.IsNullOrEmpty(crc64Nvme) => (ChecksumAlgorithm.Crc64Nvme, crc64Nvme),
            _ when !string.IsNullOrEmpty(crc32C) => (ChecksumAlgorithm.Crc32C, crc32C),
            _ when !string.IsNullOrEmpty(crc32) => (ChecksumAlgorithm.Crc32, crc32),
            _ when !string.IsNullOrEmpty(sha256) => (ChecksumAlgorithm.Sha256, sha256),
            _ => (ChecksumAlgorithm.Sha1, sha1),
        };

        // If a store returns no type, a composite value ends in a dash and the number of parts. A dash isn't a base64 character.
        return string.IsNullOrEmpty(value) ? null : new StoredChecksum(algorithm, value, type == ChecksumType.COMPOSITE || value.Contains('-', StringComparison.Ordinal));
    }
}
