using System.Buffers;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.IntegrationTests.Wire;
using Transfer.S3.Integrity;
using Transfer.S3.Wire.Sdk;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Every algorithm, from the upload to the verified download, the comparison, and the copy.</summary>
public sealed class ChecksumAlgorithmTests : TransferSuite
{
    private const int MiB = 1024 * 1024;
    private const int Large = (11 * MiB) + 1;
    private static readonly int[] Parts = [5 * MiB, 5 * MiB, MiB + 1];

    public static TheoryData<ChecksumAlgorithm, int, string> Uploads()
    {
        TheoryData<ChecksumAlgorithm, int, string> data = [];
        foreach (ChecksumEntry entry in ChecksumTable.Stored)
        {
            data.Add(entry.Algorithm, 0, Store.Embedded);
            data.Add(entry.Algorithm, 100_001, Store.Embedded);
            data.Add(entry.Algorithm, Large, Store.Embedded);
            data.Add(entry.Algorithm, 100_001, Store.Embedded + Store.BySdk);
            data.Add(entry.Algorithm, Large, Store.Embedded + Store.BySdk);
        }

        return data;
    }

    public static TheoryData<ChecksumAlgorithm> Algorithms => [.. ChecksumTable.Stored.Select(static entry => entry.Algorithm)];

    [Theory]
    [MemberData(nameof(Uploads))]
    public async Task Upload_IsVerified_AndSoAreItsDownloadAndComparison(ChecksumAlgorithm algorithm, int length, string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        byte[] content = Pattern.Bytes(length);
        string path = Path.Combine(Folder, "target");
        bool isComposite = length > 5 * MiB && ChecksumTable.Find(algorithm)!.BeginHash is not null;
        string expected = DamagedStore.Sum(content, algorithm, isComposite ? Parts : []);

        UploadResult up = await client.UploadAsync(new ReadOnlySequence<byte>(content), store.Bucket, "key", Options(algorithm)).Within();
        ObjectInfo info = await client.GetInfoAsync(store.Bucket, "key").Within();
        DownloadResult down = await client.DownloadAsync(store.Bucket, "key", path, new DownloadOptions { PartSizeBytes = MiB }).Within();
        VerifyResult verified = await client.VerifyAsync(path, store.Bucket, "key").Within();

        Assert.EachEqual((true, algorithm, expected), (up.Verdict.IsVerified, up.Verdict.Algorithm, up.Verdict.Value));
        Assert.Equal(new StoredChecksum { Algorithm = algorithm, Value = expected, IsComposite = isComposite }, info.Checksum);
        Assert.EachEqual((true, algorithm, expected), (down.Verdict.IsVerified, down.Verdict.Algorithm, down.Verdict.Value));
        AssertPattern(path, length);
        Assert.True(verified.IsSame);
        if (length > 0)
        {
            Assert.EachEqual((VerifyMethod.Checksum, algorithm, expected), (verified.Method, verified.Algorithm, verified.Checksum));
        }
    }

    [Theory]
    [MemberData(nameof(Algorithms))]
    public async Task Download_DamagedContent_IsAMismatch(ChecksumAlgorithm algorithm)
    {
        byte[] content = Pattern.Bytes(300_000);
        foreach (int[] parts in new int[][] { [], [100_000, 200_000] })
        {
            if (parts.Length > 0 && ChecksumTable.Find(algorithm)!.Crc == CrcSet.Kinds.Crc64Nvme)
            {
                continue; // always of the whole object
            }

            DamagedStore damaged = new(content, DamagedStore.Damaged(content), algorithm, parts) { KeepsMd5 = true };
            await using ScriptedServer server = new(damaged.Answer);
            using AmazonS3Client s3 = WireTest.S3(server.Url);
            await using TransferClient client = new(s3);

            ChecksumMismatchException e = await Assert.ThrowsAsync<ChecksumMismatchException>(
                () => client.DownloadAsync("bucket", "key", Path.Combine(Folder, "target"), new DownloadOptions { PartSizeBytes = 64 * 1024 }).Within());

            Assert.EachEqual((algorithm, damaged.Checksum), (e.Algorithm, e.Expected));
            Assert.Empty(Directory.EnumerateFileSystemEntries(Folder));
        }
    }

