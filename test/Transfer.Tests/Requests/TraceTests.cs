using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using Amazon.S3;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Requests;

/// <summary>Spans are children of the test's own span, so that those of other tests aren't seen.</summary>
#pragma warning disable CA1001 // xunit calls the asynchronous dispose
public sealed class TraceTests : TransferTest
#pragma warning restore CA1001
{
    private const int Part = 64 * 1024;
    private readonly ConcurrentQueue<Activity> _ended = [];
    private readonly Activity _caller = new Activity("caller").SetIdFormat(ActivityIdFormat.W3C).Start();
    private readonly List<ActivityListener> _listeners = [];

    public override async Task DisposeAsync()
    {
        _listeners.ForEach(static listener => listener.Dispose());
        _caller.Dispose();
        await base.DisposeAsync();
    }

    [Fact]
    public async Task Download_OneSpan_UnderTheCallers()
    {
        Listen(TransferClient.ActivitySourceName);
        S3.Put(3 * Part);

        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within();

        Activity span = Assert.Single(_ended);
        Assert.Equal("download", span.OperationName);
        Assert.Equal(_caller.SpanId, span.ParentSpanId);
        Assert.Equal(FakeS3.Bucket, span.GetTagItem("aws.s3.bucket"));
        Assert.Equal(FakeS3.Key, span.GetTagItem("aws.s3.key"));
        Assert.Equal(3L * Part, span.GetTagItem("transfer.s3.bytes"));
        Assert.Equal(ActivityStatusCode.Unset, span.Status);
        Assert.Same(_caller, Activity.Current);
    }

    [Fact]
    public async Task Download_Fails_SpanHasTheError()
    {
        Listen(TransferClient.ActivitySourceName);
        S3.Before = (_, _) => throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");

        await Assert.ThrowsAsync<TransferException>(() => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within());

        Activity span = Assert.Single(_ended);
        Assert.Equal(ActivityStatusCode.Error, span.Status);
        Assert.Equal("AccessDenied", span.GetTagItem("error.type"));
    }

    [Fact]
    public async Task OpenRead_SpanEndsWithTheStream_AndTheCallersStaysCurrent()
    {
        Listen(TransferClient.ActivitySourceName, TransferClient.RequestActivitySourceName);
        S3.Put(3 * Part);

        ObjectReadStream stream = await NewClient().OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
        Assert.Same(_caller, Activity.Current);
        Assert.DoesNotContain(_ended, static span => span.OperationName == "download");
        while (await stream.ReadAsync(new byte[10_000]).AsTask().Within() > 0)
        {
            Assert.Same(_caller, Activity.Current);
        }

        await stream.DisposeAsync();

        Assert.Single(_ended, static span => span.OperationName == "download");
        Assert.Same(_caller, Activity.Current);
    }

    [Fact]
    public async Task Requests_HaveSpansUnderTheTransfers_IfTheyAreListenedTo()
    {
        Listen(TransferClient.ActivitySourceName, TransferClient.RequestActivitySourceName);

        await NewClient().UploadAsync(new ReadOnlySequence<byte>(new byte[(5 * 1024 * 1024) + 1]), FakeS3.Bucket, FakeS3.Key).Within();

        Activity upload = Assert.Single(_ended, static span => span.OperationName == "upload");
        Activity[] requests = [.. _ended.Where(span => span != upload)];
        Assert.Equal(["S3.CompleteMultipartUpload", "S3.CreateMultipartUpload", "S3.UploadPart", "S3.UploadPart"], requests.Select(static span => span.OperationName).Order());
        Assert.All(requests, span => Assert.Equal(upload.SpanId, span.ParentSpanId));
        Assert.All(requests, span => Assert.Equal("localhost", span.GetTagItem("server.address"))); // of the mock's configuration
        Assert.Same(_caller, Activity.Current);
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task Request_ToAmazonS3_HasRegionHostAndIds(TransferWire wire)
    {
        Listen(TransferClient.RequestActivitySourceName);
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.OK, headers: [("ETag", "\"e\""), ("x-amz-id-2", "extended")]));
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = NewClient(s3, options => options.Advanced.Wire = wire);

        await client.GetInfoAsync(FakeHttp.Bucket, FakeHttp.Key).Within();

        Activity span = Assert.Single(_ended);
        Assert.EachEqual(("us-west-2", "bucket.s3.us-west-2.amazonaws.com", 443), (span.GetTagItem("cloud.region")!, span.GetTagItem("server.address")!, span.GetTagItem("server.port")!));
        Assert.EachEqual((200, "R1", "extended"), (span.GetTagItem("http.response.status_code")!, span.GetTagItem("aws.request_id")!, span.GetTagItem("aws.extended_request_id")!));
    }

    /// <summary>As the general conventions ask: what a sampler can decide by is there when it is asked.</summary>
    [Fact]
    public async Task Sampler_SeesTheOperation()
    {
        S3.Put(10);
        ConcurrentQueue<string> seen = [];
        ActivityListener listener = new()
        {
            ShouldListenTo = static source => source.Name == TransferClient.RequestActivitySourceName,
            Sample = (ref ActivityCreationOptions<ActivityContext> options) =>
            {
                if (options.Parent.TraceId == _caller.TraceId)
                {
                    seen.Enqueue($"{options.Name} {string.Join(' ', options.Tags!.Select(tag => tag.Value))}");
                }

                return ActivitySamplingResult.None;
            },
        };
        ActivitySource.AddActivityListener(listener);
        _listeners.Add(listener);

        await NewClient().GetInfoAsync(FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Equal("S3.HeadObject aws-api aws-api S3 HeadObject", Assert.Single(seen));
    }

    [Fact]
    public async Task Directory_OneSpan()
    {
        Listen(TransferClient.ActivitySourceName);
        S3.Put("in/a", 10);
        S3.Put("in/b", 20);

        await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "in", Folder.Path).Within();

        Assert.Equal("download directory", Assert.Single(_ended).OperationName);
    }

    [Fact]
    public async Task Write_SpanEndsWithTheObject()
    {
        Listen(TransferClient.ActivitySourceName);

        await using ObjectWriteStream stream = await NewClient().OpenWriteAsync(FakeS3.Bucket, FakeS3.Key);
        await stream.WriteAsync(new byte[10]);
        Assert.Empty(_ended);
        await stream.CompleteAsync().Within();

        Assert.Equal("upload", Assert.Single(_ended).OperationName);
        Assert.Same(_caller, Activity.Current);
    }

    [Fact]
    public async Task NobodyListens_NoSpan()
    {
        S3.Put(Part);
        S3.Before = (_, _) =>
        {
            Assert.Same(_caller, Activity.Current);
            return Task.CompletedTask;
        };

        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within();
    }

    [Fact]
    public async Task ListenerThrows_TransferFails_AndTheClientCanBeDisposed()
    {
        S3.Put(10);
        using ActivityListener listener = new()
        {
            ShouldListenTo = static source => source.Name == TransferClient.ActivitySourceName,
            Sample = (ref ActivityCreationOptions<ActivityContext> options)
                => options.Parent.TraceId == _caller.TraceId ? throw new NotSupportedException("listener") : ActivitySamplingResult.None,
        };
        ActivitySource.AddActivityListener(listener);
        TransferClient client = NewClient();

        await Assert.ThrowsAsync<NotSupportedException>(() => client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within());

        await client.DisposeAsync().AsTask().Within();
    }

    private void Listen(params string[] sources)
    {
        ActivityListener listener = new()
        {
            ShouldListenTo = source => sources.Contains(source.Name),
            Sample = (ref ActivityCreationOptions<ActivityContext> options) => options.Parent.TraceId == _caller.TraceId ? ActivitySamplingResult.AllData : ActivitySamplingResult.None,
            ActivityStopped = span =>
            {
                if (span.TraceId == _caller.TraceId)
                {
                    _ended.Enqueue(span);
                }
            },
        };
        ActivitySource.AddActivityListener(listener);
        _listeners.Add(listener);
    }
}
