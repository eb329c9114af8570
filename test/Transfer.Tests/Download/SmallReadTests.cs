using System.Net;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Verify;
using Transfer.S3.Verification;

namespace Transfer.S3.Tests.Download;

/// <summary>How many requests an object costs that is returned whole in the first response, without a checksum.</summary>
public sealed class SmallReadTests : TransferTest
{
    private const int MiB = 1024 * 1024;
    private const string NoMd5 = "\"0123456789abcdef0123456789abcdef-3\"";

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(100_000)]
    [InlineData(MiB)]
    public async Task ETag_IsAnMd5_NoChecksumRequest(int length)
    {
        byte[] content = Sample.Bytes(length);
        S3.Objects[FakeS3.Key] = new FakeObject(content, Sums.Tag(content));

        ChecksumVerdict verdict = await ReadAsync(NewClient(Large), content);

        Assert.EachEqual((true, ChecksumAlgorithm.Md5), (verdict.IsVerified, verdict.Algorithm));
        Assert.Equal(length == 0 ? 2 : 1, S3.Calls.Count); // an empty object can't be requested by range
    }

    [Fact]
    public async Task ETag_DiffersFromTheContent_IsAMismatch()
    {
        byte[] content = Sample.Bytes(1000);
        S3.Objects[FakeS3.Key] = new FakeObject(content, Sums.Tag(Sample.Bytes(1000, 5)));

        await Assert.ThrowsAsync<ChecksumMismatchException>(() => ReadAsync(NewClient(Large), content));
    }

    [Theory]
    [InlineData(MiB + 1, null, true)]
    [InlineData(1000, "aws:kms", true)]
    [InlineData(1000, null, false)]
    public async Task ETag_ComparisonIsTurnedOff_RequestsTheChecksum(int length, string? encryption, bool verifyMd5)
    {
        byte[] content = Sample.Bytes(length);
        S3.Objects[FakeS3.Key] = FakeObject.Checked(content) with { ETag = Sums.Tag(content), Encryption = encryption };

        ChecksumVerdict verdict = await ReadAsync(NewClient(Large), content, new DownloadOptions { VerifyMd5 = verifyMd5 });

        Assert.EachEqual((true, ChecksumAlgorithm.Crc64Nvme), (verdict.IsVerified, verdict.Algorithm));
        Assert.Equal(1, S3.GetCount(S3Call.Attributes));
    }

    [Theory]
    [InlineData(null, 1)]
    [InlineData(HttpStatusCode.Forbidden, 2)]
    [InlineData(HttpStatusCode.NotImplemented, 2)]
    public async Task Store_ReturnedNoChecksumSeveralTimes_IsNotAskedForTheNextThousand(HttpStatusCode? refusal, int requestsToAsk)
    {
        byte[] content = Sample.Bytes(100);
        S3.Objects[FakeS3.Key] = new FakeObject(content, NoMd5);
        S3.Before = (call, _) => call.Operation != S3Call.Get && refusal is { } status ? throw FakeS3.Error(status, "no") : Task.CompletedTask;
        TransferClient client = NewClient();
        for (int i = 0; i < ChecksumLookup.Few; i++)
        {
            await ReadAsync(client, content);
        }

        int asked = S3.Calls.Count - S3.GetCount(S3Call.Get);
        Assert.InRange(asked, ChecksumLookup.Few, ChecksumLookup.Few * requestsToAsk);
        for (int i = 0; i < ChecksumLookup.Skipped; i++)
        {
            ChecksumVerdict verdict = await ReadAsync(client, content);
            Assert.False(verdict.IsVerified);
            Assert.Contains("was not asked", verdict.Reason, StringComparison.Ordinal);
        }

        Assert.Equal(asked, S3.Calls.Count - S3.GetCount(S3Call.Get));

        // The store may have started to return checksums, so it is asked again.
        S3.Before = (_, _) => Task.CompletedTask;
        S3.Objects[FakeS3.Key] = FakeObject.Checked(content) with { ETag = NoMd5 };
        for (int i = 0; i < 10; i++)
        {
            Assert.True((await ReadAsync(client, content)).IsVerified);
        }
    }

    [Fact]
    public async Task Bucket_ReturnedNoChecksum_OthersAreStillAsked()
    {
        byte[] content = Sample.Bytes(100);
        S3.Objects[FakeS3.Key] = new FakeObject(content, NoMd5);
        TransferClient client = NewClient();
        for (int i = 0; i < 2 * ChecksumLookup.Few; i++)
        {
            await ReadAsync(client, content);
        }

        S3.Objects[FakeS3.Key] = FakeObject.Checked(content) with { ETag = NoMd5 };

        Assert.False((await ReadAsync(client, content)).IsVerified);
        await using ObjectReadStream stream = await client.OpenReadAsync("other-bucket", FakeS3.Key).Within();
        await stream.CopyToAsync(Stream.Null).Within();
        Assert.True(stream.Verdict!.IsVerified);
    }

    [Fact]
    public async Task Store_DidNotRespond_OtherObjectsAreStillAsked()
    {
        byte[] content = Sample.Bytes(100);
        S3.Objects[FakeS3.Key] = new FakeObject(content, NoMd5);
        S3.Before = (call, _) => call.Operation != S3Call.Get ? throw FakeS3.Error(HttpStatusCode.InternalServerError, "InternalError") : Task.CompletedTask;
        TransferClient client = NewClient(o => o.MaxAttempts = 1);
        for (int i = 0; i < 2 * ChecksumLookup.Few; i++)
        {
            ChecksumVerdict verdict = await ReadAsync(client, content);
            Assert.Contains("did not return", verdict.Reason, StringComparison.Ordinal);
        }
    }

    private static void Large(TransferClientOptions options) => options.DownloadPartSizeBytes = 2 * MiB;

    private static async Task<ChecksumVerdict> ReadAsync(TransferClient client, byte[] content, DownloadOptions? options = null)
    {
        await using ObjectReadStream stream = await client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key, options).Within();
        MemoryStream target = new();
        await stream.CopyToAsync(target).Within();
        Assert.Equal(content, target.ToArray());
        return stream.Verdict!;
    }
}
