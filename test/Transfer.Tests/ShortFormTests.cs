using System.Net;
using Amazon.S3;
using Microsoft.Extensions.Logging;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests;

/// <summary>What programs do most with small objects, in one line.</summary>
public sealed class ShortFormTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData((2 * Part) + 1)]
    public async Task Bytes_AreUploadedAndDownloaded(int size)
    {
        byte[] content = Sample.Bytes(size);
        TransferClient client = NewClient();

        UploadResult uploaded = await client.UploadAsync(content, FakeS3.Bucket, "bytes").Within();
        byte[] downloaded = await client.DownloadBytesAsync(FakeS3.Bucket, "bytes").Within();

        Assert.True(uploaded.Verdict.IsVerified);
        Assert.Equal(content, S3.Published("bytes"));
        Assert.Equal(content, downloaded);
    }

    [Fact]
    public async Task RangeOfBytes_IsDownloaded()
    {
        byte[] content = Sample.Bytes(1000);
        S3.Objects["range"] = FakeObject.Checked(content);

        Assert.Equal(content[100..300], await NewClient().DownloadBytesAsync(FakeS3.Bucket, "range", new DownloadOptions { Range = ObjectRange.From(100, 200) }).Within());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1000)]
    public async Task Bytes_DamagedContent_IsRefused(int size)
    {
        S3.Objects["damaged"] = FakeObject.Checked(Sample.Bytes(size)) with { Crc64Nvme = "AAAAAAAAAAE=", Crc64NvmeInGet = "AAAAAAAAAAE=" };

        await Assert.ThrowsAsync<ChecksumMismatchException>(() => NewClient().DownloadBytesAsync(FakeS3.Bucket, "damaged").Within());
    }

    [Fact]
    public async Task Bytes_MoreThanAnArrayCanHave_AreRefused()
    {
        FakeHttp http = new(request =>
        {
            string[] ends = FakeHttp.Header(request, "Range")!["bytes=".Length..].Split('-');
            int length = (int)(long.Parse(ends[1], null) - long.Parse(ends[0], null)) + 1;
            return FakeHttp.Answer(HttpStatusCode.PartialContent, new byte[length], headers: [("ETag", "\"e\""), ("Content-Range", $"bytes {ends[0]}-{ends[1]}/{3L << 30}")]);
        });
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = new(s3);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.DownloadBytesAsync(FakeHttp.Bucket, FakeHttp.Key).Within());

        Assert.Contains("3221225472 bytes, and an array can have 2147483591", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Exists_TellsWhetherThereIsAnObject()
    {
        S3.Put("there", 1);
        TransferClient client = NewClient();

        Assert.True(await client.ExistsAsync(FakeS3.Bucket, "there").Within());
        Assert.False(await client.ExistsAsync(FakeS3.Bucket, "missing").Within());
        Assert.Equal([S3Call.Head, S3Call.Head], S3.Calls.Select(call => call.Operation));
    }

    [Fact]
    public async Task Exists_NotAllowed_IsNotFalse()
    {
        S3.Before = (_, _) => throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");

        await Assert.ThrowsErrorAsync(TransferError.AccessDenied, () => NewClient().ExistsAsync(FakeS3.Bucket, "key").Within());
    }

    [Theory]
    [InlineData("NoSuchKey")]
    [InlineData("NoSuchBucket")]
    public async Task WhatIsMissing_IsNamedWithoutARange(string code)
    {
        S3.Before = (_, _) => throw FakeS3.Error(HttpStatusCode.NotFound, code);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().DownloadBytesAsync(FakeS3.Bucket, "missing").Within());

        Assert.StartsWith($"s3://{FakeS3.Bucket}/missing: {code}", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, false, 0)]
    [InlineData(10, true, 0)]
    [InlineData(10, false, 1)]
    [InlineData(Part + 10, false, 1)]
    public async Task WrittenStream_DisposedWithoutComplete_IsAWarning(int size, bool completes, int warnings)
    {
        using LogLines log = new();
        TransferClient client = NewClient(options => options.LoggerFactory = new LoggerFactory([log]));
        ObjectWriteStream stream = await client.OpenWriteAsync(FakeS3.Bucket, "written").Within();
        await stream.WriteAsync(Sample.Bytes(size)).Within();
        if (completes)
        {
            await stream.CompleteAsync().Within();
        }

        await stream.DisposeAsync().AsTask().Within();

        string[] told = [.. log.Written.Where(line => line.Contains("without a call of CompleteAsync", StringComparison.Ordinal))];
        Assert.Equal(warnings, told.Length);
        Assert.All(told, line => Assert.StartsWith($"Warning: The stream that writes s3://{FakeS3.Bucket}/written", line, StringComparison.Ordinal));
        Assert.All(told, line => Assert.Contains($"its {size} bytes were discarded", line, StringComparison.Ordinal));
    }
}
