using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.Integrity;
using Transfer.S3.Wire;
using Transfer.S3.Wire.Sdk;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Stores objects with the AWS SDK, with every kind of checksum that a store supports. Their key is <c>key</c>.</summary>
internal static class SdkUploads
{
    /// <summary>Stores an object in one request.</summary>
    public static async Task PutAsync(Store store, byte[] content, ChecksumAlgorithm algorithm)
    {
        SendChecksumsOnlyWhenRequired(store);
        PutObjectRequest request = new() { BucketName = store.Bucket, Key = "key", InputStream = new MemoryStream(content) };
        if (algorithm != ChecksumAlgorithm.None)
        {
            SdkChecksums.Set(request, algorithm, Sum(algorithm, content));
        }

        await store.S3.PutObjectAsync(request);
    }

    /// <summary>Stores an object in parts of the given lengths.</summary>
    public static async Task PutPartsAsync(Store store, byte[] content, ChecksumAlgorithm algorithm, ChecksumType? type, int[] lengths)
    {
        SendChecksumsOnlyWhenRequired(store);
        string id = (await store.S3.InitiateMultipartUploadAsync(
            new InitiateMultipartUploadRequest { BucketName = store.Bucket, Key = "key", ChecksumAlgorithm = SdkChecksums.Algorithm(algorithm), ChecksumType = type })).UploadId;
        List<PartETag> parts = [];
        int offset = 0;
        foreach (int length in lengths)
        {
            UploadPartRequest request = new()
            {
                BucketName = store.Bucket,
                Key = "key",
                UploadId = id,
                PartNumber = parts.Count + 1,
                InputStream = new MemoryStream(content, offset, length),
            };
            string? sum = algorithm == ChecksumAlgorithm.None ? null : Sum(algorithm, content.AsSpan(offset, length));
            SdkChecksums.Set(request, algorithm, sum);
            parts.Add(SdkChecksums.PartETag(new UploadedPart(parts.Count + 1, (await store.S3.UploadPartAsync(request)).ETag, sum), algorithm));
            offset += length;
        }

        await store.S3.CompleteMultipartUploadAsync(
            new CompleteMultipartUploadRequest { BucketName = store.Bucket, Key = "key", UploadId = id, PartETags = parts, ChecksumType = type });
    }

    // By default, the SDK adds a checksum to requests without one.
    private static void SendChecksumsOnlyWhenRequired(Store store)
        => ((AmazonS3Config)store.S3.Config).RequestChecksumCalculation = RequestChecksumCalculation.WHEN_REQUIRED;

    /// <summary>Returns a checksum in the format of S3.</summary>
    public static string Sum(ChecksumAlgorithm algorithm, ReadOnlySpan<byte> content)
    {
        using PartChecksum sum = new(algorithm);
        sum.Append(content);
        return sum.ToBase64()!;
    }
}
