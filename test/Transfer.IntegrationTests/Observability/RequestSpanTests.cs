using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics;
using Amazon.Runtime;
using Amazon.S3;
using Transfer.S3.Buffers;
using Transfer.S3.Requests;
using Transfer.S3.Server;
using Transfer.S3.Wire;

namespace Transfer.S3.IntegrationTests.Observability;

/// <summary>The attributes of the spans of requests, beside the table of the documentation.</summary>
#pragma warning disable CA1001 // xunit disposes it, asynchronously
public sealed class RequestSpanTests : IAsyncLifetime
#pragma warning restore CA1001
{
    private const string Bucket = "bucket";
    private const string Created = "created-bucket";
    private const string ListObjects = "ListObjects";
    private const int PartBytes = 5 << 20;
    private const int SourceBytes = 1000;

    /// <summary>The words of the documentation for the stability in OpenTelemetry Semantic Conventions 1.44.</summary>
    private static readonly Dictionary<string, string[]> Stability = new()
    {
        ["Stable"] = ["error.type", "http.response.status_code", "server.address", "server.port"],
        ["Release candidate"] = ["rpc.method", "rpc.system.name"],
        ["Development"] =
        [
            "aws.extended_request_id", "aws.request_id", "aws.s3.bucket", "aws.s3.copy_source", "aws.s3.delete", "aws.s3.key", "aws.s3.part_number", "aws.s3.upload_id", "cloud.region",
        ],
        ["Deprecated"] = ["rpc.service", "rpc.system"],
        ["Own"] = ["transfer.s3.bytes"],
    };

    private readonly ConcurrentQueue<Activity> _ended = [];
    private readonly Activity _caller = new Activity("caller").SetIdFormat(ActivityIdFormat.W3C).Start();
    private EmbeddedS3Server _server = null!;
    private ActivityListener _listener = null!;

    public async Task InitializeAsync()
    {
        _server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket] });
        _listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == TransferClient.RequestActivitySourceName,
            Sample = (ref ActivityCreationOptions<ActivityContext> options) => options.Parent.TraceId == _caller.TraceId ? ActivitySamplingResult.AllData : ActivitySamplingResult.None,
            ActivityStopped = span =>
            {
                if (span.TraceId == _caller.TraceId)
                {
                    _ended.Enqueue(span);
                }
            },
        };
        ActivitySource.AddActivityListener(_listener);
    }

    public async Task DisposeAsync()
    {
        _listener.Dispose();
        _caller.Dispose();
        await _server.DisposeAsync();
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task EveryOperation_HasTheAttributesOfTheDocumentation(TransferWire wire)
    {
        SpanAttribute[] table = SpanAttribute.Read();
        await SendAllAsync(wire);

        string[] operations = [.. Enum.GetNames<RequestKind>().Where(name => name != ListObjects), "ListObjectsV2", "ListObjectVersions"];
        Assert.Equal(operations.Order(StringComparer.Ordinal), _ended.Select(GetOperation).Distinct().Order(StringComparer.Ordinal));
        Assert.All(_ended, span =>
        {
            string operation = GetOperation(span);
            Assert.EachEqual(($"S3.{operation}", $"S3.{operation}", ActivityKind.Client, ActivityStatusCode.Unset), (span.OperationName, span.DisplayName, span.Kind, span.Status));
            IEnumerable<string> expected = table.Where(attribute => attribute.IsOfSuccess(operation)).Select(attribute => attribute.Name);
            Assert.True(expected.Order(StringComparer.Ordinal).SequenceEqual(span.TagObjects.Select(tag => tag.Key).Order(StringComparer.Ordinal)), $"{operation}: {string.Join(", ", span.TagObjects)}");
        });
        Assert.All(table.SelectMany(attribute => attribute.Operations), operation => Assert.Contains(operation, operations));
    }

    [Fact]
    public void Documentation_HasTheStabilityOfTheConventions()
        => Assert.Equal(
            Stability.SelectMany(group => group.Value, (group, name) => (name, group.Key)).OrderBy(pair => pair.name, StringComparer.Ordinal),
            SpanAttribute.Read().Select(attribute => (attribute.Name, attribute.Stability)).OrderBy(pair => pair.Name, StringComparer.Ordinal));

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task Attributes_HaveTheValuesOfTheRequest(TransferWire wire)
    {
        await SendAllAsync(wire);

        Dictionary<string, Activity> spans = _ended.GroupBy(GetOperation).ToDictionary(group => group.Key, group => group.Last());
        string[] ids = [.. _server.Requests.Select(request => request.RequestId)];
        Assert.All(_ended, span => Assert.Contains(Get(span, "aws.request_id"), ids));
        Assert.Equal(_ended.Count, _ended.Select(span => Get(span, "aws.request_id")).Distinct().Count());
        Assert.All(_ended, span => Assert.Equal(("aws-api", "aws-api", "S3", _server.Endpoint.Host, _server.Endpoint.Port), (
            Get(span, "rpc.system.name"), Get(span, "rpc.system"), Get(span, "rpc.service"), Get(span, "server.address"), Get(span, "server.port"))));
        Activity part = spans["UploadPart"];
        string upload = Assert.IsType<string>(Get(part, "aws.s3.upload_id"));
        Assert.Equal((Bucket, "parts", 2, (long)PartBytes), (Get(part, "aws.s3.bucket"), Get(part, "aws.s3.key"), Get(part, "aws.s3.part_number"), Get(part, "transfer.s3.bytes")));
        Assert.Equal(upload, Get(spans["CompleteMultipartUpload"], "aws.s3.upload_id"));
        Assert.Equal(("bucket/a source", "copy"), (Get(spans["CopyObject"], "aws.s3.copy_source"), Get(spans["CopyObject"], "aws.s3.key")));
        Assert.Equal(("bucket/a source", 1), (Get(spans["UploadPartCopy"], "aws.s3.copy_source"), Get(spans["UploadPartCopy"], "aws.s3.part_number")));
        Assert.Equal("Objects=[{Key=copy},{Key=parts,VersionId=null}],Quiet=true", Get(spans["DeleteObjects"], "aws.s3.delete"));
        Assert.Equal((206, 204, (long)SourceBytes), (
            Get(spans["GetObject"], "http.response.status_code"), Get(spans["DeleteObject"], "http.response.status_code"), Get(spans["GetObject"], "transfer.s3.bytes")));
        Assert.All(_ended.SelectMany(span => span.TagObjects), tag =>
        {
            Assert.DoesNotContain(_server.SecretAccessKey, $"{tag.Value}", StringComparison.Ordinal);
            Assert.DoesNotContain("Signature", $"{tag.Value}", StringComparison.OrdinalIgnoreCase);
        });
    }

    [Fact]
    public async Task CustomerKey_IsInNoAttribute()
    {
        using ObservedWire wire = NewWire(TransferWire.Http);
        CustomerKey secret = new(Sample.Bytes(CustomerKey.LengthBytes));
        ObjectAddress address = new(Bucket, "secret", null, new ReadAccess(RequesterPays: false, secret));

        await wire.PutObjectAsync(NewTarget(address), NewBody(10), CancellationToken.None).Within();
        await wire.HeadAsync(address, CancellationToken.None).Within();

        Assert.Equal(2, _ended.Count);
        Assert.All(_ended.SelectMany(span => span.TagObjects), tag =>
        {
            Assert.DoesNotContain(secret.Base64, $"{tag.Value}", StringComparison.Ordinal);
            Assert.DoesNotContain(secret.Base64Md5, $"{tag.Value}", StringComparison.Ordinal);
        });
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task Failure_HasStatusTypeAndIds(TransferWire wire)
    {
        using ObservedWire wires = NewWire(wire);

        await Assert.ThrowsAsync<WireException>(() => ReadAsync(wires, new ObjectAddress(Bucket, "missing"), ReadCondition.None));

        Activity span = Assert.Single(_ended);
        Assert.EachEqual((ActivityStatusCode.Error, "NoSuchKey"), (span.Status, span.StatusDescription!));
        Assert.Equal(("404", 404, _server.Requests[^1].RequestId), (Get(span, "error.type"), Get(span, "http.response.status_code"), Get(span, "aws.request_id")));
        Assert.NotNull(Get(span, "aws.extended_request_id"));
        Assert.NotNull(Get(span, "server.address"));
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task NotModified_IsNoFailure(TransferWire wire)
    {
        using ObservedWire wires = NewWire(wire);
        ObjectAddress address = new(Bucket, "a source");
        PublishedObject published = await wires.PutObjectAsync(NewTarget(address), NewBody(10), CancellationToken.None).Within();

        await Assert.ThrowsAsync<WireException>(() => ReadAsync(wires, address, new ReadCondition { IfNoneMatch = published.ETag }));

        Activity span = _ended.Last();
        Assert.Equal((ActivityStatusCode.Unset, 304, null), (span.Status, Get(span, "http.response.status_code"), Get(span, "error.type")));
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task NoResponse_HasThePlaceButNoStatus(TransferWire wire)
    {
        using ObservedWire wires = NewWire(wire);
        string address = _server.Endpoint.Host;
        await _server.DisposeAsync();

        await Assert.ThrowsAsync<WireException>(() => wires.HeadAsync(new ObjectAddress(Bucket, "missing"), CancellationToken.None).Within());

        Activity span = Assert.Single(_ended);
        Assert.Equal((ActivityStatusCode.Error, "connection", address), (span.Status, Get(span, "error.type"), Get(span, "server.address")));
        Assert.Equal((null, null), (Get(span, "http.response.status_code"), Get(span, "aws.request_id")));
    }

    /// <summary>Only a decorator or a mock is asked with the first version of the operation.</summary>
    [Fact]
    public async Task ListObjects_IsNamedAsTheOperationThatWasUsed()
    {
        using AmazonS3Client inner = _server.CreateClient();
        using DecoratedS3 s3 = new(new BasicAWSCredentials(_server.AccessKeyId, _server.SecretAccessKey), (AmazonS3Config)inner.Config);
        using ObservedWire wire = NewWire(s3, WireSettings.Default with { ListObjectsV1 = true });

        await wire.ListAsync(new ListQuery(Bucket, string.Empty, ReadAccess.Plain), null, CancellationToken.None).Within();

        Activity span = Assert.Single(_ended);
        Assert.Equal(("S3.ListObjects", ListObjects), (span.DisplayName, Get(span, "rpc.method")));
    }

    [Fact]
    public void Deletions_OfManyKeys_EndAfterSomeThousandCharacters()
    {
        RequestSubject subject = new(Bucket) { Deletions = [.. Enumerable.Range(0, 1000).Select(i => new ObjectDeletion(new string('k', 1024)))] };

        string? text = subject.GetDeletions();

        Assert.InRange(text!.Length, 4096, 6000);
        Assert.EndsWith("},...],Quiet=true", text, StringComparison.Ordinal);
    }

    /// <summary>Sends each operation, so that it succeeds.</summary>
    private async Task SendAllAsync(TransferWire kind)
    {
        using ObservedWire wire = NewWire(kind);
        ObjectAddress source = new(Bucket, "a source");
        NewObject parts = NewTarget(new ObjectAddress(Bucket, "parts"));
        NewObject copied = NewTarget(new ObjectAddress(Bucket, "copied parts"));
        CancellationToken token = CancellationToken.None;

        await wire.CreateBucketAsync(Created, token).Within();
        await wire.DeleteBucketAsync(Created, token).Within();
        await wire.ListBucketsAsync(null, token).Within();
        await wire.PutObjectAsync(NewTarget(source), NewBody(SourceBytes), token).Within();
        ObjectHead head = await wire.HeadAsync(source, token).Within();
        await ReadAsync(wire, source, ReadCondition.None);
        await wire.GetAttributesChecksumAsync(source, head.Info.ETag, token).Within();
        await wire.SetTagsAsync(source, new Dictionary<string, string> { ["name"] = "value" }, token).Within();
        await wire.GetTagsAsync(source, token).Within();
        await wire.SetTagsAsync(source, new Dictionary<string, string>(), token).Within();

        string upload = await wire.CreateMultipartUploadAsync(parts, token).Within();
        UploadedPart[] sent = [await wire.UploadPartAsync(parts, upload, 1, NewBody(PartBytes), token).Within(), await wire.UploadPartAsync(parts, upload, 2, NewBody(PartBytes), token).Within()];
        await wire.ListUploadsAsync(Bucket, string.Empty, null, token).Within();
        await wire.ListPartsAsync(parts.Address, upload, null, token).Within();
        await wire.CompleteMultipartUploadAsync(parts, upload, sent, null, 2L * PartBytes, token).Within();
        await wire.GetStoredPartsAsync(parts.Address, token).Within();
        await wire.ListStoredPartsAsync(parts.Address, null, null, token).Within();

        await wire.CopyObjectAsync(new CopySource(source, head), NewTarget(new ObjectAddress(Bucket, "copy")), token).Within();
        upload = await wire.CreateMultipartUploadAsync(copied, token).Within();
        await wire.UploadPartCopyAsync(new CopySource(source, head), copied, upload, 1, 0, SourceBytes, token).Within();
        await wire.AbortMultipartUploadAsync(copied.Address, upload, token).Within();

        NewObject archived = NewTarget(new ObjectAddress(Bucket, "archived"));
        await wire.PutObjectAsync(archived with { Headers = new ObjectHeaders { Values = default(HeaderValues).With(ObjectHeader.StorageClass, "GLACIER") } }, NewBody(1), token).Within();
        await wire.RestoreObjectAsync(archived.Address, 1, token).Within();

        await wire.ListAsync(new ListQuery(Bucket, string.Empty, ReadAccess.Plain), null, token).Within();
        await wire.ListAsync(new ListQuery(Bucket, string.Empty, ReadAccess.Plain) { Versions = true }, null, token).Within();
        await wire.DeleteObjectAsync(archived.Address, null, token).Within();
        await wire.DeleteObjectsAsync(Bucket, [new ObjectDeletion("copy"), new ObjectDeletion("parts", VersionId: "null")], ReadAccess.Plain, token).Within();
    }

    private ObservedWire NewWire(TransferWire wire) => NewWire(_server.CreateClient(config => config.MaxErrorRetry = 0), WireSettings.Default with { Wire = wire });

    private static ObservedWire NewWire(AmazonS3Client s3, WireSettings settings)
        => new(WireSelection.Create(s3, settings), observer: null, TransferMeter.For(null), new UsageCounter(null, TimeProvider.System), TimeProvider.System);

    private static async Task ReadAsync(ObservedWire wire, ObjectAddress address, ReadCondition condition)
    {
        using RangeResponse response = await wire.GetRangeAsync(address, new RequestedRange(0, SourceBytes), condition, wantChecksum: true, CancellationToken.None).Within();
        byte[] buffer = new byte[SourceBytes];
        int count = await response.Body.ReadAtLeastAsync(buffer, buffer.Length).AsTask().Within();
        response.Advance(count);
    }

    private static NewObject NewTarget(ObjectAddress address) => new(address, ChecksumAlgorithm.None, default, new ObjectHeaders());

    private static RequestBody NewBody(int bytes) => new(new SequenceBytes(new ReadOnlySequence<byte>(Sample.Bytes(bytes))), null);

    private static string GetOperation(Activity span) => Assert.IsType<string>(Get(span, "rpc.method"));

    private static object? Get(Activity span, string name) => span.GetTagItem(name);

    /// <summary>What isn't exactly the SDK's client isn't replaced by the library's own connections.</summary>
    private sealed class DecoratedS3(AWSCredentials credentials, AmazonS3Config config) : AmazonS3Client(credentials, config);
}
