using System.Numerics;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Operations;
using Transfer.S3.Server.Signing;
using Transfer.S3.Tests.Server;

namespace Transfer.S3.Tests.Fuzz;

/// <summary>Any requests to the embedded server. It must understand them or reject them as S3 does.</summary>
public sealed class ServerRequestFuzzTests
{
    private static readonly Regex RangeGrammar = new("^(?<first>[0-9]*)-(?<last>[0-9]*)\\z", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking);

    private const string Completion =
        "<?xml version=\"1.0\"?><CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Part><PartNumber>1</PartNumber><ETag>&quot;AB&quot;</ETag>"
        + "<ChecksumCRC32>y/Q5Jg==</ChecksumCRC32></Part><Part><ETag>cd</ETag><PartNumber>7</PartNumber></Part></CompleteMultipartUpload>";

    private static readonly string[] XmlWords =
    [
        "<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>", "&e;", "&#x0;", "<![CDATA[x]]>", "<!-- c -->", "<Part>", "</Part>", "<Part/>", "<PartNumber>", "<ETag/>", "<Other>x</Other>",
        "encoding=\"utf-16\"", "encoding=\"utf-7\"", " a=\"1\"", "10000", "10001", "<CompleteMultipartUpload>",
    ];

    private static readonly string[] Headers =
    [
        "authorization", "x-amz-date", "date", "host", "x-amz-content-sha256", "x-amz-security-token", "x-amz-checksum-crc32", "x-amz-checksum-md5", "x-amz-trailer", "x-amz-sdk-checksum-algorithm",
        "x-amz-tagging", "x-amz-meta-a", "x-amz-storage-class", "if-match", "content-type", "content-encoding", "x-amz-server-side-encryption-customer-algorithm",
        "x-amz-server-side-encryption-customer-key", "x-amz-server-side-encryption-customer-key-MD5",
    ];

    private static readonly string[] Values =
    [
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed31",
        "20130524T000000Z", "Fri, 24 May 2013 00:00:00 GMT", "UNSIGNED-PAYLOAD", "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "y/Q5Jg==", "x-amz-checksum-crc32", "a=b&c=d%20e", "STANDARD", "AES256", "\"e\", W/\"f\", *", "aws-chunked,gzip",
    ];

    private static readonly string[] ValueWords = ["Credential=", "SignedHeaders=", "Signature=", "aws4_request", "/", ";", ",", "=", "host", "AWS4-HMAC-SHA256", "%41", "&", "+"];

    private static readonly string[] Targets =
    [
        "/bucket/a%20b?partNumber=1&uploadId=u", "/?list-type=2&prefix=p%2F&encoding-type=url", "http://127.0.0.1:9000/bucket/k", "/bucket?uploads", "/bucket/../x//y",
        "/b/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
            + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
    ];

    [Fact]
    public Task Completion_AnyBytes_IsAListOfPartsOrRejected() => Fuzzer.BytesAsync(
        random => Mutation.Bytes(random, [Completion], XmlWords),
        bytes => AllowRejection(() =>
        {
            List<CompletionPart> parts = CompletionPart.Parse(bytes, "u");
            Assert.NotEmpty(parts);
            Assert.All(parts, part => Assert.True(part.Number is >= 1 and <= 10_000 && part.ETag is not null));
            Assert.Equal(parts.Select(part => part.Number).Distinct().Order(), parts.Select(part => part.Number));
        }));

    [Fact]
    public Task Completion_TruncatedAnywhere_IsRejected() => Fuzzer.TextAsync(
        random => Completion[..random.Next(Completion.Length)],
        text => Assert.Throws<S3Exception>(() => CompletionPart.Parse(Encoding.UTF8.GetBytes(text), "u")));

    [Fact]
    public Task Xml_AnyBytes_IsParsedOrRejected() => Fuzzer.BytesAsync(
        random => Mutation.Bytes(random, ["<Delete><Quiet>true</Quiet><Object><Key>a</Key></Object><Object><Key>b</Key><VersionId>null</VersionId></Object></Delete>"], XmlWords),
        bytes => AllowRejection(() => XmlRequest.Read(bytes, "Delete", "Object", () => { }, (name, text) => Assert.NotEmpty(name))));

    [Fact]
    public Task Range_AnyText_EqualsTheGrammar() => Fuzzer.CheckAsync(
        random => (Header: Mutation.Text(random, ["bytes=0-9", "bytes=5-", "bytes=-7", "bytes=0-0,5-6", "bytes=9223372036854775806-9223372036854775807"], "bytes=", "-", ","), Size: Math.Abs(Mutation.Number(random))),
        asked =>
        {
            (bool isRange, BigInteger first, BigInteger last) = Model(asked.Header, asked.Size);
            if (isRange && (first >= asked.Size || last < first))
            {
                Assert.Equal(416, Assert.Throws<S3Exception>(() => ByteRange.Resolve(asked.Header, asked.Size)).Status);
                return;
            }

            Assert.Equal(isRange ? new ByteRange((long)first, (long)(last - first + 1)) : null, ByteRange.Resolve(asked.Header, asked.Size));
            AllowRejection(() => Assert.InRange(ByteRange.ResolveExact(asked.Header, asked.Size).Last, 0, asked.Size - 1));
        });

