using System.Net;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Integrity;

namespace Transfer.S3.Tests.Download;

public sealed class ChecksumTests : TransferTest
{
    private const int Part = 64 * 1024;

    [Fact]
    public async Task Content_DiffersFromTheChecksum_MismatchNamesBothValues()
    {
        byte[] content = Sample.Bytes(3 * Part);
        string expected = CrcOf.Crc64Nvme(content);
        byte[] damaged = [.. content];
        damaged[Part + 1] ^= 1;
        S3.Objects[FakeS3.Key] = new FakeObject(damaged) { Crc64Nvme = expected };
        await using ObjectReadStream stream = await NewClient().OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
        ChecksumMismatchException error = await Assert.ThrowsAsync<ChecksumMismatchException>(() => stream.ReadExactlyAsync(new byte[3 * Part]).AsTask().Within());

        Assert.EachEqual((ChecksumAlgorithm.Crc64Nvme, expected, CrcOf.Crc64Nvme(damaged)), (error.Algorithm, error.Expected, error.Actual));
        Assert.EachEqual((FakeS3.Bucket, FakeS3.Key), (error.Bucket, error.Key));
        await Assert.ThrowsAsync<ChecksumMismatchException>(() => stream.ReadAsync(new byte[1]).AsTask().Within());
        Assert.Null(stream.Verdict);
    }

    [Fact]
    public async Task FirstResponse_WholeObjectWithChecksum_NoFurtherRequest()
    {
        byte[] content = Sample.Bytes(1000);
        S3.Objects[FakeS3.Key] = new FakeObject(content) { Crc64NvmeInGet = CrcOf.Crc64Nvme(content) };

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within();

        Assert.True(result.Verdict.IsVerified);
        Assert.Single(S3.Calls);
    }

    // Amazon S3 sends the checksum of the part with a range that is exactly one stored part (Amazon S3 User Guide, "Checking object
    // integrity"). The library's defaults make such objects.
    [Fact]
    public async Task FirstResponse_ChecksumOfOnePart_IsNotUsedForTheObject()
    {
        byte[] content = Sample.Bytes(3 * Part);
        S3.Objects[FakeS3.Key] = FakeObject.Checked(content) with { Crc64NvmeInGet = CrcOf.Crc64Nvme(content.AsSpan(0, Part)) };

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within();

        Assert.True(result.Verdict.IsVerified);
        Assert.Equal(CrcOf.Crc64Nvme(content), result.Verdict.Value);
    }

    [Fact]
    public async Task Attributes_Denied_HeadIsSentAndTheDenialIsRemembered()
    {
        S3.Put(3 * Part);
        S3.Before = (call, _) => call.Operation == S3Call.Attributes ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;
        TransferClient client = NewClient();
        for (int round = 0; round < 2; round++)
        {
            DownloadResult result = await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within();
            Assert.True(result.Verdict.IsVerified);
        }

        Assert.EachEqual((1, 2), (S3.GetCount(S3Call.Attributes), S3.GetCount(S3Call.Head)));
    }

    [Fact]
    public async Task Store_ReturnsNoChecksum_VerdictSaysWhy()
    {
        S3.Objects[FakeS3.Key] = new FakeObject(Sample.Bytes(3 * Part));

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within();

        Assert.False(result.Verdict.IsVerified);
        Assert.NotNull(result.Verdict.Reason);
    }

    [Fact]
    public async Task Verify_False_NoChecksumRequest()
    {
        S3.Put(3 * Part);

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), new DownloadOptions { Verify = false }).Within();

        Assert.False(result.Verdict.IsVerified);
        Assert.Equal(3, S3.Calls.Count);
    }

    [Fact]
    public async Task Canceled_DuringTheChecksumRequest_ThrowsAndLeavesNoFile()
    {
        S3.Put(3 * Part);
        using CancellationTokenSource cancel = new();
        using TemporaryFolder folder = new();
        S3.Before = async (call, token) =>
        {
            if (call.Operation == S3Call.Attributes)
            {
                // Cancel only when every byte has arrived, so that nothing else ends the transfer.
                await Deadline.Until(() => S3.BytesRead == 3 * Part);
                await cancel.CancelAsync();
                token.ThrowIfCancellationRequested();
            }
        };

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, folder.File("target"), new DownloadOptions { Resume = false }, cancellationToken: cancel.Token).Within());

        Assert.Equal(cancel.Token, error.CancellationToken);
        Assert.Empty(folder.Files);
    }
}
