using System.Net;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Download;

public sealed class DownloadFailureTests : TransferTest
{
    private const int Part = 64 * 1024;

    [Fact]
    public async Task Part_FailsAndThenSucceeds_IsRetriedAfterABackoff()
    {
        byte[] content = S3.Put(3 * Part);
        int failures = 2;
        S3.Before = (call, _) => call.First == Part && Interlocked.Decrement(ref failures) >= 0 ? throw FakeS3.Busy() : Task.CompletedTask;
        MemoryStream target = new();

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target).Within();

        Assert.Equal(content, target.ToArray());
        Assert.Equal(2, result.Statistics.Retries);
        Assert.InRange(Time.Delays.Count, 1, 2); // a jitter of zero sets no timer
        Assert.All(Time.Delays, delay => Assert.InRange(delay.TotalMilliseconds, 0, 200));
    }

    [Fact]
    public async Task Part_BacksOff_IsNotSentEarly()
    {
        S3.Put(Part);
        TransferClient client = NewClient();
        Time.SkipDelaysBelow = TimeSpan.Zero;
        int failures = 1;
        S3.Before = (call, _) => call.Operation == S3Call.Get && Interlocked.Decrement(ref failures) >= 0
            ? throw FakeS3.Error(HttpStatusCode.ServiceUnavailable, "SlowDown")
            : Task.CompletedTask;
        Task<DownloadResult> downloading = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream());

        await Time.AdvanceToTimerAsync(TimeSpan.FromSeconds(1));

        DownloadResult result = await downloading.Within();
        Assert.Equal(1, result.Statistics.Retries);
    }

    [Theory]
    [InlineData("Retry-After", "7")]
    [InlineData("x-amz-retry-after", "7000")]
    public async Task Part_RetryAfter_IsAddedToTheBackoff(string header, string value)
    {
        byte[] content = S3.Put(Part);
        int failures = 2;
        S3.Before = (call, _) => call.Operation == S3Call.Get && Interlocked.Decrement(ref failures) >= 0 ? throw FakeS3.SlowDown(header, value) : Task.CompletedTask;
        MemoryStream target = new();

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target).Within();

        Assert.Equal(content, target.ToArray());
        Assert.EachEqual((2, 2), (result.Statistics.Retries, Time.Delays.Count));
        Assert.InRange(Time.Delays[0], TimeSpan.FromSeconds(7), TimeSpan.FromSeconds(8));
        Assert.InRange(Time.Delays[1], TimeSpan.FromSeconds(7), TimeSpan.FromSeconds(9));
    }

    [Fact]
    public async Task Part_FailsEveryAttempt_ErrorNamesBucketKeyRangeAndAttempts()
    {
        S3.Put(3 * Part);
        S3.Before = (call, _) => call.First == Part ? throw FakeS3.Busy() : Task.CompletedTask;

        TransferException error = await Assert.ThrowsAsync<TransferException>(
            () => NewClient(o => o.MaxAttempts = 3).DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within());

        Assert.EachEqual((FakeS3.Bucket, FakeS3.Key, Part, Part, 3), (error.Bucket, error.Key, error.RangeOffset, error.RangeLength, error.Attempts));
        Assert.EachEqual((HttpStatusCode.InternalServerError, "InternalError", "REQUEST-ID"), (error.StatusCode, error.ErrorCode, error.RequestId));
        Assert.Contains($"bytes {Part}-{(2 * Part) - 1}", error.Message, StringComparison.Ordinal);
        Assert.Equal(3, S3.Gets.Count(call => call.First == Part));
    }

    [Fact]
    public async Task Part_PermanentError_IsNotRetried()
    {
        S3.Put(3 * Part);
        S3.Before = (call, _) => call.First == Part ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;

        TransferException error = await Assert.ThrowsAsync<TransferException>(
            () => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within());

        Assert.EachEqual((1, "AccessDenied"), (error.Attempts, error.ErrorCode));
    }

    [Fact]
    public async Task Read_PartFails_ThisAndEveryLaterReadThrows()
    {
        S3.Put(3 * Part);
        S3.Before = (call, _) => call.First == Part ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;
        await using ObjectReadStream stream = await NewClient().OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();

        await Assert.ThrowsAsync<TransferException>(() => OrderedDownloadTests.ReadAllAsync(stream));

        await Assert.ThrowsAsync<TransferException>(() => stream.ReadAsync(new byte[1]).AsTask().Within());
        await Assert.ThrowsAsync<TransferException>(async () => await stream.Reader.ReadAsync());
        Assert.Null(stream.Verdict);
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(1, false)]
    [InlineData(4095, false)]
    [InlineData(4096, false)]
    [InlineData(4097, true)]
    [InlineData(Part - 1, true)]
    public async Task Body_ConnectionIsClosed_ContinuesAtThatByteWithIfMatch(int after, bool ends)
    {
        byte[] content = S3.Put(3 * Part);
        int broken = 0;
        S3.Body = (call, bytes) => call.First == Part && Interlocked.Exchange(ref broken, 1) == 0
            ? (ends ? new ScriptedStream(bytes[..after]) : new ScriptedStream(bytes) { CueAt = after, Cue = ScriptedStream.Throw(new IOException("reset")) })
            : new ScriptedStream(bytes);
        MemoryStream target = new();

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target).Within();

        Assert.Equal(content, target.ToArray());
        Assert.True(result.Verdict.IsVerified);
        Assert.EachEqual((1, 5 + 0), (result.Statistics.Retries, result.Statistics.Requests));
        S3Call resumed = S3.Gets.Where(call => call.First >= Part && call.First < 2 * Part).MaxBy(call => call.Number)!;
        Assert.EachEqual((Part + after, (2 * Part) - 1, S3.Objects[FakeS3.Key].ETag), (resumed.First, resumed.Last, resumed.IfMatch));
    }

    [Fact]
    public async Task Body_ConnectionIsClosedRepeatedly_SharesTheAttempts()
    {
        S3.Put(Part);
        S3.Body = (_, bytes) => new ScriptedStream(bytes) { CueAt = 100, Cue = ScriptedStream.Throw(new IOException("reset")) };

        TransferException error = await Assert.ThrowsAsync<TransferException>(
            () => NewClient(o => o.MaxAttempts = 4).DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within());

        Assert.Equal(4, error.Attempts);
        Assert.Equal([0L, 100, 200, 300], S3.Gets.Select(call => call.First!.Value));
    }

    [Fact]
    public async Task Body_ConnectionIsClosedRepeatedlyWithProgress_Completes()
    {
        byte[] content = S3.Put(Part);
        S3.Body = (_, bytes) => new ScriptedStream(bytes) { CueAt = 5000, Cue = ScriptedStream.Throw(new IOException("reset")) };
        MemoryStream target = new();

        DownloadResult result = await NewClient(o => o.MaxAttempts = 2).DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, new DownloadOptions { Verify = false }).Within();

        Assert.Equal(content, target.ToArray());
        Assert.EachEqual((Part / 5000, (Part / 5000) + 1), (result.Statistics.Retries, result.Statistics.Requests));
    }

    [Fact]
    public async Task Part_ThrottledMoreOftenThanMaxAttempts_Continues()
    {
        byte[] content = S3.Put(3 * Part);
        int throttled = 12;
        S3.Before = (call, _) => call.First == Part && Interlocked.Decrement(ref throttled) >= 0
            ? throw FakeS3.Error(HttpStatusCode.ServiceUnavailable, "SlowDown")
            : Task.CompletedTask;
        TransferClient client = NewClient(o => o.MaxAttempts = 2);
        Time.SkipDelaysBelow = TimeSpan.FromSeconds(25);
        MemoryStream target = new();

        DownloadResult result = await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target).Within();

        Assert.Equal(content, target.ToArray());
        Assert.Equal(12, result.Statistics.Retries);
    }

    [Fact]
    public async Task Part_OnlyThrottled_FailsAfterTheTimeLimit()
    {
        S3.Put(Part);
        S3.Before = (_, _) => throw FakeS3.Error(HttpStatusCode.ServiceUnavailable, "SlowDown");
        TransferClient client = NewClient(o => o.MaxAttempts = 2);
        Time.SkipDelaysBelow = TimeSpan.FromSeconds(25);

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within());

        Assert.Equal("SlowDown", error.ErrorCode);
        Assert.InRange(error.Attempts, 6, 100);
        Assert.InRange(TimeSpan.FromTicks(Time.GetTimestamp()), TimeSpan.FromMinutes(2), TimeSpan.FromMinutes(2.5));
    }

    [Fact]
    public async Task Part_OneResponseIgnoresTheRange_IsRetried()
    {
        byte[] content = S3.Put(5 * Part);
        int ignored = 2; // by two servers in a row
        S3.Answer = (call, response) =>
        {
            if (call.First == 3 * Part && Interlocked.Decrement(ref ignored) >= 0)
            {
                (response.ContentRange, response.ContentLength, response.HttpStatusCode) = (null, 5 * Part, HttpStatusCode.OK);
            }
        };
        MemoryStream target = new();

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target).Within();

        Assert.Equal(content, target.ToArray());
        Assert.Equal(2, result.Statistics.Retries);
    }

    [Fact]
    public async Task Range_FirstResponseIgnoresIt_IsRetried()
    {
        byte[] content = S3.Put(3 * Part);
        int ignored = 1;
        S3.Answer = (call, response) =>
        {
            if (Interlocked.Decrement(ref ignored) >= 0)
            {
                (response.ContentRange, response.ContentLength, response.HttpStatusCode) = (null, 3 * Part, HttpStatusCode.OK);
            }
        };
        MemoryStream target = new();

        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, new DownloadOptions { Range = ObjectRange.From(100, 1000) }).Within();

        Assert.Equal(content[100..1100], target.ToArray());
    }

    [Fact]
    public async Task Body_DisposeThrows_SlotAndChunksAreReturned()
    {
        S3.Put(Part);
        TransferClient client = NewClient(o => o.MaxConcurrency = 1);
        S3.Body = (_, bytes) => new ScriptedStream(bytes) { CueAt = 100, Cue = ScriptedStream.Throw(new IOException("reset")), DisposeError = new IOException("on dispose") };
        await Assert.ThrowsAnyAsync<Exception>(() => client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within());
        S3.Body = null;

        await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within();

        Assert.Equal(0, client.RentedBytes);
    }

    [Theory]
    [InlineData("bytes 0-65535/196608")]
    [InlineData("bytes 65536-131070/196608")]
    [InlineData("bytes 65536-131071/*")]
    [InlineData("pages 1-2/3")]
    public async Task Response_DifferentRange_Throws(string contentRange)
    {
        S3.Put(3 * Part);
        S3.Answer = (call, response) => response.ContentRange = call.First == Part ? contentRange : response.ContentRange;

        TransferException error = await Assert.ThrowsAsync<TransferException>(
            () => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within());

        Assert.Contains(contentRange, error.Message, StringComparison.Ordinal);
        Assert.Equal(Part, error.RangeOffset);
    }

    [Fact]
    public async Task Response_WholeObjectForALaterRange_Throws()
    {
        S3.Put(3 * Part);
        S3.Answer = (call, response) =>
        {
            if (call.First == Part)
            {
                response.ContentRange = null;
                response.ContentLength = 3 * Part;
            }
        };

        await Assert.ThrowsAsync<TransferException>(() => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within());
    }

    [Theory]
    [InlineData("\"another\"", null)]
    [InlineData(null, "bytes 65536-131071/999999")]
    public async Task Response_DifferentETagOrLength_ObjectChanged(string? etag, string? contentRange)
    {
        S3.Put(3 * Part);
        S3.Answer = (call, response) =>
        {
            response.ETag = call.First == Part ? etag ?? response.ETag : response.ETag;
            response.ContentRange = call.First == Part ? contentRange ?? response.ContentRange : response.ContentRange;
        };

        TransferException error = await Assert.ThrowsErrorAsync(
            TransferError.ObjectChanged, () => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within());

        Assert.EachEqual((FakeS3.Bucket, FakeS3.Key), (error.Bucket, error.Key));
    }

    [Fact]
    public async Task Object_ReplacedMeanwhile_ObjectChanged()
    {
        S3.Put(20 * Part);
        Gate gate = new();
        S3.Before = (call, token) => call.First is > 0 ? gate.PassAsync(token) : Task.CompletedTask;
        Task<DownloadResult> downloading = NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream());
        await gate.Reached;
        S3.Objects[FakeS3.Key] = new FakeObject(Sample.Bytes(20 * Part, seed: 2), "\"another\"");

        gate.Open();

        TransferException error = await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => downloading.Within());
        Assert.Equal(HttpStatusCode.PreconditionFailed, error.StatusCode);
    }

    [Theory]
    [InlineData("not hex at all")]
    [InlineData("\"not-hex-3\"")]
    [InlineData("W/\"weak\"")]
    [InlineData(null)]
    public async Task Object_UnusualETag_IsDownloaded(string? etag)
    {
        byte[] content = Sample.Bytes(3 * Part);
        S3.Objects[FakeS3.Key] = new FakeObject(content, etag);
        MemoryStream target = new();

        // Some stores send an ETag without quotes. The condition sent back has them.
        S3.Before = (call, _) =>
        {
            S3.Objects[FakeS3.Key] = new FakeObject(content, call.IfMatch ?? etag);
            return Task.CompletedTask;
        };
        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target).Within();

        Assert.Equal(content, target.ToArray());
    }

    [Fact]
    public async Task Destination_Throws_ErrorIsPassedOnAndMemoryIsReturned()
    {
        S3.Put(20 * Part);

        await Assert.ThrowsAsync<NotSupportedException>(
            () => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(new byte[Part + 5])).Within());
    }
}
