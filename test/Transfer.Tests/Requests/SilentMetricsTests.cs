using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Requests;

/// <summary>Costs nothing without a listener. It runs alone, because the tool's listeners, which other tests start, listen to every meter of the library in the process.</summary>
[Collection(nameof(SilentMetricsTests))]
[CollectionDefinition(nameof(SilentMetricsTests), DisableParallelization = true)]
public sealed class SilentMetricsTests : TransferTest
{
    [Fact]
    public async Task NobodyListens_NothingIsMeasured()
    {
        using RecordedMeter silent = new(listens: false);
        S3.Put(64 * 1024);
        TransferClient client = NewClient(options => options.MeterFactory = silent);
        await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within();

        Assert.False(Transfer.S3.Requests.TransferMeter.For(silent).MeasuresRequests);
        Assert.Empty(silent.All);
    }
}
