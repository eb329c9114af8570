using System.Collections.Concurrent;
using System.Net;
using System.Security.Cryptography;
using System.Web;
using System.Xml.Linq;
using Amazon.Runtime;
using Amazon.S3;
using Transfer.S3.Tests.Integrity;

namespace Transfer.S3.Tests.Infrastructure;

/// <summary>
/// A store of multipart uploads behind an <see cref="AmazonS3Client"/>. A test can stop or break each request while its body is read.
/// </summary>
internal sealed class PartStore : HttpClientFactory
{
    private readonly ConcurrentDictionary<(string Path, int Part), int> _attempts = new();
    private readonly ConcurrentDictionary<(string Path, int Part), byte[]> _parts = new();
    private int _aborts;

    /// <summary>
    /// Gets or sets a callback before the body of a part and after each piece of it. It receives the part, the attempt, and the bytes read so far.
    /// </summary>
    public Func<int, int, long, CancellationToken, Task>? Reading { get; set; }

    /// <summary>Gets or sets a callback after the body of a part was read. It returns the response, or null for success.</summary>
    public Func<int, int, HttpRequestMessage, HttpResponseMessage?>? Answer { get; set; }

    /// <summary>Gets the published objects, by path.</summary>
    public ConcurrentDictionary<string, byte[]> Published { get; } = new();

    /// <summary>Gets the parts whose bodies were read completely: the part number and the request.</summary>
    public ConcurrentQueue<(int Part, HttpRequestMessage Request)> Received { get; } = [];

    public int Aborts => Volatile.Read(ref _aborts);

    public override HttpClient CreateHttpClient(IClientConfig clientConfig) => new(new Handler(this)) { Timeout = Timeout.InfiniteTimeSpan };

    /// <param name="isTls">Whether the connection is encrypted. Otherwise, bodies are signed.</param>
    public AmazonS3Client NewS3(bool isTls) => new(
        new BasicAWSCredentials("access", "secret"),
        new AmazonS3Config { MaxErrorRetry = 0, HttpClientFactory = this, ServiceURL = isTls ? "https://store.example" : "http://store.example", ForcePathStyle = true, AuthenticationRegion = "us-east-1" });

    private async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        await Task.Yield();
        string path = request.RequestUri!.AbsolutePath;
        var query = HttpUtility.ParseQueryString(request.RequestUri.Query);
        if (request.Method == HttpMethod.Put && int.TryParse(query["partNumber"], out int part))
        {
            return await ReceiveAsync(path, part, request, cancellationToken);
        }

        if (request.Method == HttpMethod.Post && query["uploadId"] is not null)
        {
            XDocument list = XDocument.Parse(await request.Content!.ReadAsStringAsync(cancellationToken));
            int[] numbers = [.. list.Descendants().Where(one => one.Name.LocalName == "PartNumber").Select(one => (int)one)];
            Published[path] = [.. numbers.SelectMany(number => _parts[(path, number)])];
            return FakeHttp.Answer(HttpStatusCode.OK, "<CompleteMultipartUploadResult><ETag>\"whole\"</ETag></CompleteMultipartUploadResult>");
        }

        if (request.Method == HttpMethod.Post)
        {
            return FakeHttp.Answer(HttpStatusCode.OK, "<InitiateMultipartUploadResult><UploadId>upload</UploadId></InitiateMultipartUploadResult>");
        }

        if (request.Method == HttpMethod.Delete)
        {
            Interlocked.Increment(ref _aborts);
            return new HttpResponseMessage(HttpStatusCode.NoContent) { Content = new ByteArrayContent([]) };
        }

        return FakeHttp.Error(HttpStatusCode.NotFound, "NoSuchKey");
    }

    private async Task<HttpResponseMessage> ReceiveAsync(string path, int part, HttpRequestMessage request, CancellationToken cancellationToken)
    {
        int attempt = _attempts.AddOrUpdate((path, part), 1, static (_, count) => count + 1);
        await (Reading?.Invoke(part, attempt, 0, cancellationToken) ?? Task.CompletedTask);
        using MemoryStream body = new();
        await request.Content!.CopyToAsync(new Sink(body, Reading is null ? null : (bytes, token) => Reading(part, attempt, bytes, token)), cancellationToken);
        byte[] bytes = body.ToArray();
        if (bytes.Length != request.Content.Headers.ContentLength)
        {
            throw new IOException("The body is shorter than its length.");
        }

        Received.Enqueue((part, request));
        if (Answer?.Invoke(part, attempt, request) is { } answer)
        {
            return answer;
        }

        string? crc = FakeHttp.Header(request, "x-amz-checksum-crc64nvme");
        string? hash = FakeHttp.Header(request, "x-amz-content-sha256");
        if ((crc is not null && crc != CrcOf.Crc64Nvme(bytes)) || (hash is not (null or "UNSIGNED-PAYLOAD") && hash != Convert.ToHexStringLower(SHA256.HashData(bytes))))
        {
            return FakeHttp.Error(HttpStatusCode.BadRequest, "BadDigest");
        }

        _parts[(path, part)] = bytes;
        return FakeHttp.Answer(HttpStatusCode.OK, headers: ("ETag", $"\"part-{part}\""));
    }

    private sealed class Handler(PartStore owner) : HttpMessageHandler
    {
        protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
        {
            HttpResponseMessage response = await owner.SendAsync(request, cancellationToken);
            response.RequestMessage = request;
            return response;
        }
    }

    /// <summary>The server side of a connection.</summary>
    private sealed class Sink(MemoryStream body, Func<long, CancellationToken, Task>? reading) : Stream
    {
        public override bool CanRead => false;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            body.Write(buffer.Span);
            await (reading?.Invoke(body.Length, cancellationToken) ?? Task.CompletedTask);
        }

        public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override void Flush()
        {
        }

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();
    }
}
