using System.Net;
using System.Security.Cryptography;
using Amazon.Runtime;
using Amazon.S3;
using Microsoft.Extensions.Logging;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

/// <summary>Stores that reject <c>x-amz-checksum-mode</c>, such as Backblaze B2, and callers who turn it off.</summary>
public sealed class ChecksumModeTests
{
    private const int Part = 64 * 1024;
    private static readonly byte[] Content = Sample.Bytes(3 * Part);
    private static readonly byte[] Small = Content[..1000];

    public static TheoryData<TransferWire> Wires => [TransferWire.Http, TransferWire.Sdk];

    public static TheoryData<TransferWire, int, string> Refusals
        => Matrix.Of([TransferWire.Http, TransferWire.Sdk], [400, 501], (string[])["InvalidArgument", "NotImplemented", "InvalidRequest", "UnsupportedHeader"]);

    [Theory]
    [MemberData(nameof(Refusals))]
    public async Task Download_HeaderIsRejected_OmitsItFromThenOn(TransferWire wire, int status, string code)
    {
        FakeHttp http = new(request => HasChecksumMode(request) ? FakeHttp.Error((HttpStatusCode)status, code) : Serve(request));
        await using Clients clients = new(http, wire);
        MemoryStream target = new();

        DownloadResult result = await clients.Transfer.DownloadAsync(FakeHttp.Bucket, FakeHttp.Key, target).Within();
        await clients.Transfer.DownloadAsync(FakeHttp.Bucket, FakeHttp.Key, Stream.Null).Within();

        Assert.Equal(Content, target.ToArray());
        Assert.Equal(0, result.Statistics.Retries);
        Assert.False(result.Verdict.IsVerified);
        Assert.Contains("rejects the header that requests a checksum (x-amz-checksum-mode)", result.Verdict.ToString(), StringComparison.Ordinal);
        Assert.Single(http.Requests, HasChecksumMode);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Download_HeaderIsRejected_ETagIsVerified(TransferWire wire)
    {
#pragma warning disable CA5351 // ETags are based on MD5
        string tag = $"\"{Convert.ToHexStringLower(MD5.HashData(Content))}\"";
#pragma warning restore CA5351
        FakeHttp http = new(request => HasChecksumMode(request) ? FakeHttp.Error(HttpStatusCode.BadRequest, "InvalidArgument") : Serve(request, tag));
        await using Clients clients = new(http, wire);

        DownloadResult result = await clients.Transfer.DownloadAsync(FakeHttp.Bucket, FakeHttp.Key, Stream.Null).Within();

        Assert.EachEqual((true, ChecksumAlgorithm.Md5), (result.Verdict.IsVerified, result.Verdict.Algorithm));
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Download_ManyConcurrently_AllSucceed(TransferWire wire)
    {
        FakeHttp http = new(request => HasChecksumMode(request) ? FakeHttp.Error(HttpStatusCode.BadRequest, "InvalidArgument") : Serve(request));
        await using Clients clients = new(http, wire);

        await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => clients.Transfer.DownloadAsync(FakeHttp.Bucket, FakeHttp.Key, Stream.Null))).Within();
        int asked = http.Requests.Count(HasChecksumMode);
        await clients.Transfer.DownloadAsync(FakeHttp.Bucket, FakeHttp.Key, Stream.Null).Within();

        Assert.Equal(asked, http.Requests.Count(HasChecksumMode));
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Info_HeaderIsRejectedWithoutAnErrorBody_OmitsIt(TransferWire wire)
    {
        FakeHttp http = new(request => HasChecksumMode(request) ? FakeHttp.Answer(HttpStatusCode.BadRequest) : Serve(request));
        await using Clients clients = new(http, wire);

        for (int i = 0; i < 2; i++)
        {
            Assert.Equal(Content.Length, (await clients.Transfer.GetInfoAsync(FakeHttp.Bucket, FakeHttp.Key).Within()).Length);
        }

        Assert.Equal([true, false, false], http.Requests.Select(HasChecksumMode));
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task CopySource_HeaderIsRejected_OmitsIt(TransferWire wire)
    {
        FakeHttp http = new(request => HasChecksumMode(request) ? FakeHttp.Answer(HttpStatusCode.BadRequest) : Serve(request));
        using FakeWires wires = new(http, wire);

        ObjectHead source = await wires.For(FakeHttp.Bucket).HeadAsync(new ObjectAddress(FakeHttp.Bucket, FakeHttp.Key).WithHeaders, CancellationToken.None).Within();

        Assert.Equal(Content.Length, source.Info.Length);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task ResponseChecksumValidation_WhenRequired_NoRequestAndTheVerdictSaysSo(TransferWire wire)
    {
        FakeHttp http = new(request => Serve(request));
        await using Clients clients = new(http, wire, config => config.ResponseChecksumValidation = ResponseChecksumValidation.WHEN_REQUIRED);

        DownloadResult result = await clients.Transfer.DownloadAsync(FakeHttp.Bucket, FakeHttp.Key, Stream.Null).Within();
        await clients.Transfer.GetInfoAsync(FakeHttp.Bucket, FakeHttp.Key).Within();

        Assert.DoesNotContain(http.Requests, HasChecksumMode);
        Assert.Contains("ResponseChecksumValidation is WHEN_REQUIRED", result.Verdict.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Rejected_ForAnotherReason_ThrowsAndKeepsTheHeader(TransferWire wire)
    {
        bool isBroken = true;
        FakeHttp http = new(request => isBroken ? FakeHttp.Error(HttpStatusCode.BadRequest, "InvalidArgument", ("x-asked", $"{HasChecksumMode(request)}")) : Serve(request));
        await using Clients clients = new(http, wire);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => clients.Transfer.OpenReadAsync(FakeHttp.Bucket, FakeHttp.Key).Within());
        Assert.EachEqual(("InvalidArgument", 1), (e.ErrorCode, e.Attempts));
        isBroken = false;
        await clients.Transfer.DownloadAsync(FakeHttp.Bucket, FakeHttp.Key, Stream.Null).Within();

        Assert.True(http.Requests.Count(HasChecksumMode) >= 2);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Rejected_AfterTheHeaderWasAccepted_IsNotRetriedWithoutIt(TransferWire wire)
    {
        bool isBroken = false;
        FakeHttp http = new(request => isBroken ? FakeHttp.Error(HttpStatusCode.BadRequest, "InvalidArgument") : Serve(request));
        await using Clients clients = new(http, wire);
        await clients.Transfer.GetInfoAsync(FakeHttp.Bucket, FakeHttp.Key).Within();
        isBroken = true;

        await Assert.ThrowsAsync<TransferException>(() => clients.Transfer.GetInfoAsync(FakeHttp.Bucket, FakeHttp.Key).Within());

        Assert.Equal(2, http.Requests.Count);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Rejected_ThenTheStoreIsBusy_IsRetried(TransferWire wire)
    {
        int busy = 1;
        FakeHttp http = new(request => HasChecksumMode(request) ? FakeHttp.Error(HttpStatusCode.BadRequest, "InvalidArgument")
            : Interlocked.Decrement(ref busy) >= 0 ? FakeHttp.Error(HttpStatusCode.InternalServerError, "InternalError")
            : Serve(request));
        await using Clients clients = new(http, wire, attempts: 2);

        DownloadResult result = await clients.Transfer.DownloadAsync(FakeHttp.Bucket, FakeHttp.Key, Stream.Null).Within();

        Assert.EachEqual((1, 2), (result.Statistics.Retries, http.Requests.Count(HasChecksumMode)));
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Rejection_IsLoggedOnce(TransferWire wire)
    {
        FakeHttp http = new(request => HasChecksumMode(request) ? FakeHttp.Error(HttpStatusCode.BadRequest, "InvalidArgument") : Serve(request));
        using LogLines lines = new();
        using LoggerFactory factory = new([lines]);
        await using Clients clients = new(http, wire, logger: factory);

        await clients.Transfer.DownloadAsync(FakeHttp.Bucket, FakeHttp.Key, Stream.Null).Within();
        await clients.Transfer.DownloadAsync(FakeHttp.Bucket, FakeHttp.Key, Stream.Null).Within();

        Assert.Single(lines.Written, line => line.StartsWith("Information: ", StringComparison.Ordinal) && line.Contains(" does not support x-amz-checksum-mode (Refused: ", StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task SmallObject_HeaderIsRejected_ReasonSaysSo(TransferWire wire)
    {
        FakeHttp http = new(request => HasChecksumMode(request) ? FakeHttp.Error(HttpStatusCode.BadRequest, "InvalidArgument") : Serve(request, content: Small));
        using TemporaryFolder folder = new();
        await using Clients clients = new(http, wire);

        DownloadResult result = await clients.Transfer.DownloadAsync(
            FakeHttp.Bucket, FakeHttp.Key, folder.File("small"), new DownloadOptions { Hint = new ObjectHint { Length = Small.Length } }).Within();

        Assert.Contains("rejects the header", result.Verdict.ToString(), StringComparison.Ordinal);
    }

    private static bool HasChecksumMode(HttpRequestMessage request) => FakeHttp.Header(request, "x-amz-checksum-mode") is not null;

    private static HttpResponseMessage Serve(HttpRequestMessage request, string tag = "\"not-an-md5\"", byte[]? content = null)
    {
        content ??= Content;
        return request.RequestUri!.Query.Contains("attributes", StringComparison.Ordinal) ? FakeHttp.Error(HttpStatusCode.NotImplemented, "NotImplemented")
            : request.Method == HttpMethod.Head ? FakeHttp.Answer(HttpStatusCode.OK, content, headers: ("ETag", tag))
            : FakeHttp.Range(request, content, tag);
    }

    /// <summary>An SDK client and a transfer client over it.</summary>
    private sealed class Clients : IAsyncDisposable
    {
        private readonly AmazonS3Client _s3;

        public Clients(FakeHttp http, TransferWire wire, Action<AmazonS3Config>? configure = null, int attempts = 1, ILoggerFactory? logger = null)
        {
            _s3 = http.NewS3(configure);
            Transfer = new TransferClient(_s3, new TransferClientOptions { Advanced = { Wire = wire }, MaxAttempts = attempts, DownloadPartSizeBytes = Part, MaxConcurrency = 4, LoggerFactory = logger });
        }

        public TransferClient Transfer { get; }

        public async ValueTask DisposeAsync()
        {
            await Transfer.DisposeAsync();
            _s3.Dispose();
        }
    }
}