    [Theory]
    [MemberData(nameof(Algorithms))]
    public async Task Copy_BetweenStores_VerifiesBothAndComparesEqual(ChecksumAlgorithm algorithm)
    {
        await using Store from = await Store.StartAsync(Store.Embedded);
        await using Store to = await Store.StartAsync(Store.Embedded);
        byte[] content = Pattern.Bytes(Large);
        TransferClient source = Client(from);
        TransferClient target = Client(to);
        await source.UploadAsync(new ReadOnlySequence<byte>(content), from.Bucket, "key", Options(algorithm)).Within();

        CopyResult copy = await source.CopyAsync(new(from.Bucket, "key"), target, new(to.Bucket, "key"), new StoreCopyOptions { Target = Options(algorithm) }).Within();
        VerifyResult verified = await source.VerifyAsync(new(from.Bucket, "key"), target, new(to.Bucket, "key")).Within();

        Assert.EachEqual((true, true), (copy.Verdict.IsVerified, verified.IsSame));
        StoredChecksum stored = (await target.GetInfoAsync(to.Bucket, "key").Within()).Checksum!;
        Assert.Equal((await source.GetInfoAsync(from.Bucket, "key").Within()).Checksum, stored);
        Assert.Equal(algorithm, stored.Algorithm);
    }

    /// <summary>A copy inside the store computes another algorithm if the request names one.</summary>
    [Theory]
    [MemberData(nameof(Algorithms))]
    public async Task CopyObject_OtherAlgorithm_IsComputedByTheServer(ChecksumAlgorithm algorithm)
    {
        await using Store store = await Store.StartAsync(Store.Embedded);
        byte[] content = Pattern.Bytes(100_001);
        await SdkUploads.PutAsync(store, content, algorithm == ChecksumAlgorithm.Crc32 ? ChecksumAlgorithm.Crc32C : ChecksumAlgorithm.Crc32);

        await store.S3.CopyObjectAsync(new CopyObjectRequest
        {
            SourceBucket = store.Bucket,
            SourceKey = "key",
            DestinationBucket = store.Bucket,
            DestinationKey = "copy",
            ChecksumAlgorithm = SdkChecksums.Algorithm(algorithm),
        }).Within();
        ObjectInfo info = await Client(store).GetInfoAsync(store.Bucket, "copy").Within();

        Assert.Equal(new StoredChecksum { Algorithm = algorithm, Value = SdkUploads.Sum(algorithm, content), IsComposite = false }, info.Checksum);
    }

    [Theory]
    [InlineData("XXHASH128", "FULL_OBJECT")]
    [InlineData("SHA512", "FULL_OBJECT")]
    [InlineData("MD5", "FULL_OBJECT")]
    [InlineData("CRC64NVME", "COMPOSITE")]
    public async Task CreateMultipartUpload_TypeThatTheAlgorithmDoesNotHave_IsRefused(string algorithm, string type)
    {
        await using Store store = await Store.StartAsync(Store.Embedded);

        AmazonS3Exception e = await Assert.ThrowsAsync<AmazonS3Exception>(() => store.S3.InitiateMultipartUploadAsync(
            new InitiateMultipartUploadRequest { BucketName = store.Bucket, Key = "key", ChecksumAlgorithm = new(algorithm), ChecksumType = new(type) }).Within());

        Assert.Equal("InvalidRequest", e.ErrorCode);
        Assert.Contains(algorithm.ToLowerInvariant(), e.Message, StringComparison.Ordinal);
    }

    /// <summary>A store that doesn't know the algorithm, such as MinIO, ignores it, or refuses it. Neither looks like success.</summary>
    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task XxHash_StoreThatDoesNotKnowIt_IsNotVerifiedOrRefusedByName(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        bool isKnown = storeName == Store.Embedded;

        foreach (int length in new[] { 1000, Large })
        {
            UploadResult? result = null;
            Exception? e = await Record.ExceptionAsync(
                async () => result = await client.UploadAsync(new ReadOnlySequence<byte>(Pattern.Bytes(length)), store.Bucket, "key", Options(ChecksumAlgorithm.XxHash64)).Within());

            Assert.Equal(isKnown, result?.Verdict.IsVerified == true);
            Assert.True(e is null || (!isKnown && e.Message.Contains("xxhash64 checksums, use Checksum Auto", StringComparison.Ordinal)), e?.Message);
        }
    }

    private static UploadOptions Options(ChecksumAlgorithm algorithm) => new() { Checksum = algorithm, PartSizeBytes = 5 * MiB, MultipartThresholdBytes = 5 * MiB };
}
