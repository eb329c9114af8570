using System.Diagnostics;
using System.Text.RegularExpressions;
using Amazon.S3;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Observability;

/// <summary>Metrics and traces as the OpenTelemetry SDK receives them.</summary>
#pragma warning disable CA1001 // xunit disposes it, asynchronously
public sealed class OpenTelemetryTests : IAsyncLifetime
#pragma warning restore CA1001
{
    private const string Bucket = "name-of-the-bucket";
    private const string Key = "name-of-the-key";
    private const int Part = 5 << 20;

    /// <summary>OpenTelemetry: names are lowercase, namespaces are separated by dots, and words by underscores.</summary>
    private static readonly Regex Name = new(@"^[a-z][a-z0-9]*(_[a-z0-9]+)*(\.[a-z][a-z0-9]*(_[a-z0-9]+)*)+$", RegexOptions.NonBacktracking | RegexOptions.ExplicitCapture);

    /// <summary>UCUM: seconds, bytes, or an annotation of what is counted.</summary>
    private static readonly Regex Unit = new(@"^(s|By|\{[a-z]+\})$", RegexOptions.NonBacktracking | RegexOptions.ExplicitCapture);

    private readonly NamedMeterFactory _meters = new();
    private EmbeddedS3Server _server = null!;
    private AmazonS3Client _s3 = null!;
    private TransferClient _client = null!;

    public async Task InitializeAsync()
    {
        _server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket] });
        _s3 = _server.CreateClient(config => config.MaxErrorRetry = 0);
        _client = new TransferClient(_s3, new TransferClientOptions { MeterFactory = _meters, DownloadPartSizeBytes = Part, UploadPartSizeBytes = Part, MultipartThresholdBytes = Part });
    }

    public async Task DisposeAsync()
    {
        await _client.DisposeAsync();
        _s3.Dispose();
        await _server.DisposeAsync();
        _meters.Dispose();
    }

    [Fact]
    public async Task Metrics_FollowTheConventions()
    {
        MetricSnapshot[] metrics = await MeasureAsync();

        Assert.Equal(TransferClient.MeterName, Assert.Single(_meters.Asked.Distinct()));
        Assert.All(metrics, metric =>
        {
            Assert.Matches(Name, metric.Name);
            Assert.Matches(Unit, metric.Unit);
            Assert.StartsWith("transfer.s3.", metric.Name, StringComparison.Ordinal);
            Assert.False(metric.Name.EndsWith("total", StringComparison.Ordinal) || metric.Name.EndsWith("_seconds", StringComparison.Ordinal), metric.Name); // exporters add that
            Assert.NotEmpty(metric.Description);
        });
        Assert.All(GetAttributes(metrics), attribute =>
        {
            Assert.Matches(Name, attribute.Key);
            string value = Assert.IsType<string>(attribute.Value);
            Assert.DoesNotContain(Bucket, value, StringComparison.Ordinal);
            Assert.DoesNotContain(Key, value, StringComparison.Ordinal);
        });
    }

    [Fact]
    public async Task Metrics_AreThoseOfTheDocumentation()
    {
        string page = File.ReadAllText(Path.Combine(MarkdownPages.Root, "docs", "observability.md"));

        MetricSnapshot[] metrics = await MeasureAsync();

        Assert.All(metrics, metric => Assert.Contains($"`{metric.Name}`", page, StringComparison.Ordinal));
        Assert.All(metrics, metric => Assert.Contains($"`{metric.Unit}`", page, StringComparison.Ordinal));
        Assert.All(GetAttributes(metrics), attribute => Assert.Contains($"`{attribute.Key}`", page, StringComparison.Ordinal));
        IEnumerable<string> documented = Regex.Matches(page, @"`(?<name>transfer\.s3\.[a-z_.]+)`", RegexOptions.NonBacktracking).Select(match => match.Groups["name"].Value).Distinct()
            .Where(name => !GetAttributes(metrics).Any(attribute => attribute.Key == name) && name != "transfer.s3.retry.cause");
        Assert.Equal(documented.Order(StringComparer.Ordinal), metrics.Select(metric => metric.Name).Concat(["transfer.s3.hedges", "transfer.s3.retries"]).Order(StringComparer.Ordinal)); // there was nothing to repeat
    }

    [Fact]
    public async Task Metrics_CountWhatWasTransferred()
    {
        MetricSnapshot[] metrics = await MeasureAsync();

        Assert.Equal(2 * Part, ComputeChecksum(metrics, "transfer.s3.bytes", ("transfer.s3.direction", "upload")));
        Assert.Equal(2 * Part, ComputeChecksum(metrics, "transfer.s3.bytes", ("transfer.s3.direction", "download")));
        Assert.Equal(1, ComputeChecksum(metrics, "transfer.s3.objects", ("transfer.s3.direction", "download"), ("transfer.s3.outcome", "failed")));
        Assert.Equal(2, ComputeChecksum(metrics, "transfer.s3.requests", ("rpc.method", "UploadPart"), ("transfer.s3.status_class", "2xx")));
        Assert.Equal(1, ComputeChecksum(metrics, "transfer.s3.requests", ("transfer.s3.status_class", "4xx"), ("error.type", "404")));
        MetricSnapshot duration = metrics.Single(metric => metric.Name == "transfer.s3.request.duration");
        Assert.Equal(MetricType.Histogram, duration.MetricType);
        foreach (MetricPoint point in duration.MetricPoints)
        {
            List<double> bounds = [];
            foreach (HistogramBucket bucket in point.GetHistogramBuckets())
            {
                bounds.Add(bucket.ExplicitBound);
            }

            Assert.Equal([0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60, double.PositiveInfinity], bounds);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Spans_OneForEachTransfer_UnderTheContextOfTheCaller(bool withRequests)
    {
        List<Activity> exported = [];
        using Activity caller = new Activity("caller").SetParentId("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        caller.TraceStateString = "vendor=value";
        string[] sources = withRequests ? [TransferClient.ActivitySourceName, TransferClient.RequestActivitySourceName] : [TransferClient.ActivitySourceName];
        using (TracerProvider provider = Sdk.CreateTracerProviderBuilder().AddSource(sources).SetSampler(new ParentBasedSampler(new AlwaysOffSampler())).AddInMemoryExporter(exported).Build())
        {
            caller.Start();
            await TransferAsync();
            Assert.Same(caller, Activity.Current);
            caller.Stop();
        }

        Activity[] spans = [.. exported.Where(span => span.TraceId == caller.TraceId)]; // tests that run at the same time can sample everything
        Activity[] transfers = [.. spans.Where(span => span.Source.Name == TransferClient.ActivitySourceName)];
        Assert.Equal(["upload", "download", "download"], transfers.Select(span => span.DisplayName));
        Assert.All(spans, span =>
        {
            Assert.Equal("vendor=value", span.TraceStateString);
            Assert.Equal(ActivityKind.Client, span.Kind);
            Assert.All(span.TagObjects, attribute => Assert.Matches(Name, attribute.Key));
        });
        Assert.All(transfers, span => Assert.Equal(caller.SpanId, span.ParentSpanId));
        Assert.Equal([ActivityStatusCode.Unset, ActivityStatusCode.Unset, ActivityStatusCode.Error], transfers.Select(span => span.Status));
        Activity[] requests = [.. spans.Except(transfers)];
        Assert.Equal(withRequests, requests.Length > 0);
        Assert.All(requests, span => Assert.Contains(span.ParentSpanId, transfers.Select(transfer => transfer.SpanId)));
    }

    private async Task<MetricSnapshot[]> MeasureAsync()
    {
        List<MetricSnapshot> metrics = [];
        using MeterProvider provider = Sdk.CreateMeterProviderBuilder().AddMeter(_meters.Name).AddInMemoryExporter(metrics).Build();
        await TransferAsync();
        Assert.True(provider.ForceFlush());
        return [.. metrics];
    }

    /// <summary>Uploads an object in two parts, downloads it, and fails to download another.</summary>
    private async Task TransferAsync()
    {
        using MemoryStream source = new(Sample.Bytes(2 * Part));
        await _client.UploadAsync(source, Bucket, Key).Within();
        await _client.DownloadAsync(Bucket, Key, Stream.Null).Within();
        await Assert.ThrowsAsync<TransferException>(() => _client.DownloadAsync(Bucket, $"{Key}-missing", Stream.Null).Within());
    }

    private static IEnumerable<KeyValuePair<string, object?>> GetAttributes(IEnumerable<MetricSnapshot> metrics)
    {
        foreach (MetricPoint point in metrics.SelectMany(metric => metric.MetricPoints))
        {
            foreach (KeyValuePair<string, object?> attribute in point.Tags)
            {
                yield return attribute;
            }
        }
    }

    private static long ComputeChecksum(IEnumerable<MetricSnapshot> metrics, string name, params (string Key, string Value)[] attributes)
    {
        long sum = 0;
        foreach (MetricPoint point in metrics.Single(metric => metric.Name == name).MetricPoints)
        {
            Dictionary<string, object?> own = [];
            foreach (KeyValuePair<string, object?> attribute in point.Tags)
            {
                own.Add(attribute.Key, attribute.Value);
            }

            sum += attributes.All(wanted => own.TryGetValue(wanted.Key, out object? value) && wanted.Value.Equals(value)) ? point.GetSumLong() : 0;
        }

        return sum;
    }
}
