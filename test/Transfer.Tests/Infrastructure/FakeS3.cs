using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using Amazon.Runtime;
using Amazon.Runtime.Internal;
using Amazon.Runtime.Internal.Transform;
using Amazon.S3;
using Amazon.S3.Model;
using Moq;

namespace Transfer.S3.Tests.Infrastructure;

/// <summary>
/// A store behind a mocked <see cref="IAmazonS3"/>. It serves objects by range, keeps uploads, and lets the test intervene before a call,
/// in its response, and in its body. The mock is strict: a call that is not set up here fails.
/// </summary>
internal sealed partial class FakeS3
{
    public const string Bucket = "bucket";
    public const string Key = "key";
    private const string Suffix = "bytes=-";
    private readonly Mock<IAmazonS3> _mock = new(MockBehavior.Strict);
    private readonly ConcurrentQueue<(ScriptedStream Stream, int Bytes)> _bodies = [];
    private int _calls;

    public FakeS3()
    {
        // Each call runs on a pool thread, because a real client's response doesn't arrive on its caller's stack either.
        _mock.SetupGet(s3 => s3.Config).Returns(new AmazonS3Config { ServiceURL = "http://localhost" });
        _mock.Setup(s3 => s3.GetObjectAsync(It.IsAny<GetObjectRequest>(), It.IsAny<CancellationToken>()))
            .Returns<GetObjectRequest, CancellationToken>((request, token) => Task.Run(() => GetAsync(request, token)));
        _mock.Setup(s3 => s3.GetObjectMetadataAsync(It.IsAny<GetObjectMetadataRequest>(), It.IsAny<CancellationToken>()))
            .Returns<GetObjectMetadataRequest, CancellationToken>((request, token) => Task.Run(() => HeadAsync(request, token)));
        _mock.Setup(s3 => s3.GetObjectAttributesAsync(It.IsAny<GetObjectAttributesRequest>(), It.IsAny<CancellationToken>()))
            .Returns<GetObjectAttributesRequest, CancellationToken>((request, token) => Task.Run(() => AttributesAsync(request, token)));
        SetUpUploads();
        SetUpListing();
        SetUpCopies();
        SetUpLists();
        SetUpDeletions();
    }

    public IAmazonS3 Client => _mock.Object;

    public ConcurrentDictionary<string, FakeObject> Objects { get; } = new();

    public ConcurrentQueue<S3Call> Calls { get; } = [];

    /// <summary>Gets or sets a callback that is awaited before a call is answered. It can wait for a gate, throw, or cancel.</summary>
    public Func<S3Call, CancellationToken, Task>? Before { get; set; }

    /// <summary>Gets or sets a callback that changes the response to a GET.</summary>
    public Action<S3Call, GetObjectResponse>? Answer { get; set; }

    /// <summary>Gets or sets a function that makes the body of a GET response from the bytes that it should contain.</summary>
    public Func<S3Call, ReadOnlyMemory<byte>, Stream>? Body { get; set; }

    /// <summary>Gets or sets a value that indicates whether ranges are ignored, as some servers do.</summary>
    public bool IgnoresRanges { get; set; }

    /// <summary>Gets the number of bytes read from bodies that are disposed. Bodies from <see cref="Body"/> are not counted.</summary>
    public long BytesRead => _bodies.Sum(body => body.Stream.IsDisposed ? body.Bytes : 0L);

    public IEnumerable<S3Call> Gets => Calls.Where(call => call.Operation == S3Call.Get);

    public int GetCount(string operation) => Calls.Count(call => call.Operation == operation);

    public static AmazonS3Exception Error(HttpStatusCode status, string code)
        => new($"{code} for the test", null, ErrorType.Unknown, code, "REQUEST-ID", status);

    /// <summary>Returns an error whose response has a header with a time.</summary>
    public static AmazonS3Exception SlowDown(string header, string value)
    {
        HttpErrorResponseException answer = new(Mock.Of<IWebResponseData>(data => data.GetHeaderValue(header) == value));
        return new("SlowDown for the test", answer, ErrorType.Unknown, "SlowDown", "REQUEST-ID", HttpStatusCode.ServiceUnavailable);
    }

    /// <summary>Returns a retryable error.</summary>
    public static AmazonS3Exception Busy() => Error(HttpStatusCode.InternalServerError, "InternalError");

    public byte[] Put(long length, int seed = 1) => Put(Key, length, seed);

    public byte[] Put(string key, long length, int seed = 1)
    {
        byte[] content = Sample.Bytes(length, seed);
        Objects[key] = Tagged(FakeObject.Checked(content), content);
        return content;
    }