    [Fact]
    public Task Target_AnyText_IsABucketAndAKeyOrRejected() => Fuzzer.CheckAsync(
        random => (Target: Mutation.Text(random, Targets, "%2F", "?", "&", "=", "://", "//"), Host: Mutation.Text(random, ["127.0.0.1:9000", "bucket.localhost:9000", "[::1]:9000"], ".localhost", ":", "]")),
        request => AllowRejection(() =>
        {
            RequestTarget target = RequestTarget.Parse(request.Target, request.Host);
            Assert.StartsWith("/", target.RawPath, StringComparison.Ordinal);
            Assert.NotEqual(string.Empty, target.Bucket);
            Assert.NotEqual(string.Empty, target.Key);
            _ = OperationRouter.Resolve("GET", target, new HeaderDictionary());
        }));

    [Fact]
    public Task Signature_AnyRequest_IsRejected() => Fuzzer.CheckAsync(
        random => (Target: Mutation.Text(random, Targets, ValueWords), Headers: NewHeaders(random)),
        request => AllowRejection(() =>
        {
            RequestTarget target = RequestTarget.Parse(request.Target, "127.0.0.1:9000");
            IHeaderDictionary headers = ToDictionary(request.Headers);
            Assert.Fail($"The request was accepted: {SignatureVerifierTests.Verifier(SignatureVerifierTests.Signed).Verify("PUT", target, headers)}");
        }));

    [Fact]
    public Task Headers_AnyUpload_AreReadOrRejected() => Fuzzer.CheckAsync(
        NewHeaders,
        request =>
        {
            IHeaderDictionary headers = ToDictionary(request);
            AllowRejection(() => DeclaredChecksum.FromHeaders(headers)?.ThrowIfMalformed());
            AllowRejection(() => Assert.InRange(ObjectHeaders.Read(headers).Tags.Count, 0, 10));
            AllowRejection(() => _ = PayloadHash.Parse(headers["x-amz-content-sha256"].ToString()));
            _ = ETags.Matches(headers.IfMatch.ToString(), "e");
            _ = HttpDate.Parse(headers.Date);
        });

    [Fact]
    public Task Date_Written_CanBeReadBackToTheSecond() => Fuzzer.CheckAsync(
        random => new DateTimeOffset(random.NextInt64(DateTimeOffset.MinValue.Ticks, DateTimeOffset.MaxValue.Ticks), TimeSpan.Zero),
        time =>
        {
            Assert.Equal(HttpDate.WholeSeconds(time), HttpDate.Parse(HttpDate.Format(time)));
            Assert.True(SigningTime.TryParse(SigningTime.Format(time), out DateTimeOffset signed) && signed == HttpDate.WholeSeconds(time));
        });

    private static (bool IsRange, BigInteger First, BigInteger Last) Model(string header, long size)
    {
        bool isOfBytes = header.StartsWith("bytes=", StringComparison.OrdinalIgnoreCase);
        Match match = isOfBytes ? RangeGrammar.Match(header["bytes=".Length..].Trim()) : Match.Empty;
        BigInteger? first = Number(match.Groups["first"]);
        BigInteger? last = Number(match.Groups["last"]);
        return !match.Success || (first is null && last is null) || first > last ? (false, 0, 0)
            : first is null ? (true, size - BigInteger.Min(last!.Value, size), size - 1)
            : (true, first.Value, BigInteger.Min(last ?? long.MaxValue, size - 1));

        static BigInteger? Number(Group digits) => digits.Length == 0 ? null : BigInteger.Min(BigInteger.Parse(digits.Value), long.MaxValue);
    }

    private static (string Name, string Value)[] NewHeaders(Random random)
        => [.. Enumerable.Range(0, random.Next(8)).Select(_ => (Headers[random.Next(Headers.Length)], Mutation.Text(random, Values, ValueWords)))];

    private static HeaderDictionary ToDictionary((string Name, string Value)[] headers)
    {
        HeaderDictionary dictionary = [];
        foreach ((string name, string value) in headers)
        {
            dictionary[name] = value;
        }

        return dictionary;
    }

    private static void AllowRejection(Action read)
    {
        try
        {
            read();
        }
        catch (S3Exception e)
        {
            Assert.InRange(e.Status, 400, 501);
            Assert.NotEmpty(e.Code);
        }
    }
}
