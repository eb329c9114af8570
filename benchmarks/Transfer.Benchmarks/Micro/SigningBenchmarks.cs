using Amazon.Runtime;
using Amazon.Runtime.Internal.Auth;
using BenchmarkDotNet.Attributes;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Benchmarks.Micro;

/// <summary>The signature of one ranged GET, compared with that of the SDK, and the whole request.</summary>
[MemoryDiagnoser]
public class SigningBenchmarks
{
    private const string Path = "/bucket/folder/key";
    private const string Names = "host;x-amz-checksum-mode;x-amz-content-sha256;x-amz-date";
    private static readonly DateTimeOffset Now = new(2026, 2, 3, 4, 5, 6, TimeSpan.Zero);
    private static readonly StoreEndpoint Endpoint = new("http://localhost:9000", "localhost:9000", "/bucket/", "us-east-1", KeepsBodiesWhole: true);
    private readonly ImmutableCredentials _credentials = new("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", null);
    private readonly RequestSigner _signer = new();
    private readonly RequestHeader[] _headers =
    [
        new("host", "localhost:9000", IsSigned: true),
        new("x-amz-checksum-mode", "ENABLED", IsSigned: true),
        new("x-amz-content-sha256", SignedRequest.EmptyPayload, IsSigned: true),
        new("x-amz-date", "20260203T040506Z", IsSigned: true),
    ];

    /// <summary>Measures the SDK's signer for a canonical request that already exists.</summary>
    [Benchmark(Baseline = true)]
    public string SdkSignature()
    {
        string canonical = $"GET\n{Path}\n\nhost:localhost:9000\nx-amz-checksum-mode:ENABLED\nx-amz-content-sha256:{SignedRequest.EmptyPayload}\n"
            + $"x-amz-date:20260203T040506Z\n\n{Names}\n{SignedRequest.EmptyPayload}";
        return AWS4Signer.ComputeSignature(
            _credentials.AccessKey, _credentials.SecretKey, "us-east-1", Now.UtcDateTime, "s3", Names, canonical).ForAuthorizationHeader;
    }

    [Benchmark]
    public string Signature()
        => _signer.Authorize("GET", Path, string.Empty, _headers, SignedRequest.EmptyPayload, _credentials, "us-east-1", _signer.GetTime(Now));

    [Benchmark]
    public HttpRequestMessage Request()
    {
        SignedRequest request = new(HttpMethod.Get, "folder/key");
        request.Amz("x-amz-checksum-mode", "ENABLED");
        request.Header("Range", "bytes=0-8388607");
        request.Header("Accept-Encoding", "identity");
        return request.Build(Endpoint, _credentials, _signer, signsBody: false, Now);
    }
}