    private async Task<S3Call> EnterAsync(S3Call call, CancellationToken cancellationToken)
    {
        call = call with { Number = Interlocked.Increment(ref _calls) };
        Calls.Enqueue(call);

        cancellationToken.ThrowIfCancellationRequested();
        if (Before is { } before)
        {
            await before(call, cancellationToken);
        }

        return call;
    }

    private ScriptedStream Counted(ReadOnlyMemory<byte> bytes)
    {
        ScriptedStream body = new(bytes);
        _bodies.Enqueue((body, bytes.Length));
        return body;
    }

    /// <summary>Gets the first byte of a range; null if it is the last bytes of the object, and the other end is their number.</summary>
    private static long? GetFirst(ByteRange? range) => range is null || range.FormattedByteRange.StartsWith(Suffix, StringComparison.Ordinal) ? null : range.Start;

    private static long? LastOf(ByteRange? range) => range is null ? null
        : GetFirst(range) is null ? long.Parse(range.FormattedByteRange[Suffix.Length..], CultureInfo.InvariantCulture)
        : range.End;

    private FakeObject Find(string key) => Objects.TryGetValue(key, out FakeObject? found) ? found : throw Error(HttpStatusCode.NotFound, "NoSuchKey");

    private async Task<GetObjectResponse> GetAsync(GetObjectRequest request, CancellationToken cancellationToken)
    {
        S3Call call = await EnterAsync(
            new S3Call(0, S3Call.Get, request.Key, GetFirst(request.ByteRange), LastOf(request.ByteRange), request.EtagToMatch, Request: request), cancellationToken);
        FakeObject found = Find(request.Key);
        if (call.IfMatch is not null && call.IfMatch != found.ETag)
        {
            throw Error(HttpStatusCode.PreconditionFailed, "PreconditionFailed");
        }

        long first = 0;
        long last = found.Content.Length - 1;
        bool partial = request.ByteRange is not null && !IgnoresRanges;
        if (partial)
        {
            first = call.First ?? Math.Max(0, found.Content.Length - call.Last!.Value);
            last = call.First is null ? last : Math.Min(call.Last!.Value, last);
            if (first > last)
            {
                throw Error(HttpStatusCode.RequestedRangeNotSatisfiable, "InvalidRange");
            }
        }

        ReadOnlyMemory<byte> bytes = found.Content.AsMemory((int)first, (int)(last - first + 1));
        GetObjectResponse response = new()
        {
            BucketName = request.BucketName,
            Key = request.Key,
            HttpStatusCode = partial ? HttpStatusCode.PartialContent : HttpStatusCode.OK,
            ContentLength = bytes.Length,
            ContentRange = partial ? $"bytes {first}-{last}/{found.Content.Length}" : null,
            LastModified = found.LastModified?.UtcDateTime,
            ETag = found.ETag,
            ChecksumCRC64NVME = request.ChecksumMode == ChecksumMode.ENABLED ? found.Crc64NvmeInGet : null,
            ChecksumType = request.ChecksumMode == ChecksumMode.ENABLED && found.Crc64NvmeInGet is not null ? ChecksumType.FULL_OBJECT : null,
            ServerSideEncryptionMethod = found.Encryption,
            ResponseMetadata = new ResponseMetadata { RequestId = $"REQUEST-{call.Number}" },
            ResponseStream = Body?.Invoke(call, bytes) ?? Counted(bytes),
        };
        foreach ((string name, string value) in found.Metadata)
        {
            response.Metadata[name] = value;
        }

        if (!partial && request.ChecksumMode == ChecksumMode.ENABLED && found.Checksum is { } checksum)
        {
            response.ChecksumType = GetChecksumType(found, checksum);
            response.ChecksumCRC64NVME = GetValue(checksum, ChecksumAlgorithm.Crc64Nvme);
            response.ChecksumCRC32C = GetValue(checksum, ChecksumAlgorithm.Crc32C);
            response.ChecksumCRC32 = GetValue(checksum, ChecksumAlgorithm.Crc32);
            response.ChecksumSHA256 = GetValue(checksum, ChecksumAlgorithm.Sha256);
            response.ChecksumSHA1 = GetValue(checksum, ChecksumAlgorithm.Sha1);
            response.ChecksumSHA512 = GetValue(checksum, ChecksumAlgorithm.Sha512);
            response.ChecksumXXHASH64 = GetValue(checksum, ChecksumAlgorithm.XxHash64);
            response.ChecksumXXHASH3 = GetValue(checksum, ChecksumAlgorithm.XxHash3);
            response.ChecksumXXHASH128 = GetValue(checksum, ChecksumAlgorithm.XxHash128);
        }

        response.Headers.ContentLength = bytes.Length; // as the SDK sets it from the response
        Answer?.Invoke(call, response);
        return response;
    }
}
