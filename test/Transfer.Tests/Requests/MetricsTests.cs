using System.Buffers;
using System.Net;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Requests;

#pragma warning disable CA1001 // xunit calls the asynchronous dispose
public sealed class MetricsTests : TransferTest
#pragma warning restore CA1001
{
    private const int Part = 64 * 1024;
    private readonly RecordedMeter _meter = new();

    public override async Task DisposeAsync()
    {
        await base.DisposeAsync();
        _meter.Dispose();
    }

    [Fact]
    public async Task Download_OneRangeFails_RequestsAndRetriesAreCounted()
    {
        S3.Put(3 * Part);
        S3.Before = (call, _) =>
        {
            Time.Advance(TimeSpan.FromMilliseconds(7));
            return call.Number == 1 ? throw FakeS3.Error(HttpStatusCode.ServiceUnavailable, "SlowDown") : Task.CompletedTask;
        };

        await Measured(options => options.MaxConcurrency = 1).DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), new DownloadOptions { Verify = false }).Within();

        Assert.Equal(["GetObject, 2xx: 3", "GetObject, 5xx, 503: 1"], _meter.Sums("transfer.s3.requests"));
        Assert.Equal([$"download: {3 * Part}"], _meter.Sums("transfer.s3.bytes"));
        Assert.Equal(["throttled: 1"], _meter.Sums("transfer.s3.retries"));
        Assert.Equal(["download, completed: 1"], _meter.Sums("transfer.s3.objects"));
        Assert.All(_meter.Of("transfer.s3.request.duration"), record => Assert.Equal(0.007, record.Value, 6));
        Assert.All(_meter.Of("transfer.s3.request.time_to_first_byte"), record => Assert.Equal(0.007, record.Value, 6));
        Assert.StartsWith("download, ", Assert.Single(_meter.Of("transfer.s3.bottleneck.time")).Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(HttpStatusCode.NotFound, "NoSuchKey", "GetObject, 4xx, 404: 1")]
    [InlineData(HttpStatusCode.Forbidden, "AccessDenied", "GetObject, 4xx, 403: 1")]
    public async Task Download_Fails_ObjectFailed(HttpStatusCode status, string code, string requests)
    {
        S3.Before = (_, _) => throw FakeS3.Error(status, code);

        await Assert.ThrowsAsync<TransferException>(() => Measured().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within());

        Assert.Equal(["download, failed: 1"], _meter.Sums("transfer.s3.objects"));
        Assert.Equal([requests], _meter.Sums("transfer.s3.requests"));
    }

    [Fact]
    public async Task Download_ConnectionBreaks_RetryNamesTheConnection()
    {
        S3.Put(10);
        S3.Before = (call, _) => call.Number == 1 ? throw new HttpRequestException("refused") : Task.CompletedTask;

        await Measured().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within();

        Assert.Equal(["connection: 1"], _meter.Sums("transfer.s3.retries"));
        Assert.Contains("GetObject, connection: 1", _meter.Sums("transfer.s3.requests"));
    }

    [Fact]
    public async Task Download_Canceled_ObjectCanceled()
    {
        S3.Put(Part);
        using CancellationTokenSource cancel = new();
        S3.Before = async (_, token) =>
        {
            await cancel.CancelAsync();
            token.ThrowIfCancellationRequested();
        };

        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => Measured().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), cancellationToken: cancel.Token).Within());

        Assert.Equal(["download, canceled: 1"], _meter.Sums("transfer.s3.objects"));
    }

    [Fact]
    public async Task Upload_InParts_EveryRequestIsCounted()
    {
        await Measured().UploadAsync(new ReadOnlySequence<byte>(new byte[(10 * 1024 * 1024) + 1]), FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Equal(["CompleteMultipartUpload, 2xx: 1", "CreateMultipartUpload, 2xx: 1", "UploadPart, 2xx: 3"], _meter.Sums("transfer.s3.requests"));
        Assert.Equal([$"upload: {(10 * 1024 * 1024) + 1}"], _meter.Sums("transfer.s3.bytes"));
        Assert.Equal(["upload, completed: 1"], _meter.Sums("transfer.s3.objects"));
    }

    [Fact]
    public async Task Directory_EachObjectIsCounted_AndTheTimeOnce()
    {
        S3.Put("in/a", 10);
        S3.Put("in/b", 20);

        await Measured().DownloadDirectoryAsync(FakeS3.Bucket, "in", Folder.Path).Within();

        Assert.Equal(["download, completed: 2"], _meter.Sums("transfer.s3.objects"));
        Assert.Single(_meter.Of("transfer.s3.bottleneck.time"));
    }

    [Fact]
    public async Task GetInfo_IsNoTransfer()
    {
        S3.Put(10);

        await Measured().GetInfoAsync(FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Empty(_meter.Of("transfer.s3.objects"));
        Assert.Equal(["HeadObject, 2xx: 1"], _meter.Sums("transfer.s3.requests"));
    }

    [Fact]
    public async Task Gauges_RequestInFlight_AreSumsOverTheClients()
    {
        S3.Put(Part);
        Gate gate = new();
        S3.Before = (_, token) => gate.PassAsync(token);
        TransferClient one = Measured();
        TransferClient other = Measured(options => options.MemoryBytes = 32 * 1024 * 1024);
        Task<DownloadResult> download = one.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream());
        await gate.Reached;

        _meter.Observe();

        Assert.Equal(["download: 1", "upload: 0"], _meter.Sums("transfer.s3.slots.usage"));
        Assert.Equal(["download: 16", "upload: 16"], _meter.Sums("transfer.s3.slots.limit"));
        Assert.Equal([$": {96 * 1024 * 1024}"], _meter.Sums("transfer.s3.memory.limit"));
        Assert.True(_meter.Of("transfer.s3.memory.usage").Single().Value > 0);
        Assert.Equal([": 0"], _meter.Sums("transfer.s3.memory.waiters"));
        gate.Open();
        await download.Within();

        await other.DisposeAsync();
        _meter.Clear();
        _meter.Observe();

        Assert.Equal(["download: 0", "upload: 0"], _meter.Sums("transfer.s3.slots.usage"));
        Assert.Equal([$": {64 * 1024 * 1024}"], _meter.Sums("transfer.s3.memory.limit"));
        Assert.Equal([": 0"], _meter.Sums("transfer.s3.memory.usage"));
    }

    [Fact]
    public async Task NoAttributeNamesABucketOrAKey_AndEveryUnitIsUcum()
    {
        S3.Put(3 * Part);
        TransferClient client = Measured();
        await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within();
        await client.UploadAsync(new ReadOnlySequence<byte>(new byte[10]), FakeS3.Bucket, FakeS3.Key).Within();
        await Assert.ThrowsAsync<TransferException>(() => client.DownloadAsync(FakeS3.Bucket, "missing", new MemoryStream()).Within());
        _meter.Observe();

        Assert.All(_meter.All, record => Assert.DoesNotContain(record.Tags, static tag => tag.Value is string text && (text.Contains(FakeS3.Bucket) || text.Contains(FakeS3.Key) || text.Contains("missing"))));
        Assert.All(_meter.All, record => Assert.True(record.Unit is "s" or "By" || (record.Unit!.StartsWith('{') && record.Unit.EndsWith('}')), record.Unit));
    }

    private TransferClient Measured(Action<TransferClientOptions>? configure = null) => NewClient(options =>
    {
        options.MeterFactory = _meter;
        configure?.Invoke(options);
    });
}
