using System.Security.Cryptography;
using System.Text;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server.Checksums;

namespace Transfer.S3.IntegrationTests.Server;

/// <summary>Uploads of pages by a form, with a policy that the owner of the bucket has signed.</summary>
public sealed class PostFormTests : RawServerTest
{
    private static readonly byte[] Data = Sample.Bytes(200_000);

    [Fact]
    public async Task Form_WithASignedPolicy_StoresTheFile()
    {
        RawAnswer answer = await PostAsync(
            """["starts-with", "$key", "photos/"], {"x-amz-meta-camera": "x"}, ["starts-with", "$Content-Type", "image/"], ["content-length-range", 1, 300000]""",
            ("key", "photos/${filename}"),
            ("Content-Type", "image/png"),
            ("x-amz-meta-camera", "x"));

        Assert.Equal(204, answer.Status);
        Assert.Equal(Sample.ETag(Data), answer.Header("ETag"));
        Assert.Equal($"http://{Server.Endpoint.Authority}/bucket/photos/a%20b.png", answer.Header("Location"));
        RawAnswer stored = await Raw.SendSignedAsync("GET", "/bucket/photos/a%20b.png");
        Assert.Equal(Data, stored.Body);
        Assert.EachEqual(("image/png", "x"), (stored.Header("Content-Type"), stored.Header("x-amz-meta-camera")));
        Assert.EachEqual(("PostObject", "photos/a b.png"), (Server.Requests[^2].Operation, Server.Requests[^2].Key));
    }

