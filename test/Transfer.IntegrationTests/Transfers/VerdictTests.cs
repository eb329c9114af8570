using System.IO.Pipelines;
using Amazon.S3;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.IntegrationTests.Wire;
using Transfer.S3.Server;
using Transfer.S3.TransferUtility;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Downloads of objects that the AWS SDK stored, with every kind of checksum that a store supports.</summary>
public class VerdictTests : TransferSuite
{
    private const int MiB = 1024 * 1024;
    private const int Length = (11 * MiB) + 1;

    private string Target => Path.Combine(Folder, "target");

    [Theory]
    [Stores(ChecksumAlgorithm.Crc64Nvme, ChecksumAlgorithm.Crc32C, ChecksumAlgorithm.Crc32, ChecksumAlgorithm.Sha256, ChecksumAlgorithm.Sha1, ChecksumAlgorithm.None)]
    public async Task SinglePartObject_IsVerifiedByTheStoredChecksum(string storeName, ChecksumAlgorithm algorithm)
    {
        await using Store store = await Store.StartAsync(storeName);
        byte[] content = Pattern.Bytes((3 * MiB) + 1);
        await SdkUploads.PutAsync(store, content, algorithm);

        // If no checksum is sent, Amazon S3 and the embedded server compute CRC-64/NVME. MinIO computes none, and its ETag is an MD5.
        ChecksumAlgorithm expected = algorithm != ChecksumAlgorithm.None ? algorithm
            : storeName.StartsWith(Store.Minio, StringComparison.Ordinal) ? ChecksumAlgorithm.Md5
            : ChecksumAlgorithm.Crc64Nvme;
        await AssertVerifiedAsync(store, content, expected, SdkUploads.Sum(expected, content));
    }

    [Theory]
    [Stores("Crc32C 5242880 5242880", "Crc32C 5242880 6291456", "Crc32 6000000 5242881", "Sha256 5242880 5242880", "Sha256 5300000 6000000", "Sha1 5242880 6291456")]
    public async Task MultipartObject_IsVerifiedByItsChecksum(string storeName, string kind)
    {
        await using Store store = await Store.StartAsync(storeName);
        byte[] content = Pattern.Bytes(Length);
        ChecksumAlgorithm algorithm = Enum.Parse<ChecksumAlgorithm>(kind.Split(' ')[0]);
        int[] parts = [.. kind.Split(' ').Skip(1).Select(int.Parse)];
        parts = [.. parts, Length - parts.Sum()];
        await SdkUploads.PutPartsAsync(store, content, algorithm, ChecksumType.COMPOSITE, parts);

        await AssertVerifiedAsync(store, content, algorithm, DamagedStore.Sum(content, algorithm, parts));
    }

    [Theory]
    [Stores]
    public async Task Directory_EachFileIsVerified(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        byte[] content = Pattern.Bytes(100_001);
        await SdkUploads.PutAsync(store, content, ChecksumAlgorithm.Sha256);
        List<Outcome> outcomes = [];

        DirectoryResult result = await Client(store).DownloadDirectoryAsync(
            store.Bucket, string.Empty, Target, new DirectoryOptions { ObjectEnded = outcomes.Add }).Within();

        Assert.EachEqual((1L, 1L), (result.Counts.Copied, result.Counts.Verified));
        ChecksumVerdict? verdict = Assert.Single(outcomes).Verdict;
        Assert.EachEqual((true, ChecksumAlgorithm.Sha256), (verdict!.IsVerified, verdict.Algorithm));
    }

