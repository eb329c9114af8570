using System.Collections.Concurrent;
using System.Net;
using Amazon.S3;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Requests;

public sealed class RequestObserverTests : TransferTest
{
    private const int Part = 64 * 1024;
    private readonly ConcurrentQueue<RequestTiming> _seen = [];

    [Fact]
    public async Task Download_EachRange_IsToldWithItsBytesAndTimes()
    {
        S3.Put(3 * Part);
        S3.Before = (_, _) =>
        {
            Time.Advance(TimeSpan.FromMilliseconds(7));
            return Task.CompletedTask;
        };

        await Observed(options => options.MaxConcurrency = 1).DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within();

        RequestTiming[] gets = [.. _seen.Where(timing => timing.Kind == RequestKind.GetObject)];
        Assert.Equal([Part, Part, Part], gets.Select(timing => timing.Bytes));
        Assert.All(gets, timing => Assert.Null(timing.Error));
        Assert.All(gets, timing => Assert.True(timing.FirstByte >= TimeSpan.FromMilliseconds(7) && timing.Duration >= timing.FirstByte));
    }

    [Fact]
    public async Task Download_AnAttemptThatFails_IsToldByItself()
    {
        S3.Put(10);
        S3.Before = (call, _) => call.Number == 1 ? throw FakeS3.Busy() : Task.CompletedTask;

        await Observed().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within();

        RequestTiming[] gets = [.. _seen.Where(timing => timing.Kind == RequestKind.GetObject)];
        Assert.Equal([false, true], gets.Select(timing => timing.Error is null));
        Assert.Equal([0, 10], gets.Select(timing => timing.Bytes));
        Assert.Equal([1, 2], gets.Select(timing => timing.Attempt));
        Assert.Equal(HttpStatusCode.InternalServerError, gets[0].StatusCode);
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task GetInfo_IsToldWithStatusAttemptAndRequestId(TransferWire wire)
    {
        int calls = 0;
        FakeHttp http = new(_ => ++calls == 1
            ? FakeHttp.Answer(HttpStatusCode.ServiceUnavailable)
            : FakeHttp.Answer(HttpStatusCode.OK, headers: ("ETag", "\"e\"")));
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = NewClient(s3, options => (options.Advanced.Wire, options.Advanced.RequestObserver) = (wire, _seen.Enqueue));

        await client.GetInfoAsync(FakeHttp.Bucket, FakeHttp.Key).Within();

        Assert.Equal(
            [(1, (HttpStatusCode?)HttpStatusCode.ServiceUnavailable, "R1"), (2, HttpStatusCode.OK, "R1")],
            _seen.Select(timing => (timing.Attempt, timing.StatusCode, timing.RequestId)));
    }

    [Fact]
    public async Task Download_ABodyThatBreaksOff_IsToldWithWhatCame()
    {
        S3.Put(10);
        S3.Body = (call, content) => call.Number == 1 ? new MemoryStream(content[..4].ToArray()) : new MemoryStream(content.ToArray());

        await Observed().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within();

        RequestTiming[] gets = [.. _seen.Where(timing => timing.Kind == RequestKind.GetObject)];
        Assert.Equal([(4L, false), (6L, true)], gets.Select(timing => (timing.Bytes, timing.Error is null)));
        Assert.IsType<EndOfStreamException>(gets[0].Error);
    }

    [Fact]
    public async Task OpenRead_GivenUpBeforeItsEnd_IsToldAsGivenUp()
    {
        S3.Put(Part);
        Gate gate = new();
        S3.Body = (_, content) => new ScriptedStream(content.ToArray()) { Cue = gate.PassAsync };
        ObjectReadStream stream = await Observed().OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
        await gate.Reached;

        await stream.DisposeAsync().Within();

        await Deadline.Until(() => _seen.Any(timing => timing.Kind == RequestKind.GetObject));
        Assert.IsAssignableFrom<OperationCanceledException>(_seen.Single(timing => timing.Kind == RequestKind.GetObject).Error);
    }

    [Fact]
    public async Task Upload_EveryKindOfRequest_IsTold()
    {
        const int part = 5 * 1024 * 1024;

        await Observed().UploadAsync(new MemoryStream(Sample.Bytes((2 * part) + 3)), FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Equal(
            [RequestKind.CreateMultipartUpload, RequestKind.UploadPart, RequestKind.UploadPart, RequestKind.UploadPart, RequestKind.CompleteMultipartUpload],
            _seen.Select(timing => timing.Kind).Order());
        Assert.Equal((2 * part) + 3, _seen.Sum(timing => timing.Bytes));
    }

    [Fact]
    public async Task Observer_IsCalledInTheContextOfItsCaller()
    {
        S3.Put(3 * Part);
        AsyncLocal<string?> mark = new();
        ConcurrentQueue<string?> marks = [];
        TransferClient client = NewClient(options => options.Advanced.RequestObserver = _ => marks.Enqueue(mark.Value));
        mark.Value = "mine";

        await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within();

        Assert.True(marks.Count >= 3);
        Assert.All(marks, seen => Assert.Equal("mine", seen));
    }

    [Fact]
    public async Task Observer_ThatThrows_IsIgnored()
    {
        byte[] content = S3.Put(3 * Part);
        MemoryStream target = new();

        await NewClient(options => options.Advanced.RequestObserver = _ => throw new InvalidOperationException("mine")).DownloadAsync(FakeS3.Bucket, FakeS3.Key, target).Within();

        Assert.Equal(content, target.ToArray());
    }

    [Fact]
    public async Task GetInfo_OfAnObject_IsOneHead()
    {
        byte[] content = S3.Put(10);

        ObjectInfo info = await Observed().GetInfoAsync(FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Equal(content.Length, info.Length);
        Assert.NotNull(info.ETag);
        Assert.Equal(S3Call.Head, Assert.Single(S3.Calls).Operation);
        Assert.Equal(RequestKind.HeadObject, Assert.Single(_seen).Kind);
    }

    [Fact]
    public async Task GetInfo_OfNothing_FailsWithNotFound()
    {
        TransferException error = await Assert.ThrowsAsync<TransferException>(() => NewClient().GetInfoAsync(FakeS3.Bucket, "nothing").Within());
        Assert.EachEqual((HttpStatusCode.NotFound, "nothing"), (error.StatusCode, error.Key));
    }

    [Fact]
    public async Task GetInfo_OptionsAndFailures_AreThoseOfARequest()
    {
        S3.Put(10);
        S3.Before = (call, _) => call.Number == 1 ? throw FakeS3.Busy() : Task.CompletedTask;

        await NewClient().GetInfoAsync(FakeS3.Bucket, FakeS3.Key, new ObjectAccessOptions { VersionId = "v", RequesterPays = true }).Within();

        Amazon.S3.Model.GetObjectMetadataRequest request = Assert.IsType<Amazon.S3.Model.GetObjectMetadataRequest>(S3.Calls.Last().Request);
        Assert.EachEqual((2, "v", Amazon.S3.RequestPayer.Requester), (S3.Calls.Count, request.VersionId, request.RequestPayer));
    }

    private TransferClient Observed(Action<TransferClientOptions>? configure = null) => NewClient(options =>
    {
        options.Advanced.RequestObserver = _seen.Enqueue;
        configure?.Invoke(options);
    });
}