    [Fact]
    public async Task Form_AsksForAnAnswer_GetsIt()
    {
        RawAnswer created = await PostAsync("""{"success_action_status": "201"}""", ("success_action_status", "201"), ("key", "k"));
        RawAnswer redirected = await PostAsync(
            """["starts-with", "$success_action_redirect", ""]""", ("success_action_redirect", "https://app.example.com/done?a=b"), ("key", "k"));

        Assert.EachEqual((201, "k", "bucket"), (created.Status, created.Element("Key"), created.Element("Bucket")));
        Assert.Equal(303, redirected.Status);
        Assert.Equal($"https://app.example.com/done?a=b&bucket=bucket&key=k&etag=%22{Sample.ETag(Data).Trim('"')}%22", redirected.Header("Location"));
    }

    [Theory]
    [InlineData("""{"key": "other"}""", 403, "AccessDenied")]
    [InlineData("""["starts-with", "$key", "K"]""", 403, "AccessDenied")]
    [InlineData("""["starts-with", "$x-amz-meta-camera", ""]""", 403, "AccessDenied")] // the form doesn't have it
    [InlineData("""{"key": "k"}, ["content-length-range", 0, 199999]""", 400, "EntityTooLarge")]
    [InlineData("""{"key": "k"}, ["content-length-range", 200001, 300000]""", 400, "EntityTooSmall")]
    [InlineData("""{"key": "k"}, ["content-length-range", 0]""", 400, "InvalidPolicyDocument")]
    [InlineData("""{"key": "k"}, ["content-length-range", -1, 0]""", 400, "InvalidPolicyDocument")]
    [InlineData("""{"key": "k"}, {}""", 400, "InvalidPolicyDocument")]
    [InlineData("""{"key": "k"}, ["ends-with", "$key", "k"]""", 400, "InvalidPolicyDocument")]
    [InlineData("""{"key": "k"}, [null, "$key", "k"]""", 400, "InvalidPolicyDocument")]
    [InlineData("{", 400, "InvalidPolicyDocument")]
    public async Task Form_ThatThePolicyDoesNotAllow_StoresNothing(string conditions, int status, string code)
    {
        Fails(await SendAsync(Policy(conditions), ("key", "k")), status, code);
        Fails(await Raw.SendSignedAsync("GET", "/bucket/k"), 404, "NoSuchKey");
    }

    [Fact]
    public async Task Form_WithAFieldThatNoConditionNames_IsRejected()
    {
        Assert.Equal(403, (await PostAsync("""{"key": "k"}""", ("key", "k"), ("x-amz-meta-a", "b"))).Status);
        Assert.Equal(204, (await PostAsync("""{"key": "k"}""", ("key", "k"), ("x-ignore-a", "b"))).Status);
    }

    [Theory]
    [InlineData("x-amz-meta-a b", "c")]
    [InlineData("x-amz-meta-a", "b\r\nx: c")]
    [InlineData("Content-Type", "text/plain\n")]
    public async Task Form_WithAFieldThatCannotBeAHeader_IsRejected(string name, string value) =>
        Fails(await PostAsync($$"""["starts-with", "${{name}}", ""], {"key": "k"}""", ("key", "k"), (name, value)), 400, "InvalidArgument");

    [Fact]
    public async Task Form_WithoutAValidSignature_IsRejected()
    {
        string policy = Policy("""{"key": "k"}""");
        Fails(await SendRawAsync([("key", "k")]), 403, "AccessDenied");
        Fails(await SendRawAsync([("key", "k"), ("policy", policy)]), 400, "InvalidArgument");
        Fails(await SendRawAsync([("key", "k"), .. Signed(policy)[..^1], ("x-amz-signature", new string('0', 64))]), 403, "SignatureDoesNotMatch");
        Fails(await SendRawAsync([("key", "k"), ("policy", policy), ("AWSAccessKeyId", "nobody"), ("signature", "x")]), 403, "InvalidAccessKeyId");
        Fails(await SendAsync(Encode("""{"expiration": "2020-01-01T00:00:00Z", "conditions": [{"key": "k"}]}"""), ("key", "k")), 403, "AccessDenied");
        Fails(await SendAsync(policy), 400, "InvalidArgument"); // without a key
    }

    [Fact]
    public async Task Form_SignedWithVersion2_IsAccepted()
    {
        string policy = Encode("""{"expiration": "2099-01-01T00:00:00Z", "conditions": [["eq", "$key", "k"]]}""");
#pragma warning disable CA5350 // signatures of version 2 are made with SHA-1
        string signature = Convert.ToBase64String(HMACSHA1.HashData(Encoding.UTF8.GetBytes(Server.SecretAccessKey), Encoding.UTF8.GetBytes(policy)));
#pragma warning restore CA5350
        Assert.Equal(204, (await SendRawAsync([("key", "k"), ("AWSAccessKeyId", Server.AccessKeyId), ("policy", policy), ("signature", signature)])).Status);
    }

    [Fact]
    public async Task Form_WithAChecksum_IsVerified()
    {
        const string Header = "x-amz-checksum-crc32c";
        string right = RunningChecksum.Compute(ChecksumAlgorithm.Crc32C, Data);
        const string Conditions = """{"key": "k"}, ["starts-with", "$x-amz-checksum-crc32c", ""]""";

        RawAnswer stored = await PostAsync(Conditions, ("key", "k"), (Header, right));

        Assert.EachEqual((204, right), (stored.Status, stored.Header(Header)));
        Assert.Equal("BadDigest", (await PostAsync(Conditions, ("key", "k"), (Header, "AAAAAA=="))).Code);
        Assert.Equal("InvalidRequest", (await PostAsync(Conditions, ("key", "k"), (Header, "A"))).Code);
    }

    [Fact]
    public async Task Form_ThatIsCutOrHasNoFile_IsRejected()
    {
        (string, string)[] fields = [("key", "k"), .. Signed(Policy("""{"key": "k"}"""))];
        byte[] body = Body(fields, Data);

        Fails(await SendBodyAsync(body[..^100]), 400, "IncompleteBody");
        Fails(await SendBodyAsync(Encoding.UTF8.GetBytes("--b\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\nk\r\n--b--\r\n")), 400, "InvalidArgument");
        Fails(await SendBodyAsync(Encoding.UTF8.GetBytes("--b\r\n\r\nk\r\n--b--\r\n")), 400, "MalformedPOSTRequest");
        Fails(await SendBodyAsync(Body([("key", new string('k', 21_000)), .. fields], Data)), 400, "MaxPostPreDataLengthExceeded");
        HttpRequestMessage chunked = Raw.Plain("POST", "/bucket", body, ("Content-Type", "multipart/form-data; boundary=b"));
        chunked.Headers.TransferEncodingChunked = true;
        Fails(await Raw.SendAsync(chunked), 411, "MissingContentLength");
        Assert.Null((await Raw.SendSignedAsync("GET", "/bucket")).Element("Contents"));
    }

    private static string Encode(string policy) => Convert.ToBase64String(Encoding.UTF8.GetBytes(policy));

    private static byte[] Body(IEnumerable<(string Name, string Value)> fields, byte[] file)
    {
        var body = new MemoryStream();
        foreach ((string name, string value) in fields)
        {
            body.Write(Encoding.UTF8.GetBytes($"--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"));
        }

        body.Write(Encoding.UTF8.GetBytes("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"C:\\folder/a b.png\"\r\nContent-Type: image/png\r\n\r\n"));
        body.Write(file);
        body.Write(Encoding.UTF8.GetBytes("\r\n--b--\r\n"));
        return body.ToArray();
    }

    private string Policy(string conditions) => Encode(
        $$"""
        {
            "expiration": "2099-01-01T00:00:00Z",
            "conditions":
            [
                {"bucket": "bucket"}, {"x-amz-algorithm": "AWS4-HMAC-SHA256"}, {"x-amz-credential": "{{Raw.AccessKeyId}}/{{Raw.Scope}}"}, {"x-amz-date": "{{Raw.Timestamp}}"},
                {{conditions}}
            ]
        }
        """);

    private Task<RawAnswer> PostAsync(string conditions, params (string Name, string Value)[] fields)
    {
        string key = conditions.Contains("key", StringComparison.Ordinal) ? conditions : conditions + """, {"key": "k"}""";
        return SendAsync(Policy(key), fields);
    }

    private Task<RawAnswer> SendAsync(string policy, params (string Name, string Value)[] fields) => SendRawAsync([.. fields, .. Signed(policy)]);

    private (string Name, string Value)[] Signed(string policy) =>
    [
        ("policy", policy),
        ("x-amz-algorithm", "AWS4-HMAC-SHA256"),
        ("x-amz-credential", $"{Raw.AccessKeyId}/{Raw.Scope}"),
        ("x-amz-date", Raw.Timestamp),
        ("x-amz-signature", Raw.SignText(policy)),
    ];

    private Task<RawAnswer> SendRawAsync(IEnumerable<(string Name, string Value)> fields) => SendBodyAsync(Body(fields, Data));

    private Task<RawAnswer> SendBodyAsync(byte[] body) => Raw.SendAsync(Raw.Plain("POST", "/bucket", body, ("Content-Type", "multipart/form-data; boundary=b")));
}