    /// <summary>The adapter sends no additional request for the lengths of the parts.</summary>
    [Fact]
    public async Task Adapter_MultipartObject_SendsNoAdditionalRequests()
    {
        await using EmbeddedStore store = (EmbeddedStore)await Store.StartAsync(Store.Embedded);
        await SdkUploads.PutPartsAsync(store, Pattern.Bytes(Length), ChecksumAlgorithm.Sha256, ChecksumType.COMPOSITE, [5 * MiB, 5 * MiB, MiB + 1]);
        int before = store.Server.Requests.Count;
        using TransferUtilityAdapter adapter = new(store.S3);

        await adapter.DownloadAsync(Target, store.Bucket, "key").Within();

        AssertPattern(Target, Length);
        RequestRecord[] requests = [.. store.Server.Requests.Skip(before)];
        Assert.Equal(3, requests.Count(request => request.Range is not null)); // the first part, and the rest in two ranges
        Assert.Single(requests, request => request.Range is null); // the checksum
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task OneBitDiffers_IsAMismatchAndLeavesNothing(TransferWire wire)
    {
        byte[] content = Pattern.Bytes((3 * MiB) + 1);
        (ChecksumAlgorithm Algorithm, int[] Parts)[] kinds =
        [
            (ChecksumAlgorithm.Crc64Nvme, []),
            (ChecksumAlgorithm.Sha256, []),
            (ChecksumAlgorithm.Md5, []),
            (ChecksumAlgorithm.Crc32C, [MiB, MiB, MiB + 1]),
            (ChecksumAlgorithm.Crc32C, [MiB, 1_500_000, (2 * MiB) + 1 - 1_500_000]),
            (ChecksumAlgorithm.Sha256, [MiB, 2 * MiB, 1]),
        ];
        foreach ((ChecksumAlgorithm algorithm, int[] parts) in kinds)
        {
            DamagedStore damaged = new(content, DamagedStore.Damaged(content), algorithm, parts);
            DamagedStore sound = new(content, content, algorithm, parts);
            await using ScriptedServer bad = new(damaged.Answer);
            await using ScriptedServer good = new(sound.Answer);
            using AmazonS3Client badS3 = WireTest.S3(bad.Url);
            using AmazonS3Client goodS3 = WireTest.S3(good.Url);
            await using TransferClient badClient = new(badS3, new TransferClientOptions { Advanced = { Wire = wire }, DownloadPartSizeBytes = MiB / 2 });
            await using TransferClient goodClient = new(goodS3, new TransferClientOptions { Advanced = { Wire = wire }, DownloadPartSizeBytes = MiB / 2 });

            DownloadResult result = await goodClient.DownloadAsync("bucket", "key", Target).Within();
            File.Delete(Target);
            ChecksumMismatchException file = await Assert.ThrowsAsync<ChecksumMismatchException>(() => badClient.DownloadAsync("bucket", "key", Target).Within());
            ChecksumMismatchException stream = await Assert.ThrowsAsync<ChecksumMismatchException>(() => badClient.DownloadAsync("bucket", "key", Stream.Null).Within());

            Assert.EachEqual((true, damaged.Checksum), (result.Verdict.IsVerified, result.Verdict.Value));
            Assert.EachEqual((algorithm, damaged.Checksum, file.Actual), (file.Algorithm, file.Expected, stream.Actual));
            Assert.Empty(Directory.EnumerateFileSystemEntries(Folder));
            Assert.Equal(0, badClient.RentedBytes);
        }
    }

    private async Task AssertVerifiedAsync(Store store, byte[] content, ChecksumAlgorithm algorithm, string value)
    {
        TransferClient client = Client(store, o => o.DownloadPartSizeBytes = MiB);
        ChecksumVerdict file = (await client.DownloadAsync(store.Bucket, "key", Target).Within()).Verdict;
        using MemoryStream memory = new();
        ChecksumVerdict copied = (await client.DownloadAsync(store.Bucket, "key", memory).Within()).Verdict;
        ChecksumVerdict small = (await client.DownloadAsync(
            store.Bucket, "key", Target, new DownloadOptions { Hint = new ObjectHint { Length = content.Length }, PartSizeBytes = content.Length }).Within()).Verdict;
        await using ObjectReadStream stream = await client.OpenReadAsync(store.Bucket, "key").Within();
        ReadResult read;
        do
        {
            read = await stream.Reader.ReadAsync().Within();
            stream.Reader.AdvanceTo(read.Buffer.End);
        }
        while (!read.IsCompleted);

        AssertPattern(Target, content.Length);
        Assert.Equal(content, memory.ToArray());
        Assert.All([file, copied, small, stream.Verdict!], verdict => Assert.EachEqual((true, algorithm, value), (verdict.IsVerified, verdict.Algorithm, verdict.Value)));
    }
}
