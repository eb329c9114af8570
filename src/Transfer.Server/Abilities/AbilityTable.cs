using Transfer.S3.Server.Http;
using Transfer.S3.Server.Signing;

namespace Transfer.S3.Server.Abilities;

/// <summary>The rules of all abilities. Some have several, one for each header.</summary>
internal static class AbilityTable
{
    public static IReadOnlyList<AbilityRule> Rules { get; } =
    [
        new(ServerAbility.PutIfAbsent, S3Operation.PutObject) { Header = "if-none-match", CanIgnore = true },
        new(ServerAbility.PutIfMatch, S3Operation.PutObject) { Header = "if-match", CanIgnore = true },
        new(ServerAbility.CompleteIfAbsent, S3Operation.CompleteMultipartUpload) { Header = "if-none-match", CanIgnore = true },
        new(ServerAbility.CompleteIfMatch, S3Operation.CompleteMultipartUpload) { Header = "if-match", CanIgnore = true },
        new(ServerAbility.Copy, S3Operation.CopyObject),
        new(ServerAbility.CopyIfAbsent, S3Operation.CopyObject) { Header = "if-none-match", CanIgnore = true },
        new(ServerAbility.CopySourceIfMatch, S3Operation.CopyObject, S3Operation.UploadPartCopy) { Header = "x-amz-copy-source-if-match", CanIgnore = true },
        new(ServerAbility.PartCopy, S3Operation.UploadPartCopy),
        new(ServerAbility.ReadIfMatch, S3Operation.GetObject, S3Operation.HeadObject) { Header = "if-match", CanIgnore = true },
        new(ServerAbility.SuffixRange, S3Operation.GetObject, S3Operation.HeadObject) { Header = "range", HeaderValue = "bytes=-", CanIgnore = true },
        new(ServerAbility.PartRead, S3Operation.GetObject, S3Operation.HeadObject) { Parameter = "partNumber", CanIgnore = true },
        new(ServerAbility.Crc64Nvme, S3Operation.PutObject) { Header = "x-amz-checksum-crc64nvme", CanIgnore = true },
        new(ServerAbility.Crc64Nvme, S3Operation.CreateMultipartUpload) { Header = "x-amz-checksum-algorithm", HeaderValue = "CRC64NVME" },
        new(ServerAbility.Crc32C, S3Operation.PutObject) { Header = "x-amz-checksum-crc32c", CanIgnore = true },
        new(ServerAbility.Crc32C, S3Operation.CreateMultipartUpload) { Header = "x-amz-checksum-algorithm", HeaderValue = "CRC32C" },
        new(ServerAbility.ContentMd5, S3Operation.PutObject, S3Operation.UploadPart) { Header = "content-md5", CanIgnore = true },
        new(ServerAbility.ChecksumMode, S3Operation.GetObject, S3Operation.HeadObject) { Header = "x-amz-checksum-mode", CanIgnore = true },
        new(ServerAbility.Attributes, S3Operation.GetObjectAttributes),
        new(ServerAbility.Tags, S3Operation.GetObjectTagging, S3Operation.PutObjectTagging, S3Operation.DeleteObjectTagging),
        new(ServerAbility.Tags, S3Operation.PutObject, S3Operation.CreateMultipartUpload, S3Operation.CopyObject) { Header = "x-amz-tagging" },
        new(ServerAbility.TagCount) { IsCheckedElsewhere = true, CanRefuse = false, CanIgnore = true },
        new(ServerAbility.Multipart, S3Operation.CreateMultipartUpload),
        new(ServerAbility.UnequalParts) { IsCheckedElsewhere = true },
        new(ServerAbility.ListParts, S3Operation.ListParts),
        new(ServerAbility.ListUploads, S3Operation.ListMultipartUploads),
        new(ServerAbility.ListV2, S3Operation.ListObjectsV2) { Parameter = "list-type", CanIgnore = true },
        new(ServerAbility.StartAfter, S3Operation.ListObjectsV2) { Parameter = "start-after", CanIgnore = true },
        new(ServerAbility.BatchDelete, S3Operation.DeleteObjects),
        new(ServerAbility.DeleteIfMatch, S3Operation.DeleteObject) { Header = "if-match", CanIgnore = true },
        new(ServerAbility.BatchDeleteIfMatch) { IsCheckedElsewhere = true, CanIgnore = true },
        new(ServerAbility.ListVersions, S3Operation.ListObjectVersions, S3Operation.GetBucketVersioning, S3Operation.PutBucketVersioning),
        new(ServerAbility.UnsignedBody, S3Operation.PutObject, S3Operation.UploadPart) { Header = PayloadHash.HeaderName, HeaderValue = PayloadHash.Unsigned.Value },
    ];

    public static IReadOnlyList<AbilityRule> GetRules(ServerAbility ability) => [.. Rules.Where(rule => rule.Ability == ability)];
}
