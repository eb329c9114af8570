using System.Net;
using System.Text;

namespace Transfer.S3.Tests.Fuzz;

/// <summary>A response that a random number determines: correct, almost correct, of another server, or without an end.</summary>
internal sealed class AnyResponse
{
    private static readonly int[] Statuses = [200, 200, 200, 200, 200, 200, 206, 206, 201, 202, 204, 301, 302, 307, 400, 403, 404, 409, 412, 416, 429, 500, 501, 502, 503];

    private static readonly (string Name, string[] Values)[] Headers =
    [
        ("ETag", ["\"e\"", "e", "W/\"e\"", "\"d41d8cd98f00b204e9800998ecf8427e\"", "\"e-2\"", string.Empty]),
        ("x-amz-request-id", ["R1", string.Empty]),
        ("x-amz-id-2", ["I1"]),
        ("x-amz-version-id", ["v", "null", string.Empty]),
        ("x-amz-bucket-region", ["eu-west-1", "us-west-2", string.Empty, "\u00e9"]),
        ("x-amz-checksum-crc64nvme", ["AAAAAAAAAAA=", "AAAAAAAAAAA=-2", "?"]),
        ("x-amz-mp-parts-count", ["1", "2", "-1", "x"]),
        ("Location", ["http://127.0.0.1:9/", "/other", "https://bucket.s3.eu-west-1.amazonaws.com/key", "::"]),
        ("Retry-After", ["1", "-1", "x"]),
        ("Content-Type", ["application/xml", "text/html", "text/html; charset=utf-8", "binary/octet-stream", "?"]),
        ("Content-Range", ["bytes 0-9/10", "bytes 0-9/100", "bytes 0-0/0", "bytes 5-4/3", "bytes */10", "bytes 0-3000000000/3000000001"]),
        ("Content-Length", ["0", "10", "1000000", "3000000000", "-1", "x"]),
        ("Last-Modified", ["Thu, 01 Jan 2026 00:00:00 GMT", "0"]),
        ("Transfer-Encoding", ["chunked"]),
    ];

    private static readonly string[] Documents =
    [
        "<InitiateMultipartUploadResult><Bucket>b</Bucket><Key>k&#8;</Key><UploadId>u</UploadId></InitiateMultipartUploadResult>",
        "<?xml version=\"1.0\"?><CompleteMultipartUploadResult><Location>l</Location><Key>k</Key><ETag>\"e-1\"</ETag></CompleteMultipartUploadResult>",
        "<CopyObjectResult><ETag>\"e\"</ETag><LastModified>2026-01-01T00:00:00.000Z</LastModified></CopyObjectResult>",
        "<CopyPartResult><ETag>\"e\"</ETag></CopyPartResult>",
        "<GetObjectAttributesResponse><ETag>e</ETag><Checksum><ChecksumCRC32C>AAAAAA==</ChecksumCRC32C></Checksum></GetObjectAttributesResponse>",
        "<GetObjectAttributesResponse><ETag>e</ETag><ObjectParts><IsTruncated>true</IsTruncated><NextPartNumberMarker>1</NextPartNumberMarker><Part><PartNumber>1</PartNumber><Size>0</Size></Part></ObjectParts></GetObjectAttributesResponse>",
        "<ListAllMyBucketsResult><Owner><ID>o</ID></Owner><Buckets><Bucket><Name>b</Name></Bucket></Buckets><ContinuationToken>t</ContinuationToken></ListAllMyBucketsResult>",
        "<ListBucketResult><Name>b</Name><IsTruncated>false</IsTruncated><Contents><Key>p/k</Key><Size>1</Size></Contents></ListBucketResult>",
        "<ListPartsResult><UploadId>upload</UploadId><IsTruncated>false</IsTruncated><Part><PartNumber>1</PartNumber><ETag>e</ETag><Size>1</Size></Part></ListPartsResult>",
        "<ListMultipartUploadsResult><Bucket>b</Bucket><IsTruncated>true</IsTruncated></ListMultipartUploadsResult>",
        "<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>",
        "<Error><Code>NoSuchKey</Code><Message>m</Message><Region>eu-west-1</Region></Error>",
        "<Error><Code>InternalError</Code></Error>",
        "<html><body>Log in</body></html>",
        "<!DOCTYPE html><html><br>",
        string.Empty,
    ];

    private static readonly string[] Words = ["<ETag>", "</ETag>", "<ETag/>", "\"e\"", "<Error>", "<Code>", "&#0;", "&#xD800;", "&e;", "<!DOCTYPE a>", "<![CDATA[", "]]>", "<a>", "</a>"];

    private readonly (string Name, string Value)[] _headers;
    private readonly byte[] _body;
    private readonly bool _isEndless;

    /// <param name="seed">The number that determines the response.</param>
    /// <param name="isForSdk">Whether the SDK can receive the response. It follows redirects without a limit, and reads the whole body of an error.</param>
    public AnyResponse(int seed, bool isForSdk)
    {
        Random random = new(seed);
        int status = Statuses[random.Next(Statuses.Length)];
        bool isRedirect = status is > 300 and < 400;
        Status = (HttpStatusCode)(isRedirect && isForSdk ? 300 : status);
        _headers = [.. Headers.Where(_ => random.Next(3) == 0).Select(header => (header.Name, header.Values[random.Next(header.Values.Length)]))];
        _isEndless = random.Next(8) == 0 && !isForSdk && !isRedirect; // the SDK is asked where a redirect leads
        string document = Documents[random.Next(Documents.Length)];
        string text = random.Next(2) == 0 ? document : Mutation.Text(random, [document], Words);
        _body = Encoding.UTF8.GetBytes(_isEndless ? text[..random.Next(text.Length + 1)] : text);
    }

    public HttpStatusCode Status { get; }

    public bool HasETag => _headers.Any(header => header is { Name: "ETag", Value.Length: > 0 });

    /// <summary>Gets a value that indicates whether a header shows that a store has sent the response.</summary>
    public bool IsOfStore => HasETag || _headers.Any(header => header.Name.StartsWith("x-amz-", StringComparison.Ordinal));

    public string Body => Encoding.UTF8.GetString(_body);

    /// <summary>Gets the number of bytes that were read from the bodies.</summary>
    public long BytesRead { get; private set; }

    public HttpResponseMessage Create()
    {
        HttpResponseMessage response = new(Status) { Content = new StreamContent(new LazyBody(this)) };
        foreach ((string name, string value) in _headers)
        {
            if (!response.Headers.TryAddWithoutValidation(name, value))
            {
                response.Content.Headers.TryAddWithoutValidation(name, value);
            }
        }

        return response;
    }

    public override string ToString() => $"{(int)Status} {string.Join(", ", _headers)} {Body}{(_isEndless ? "…" : string.Empty)}";

    /// <summary>The body, which is made while it is read.</summary>
    private sealed class LazyBody(AnyResponse response) : Stream
    {
        private const long MaxBytes = 3L << 30;
        private long _position;

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => _position; set => throw new NotSupportedException(); }

        public override int Read(Span<byte> buffer)
        {
            int count = 0;
            if (_position < response._body.Length)
            {
                count = Math.Min(buffer.Length, response._body.Length - (int)_position);
                response._body.AsSpan((int)_position, count).CopyTo(buffer);
            }
            else if (response._isEndless && _position < MaxBytes)
            {
                count = buffer.Length;
                buffer.Fill((byte)'a');
            }

            _position += count;
            response.BytesRead += count;
            return count;
        }

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            cancellationToken.ThrowIfCancellationRequested();
            return new ValueTask<int>(Read(buffer.Span));
        }

        public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
            => ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
