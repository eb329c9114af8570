using Amazon.S3;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Wire;

/// <summary>
/// The header that names the source of a copy. Stores such as <c>rclone serve s3</c> and s3rver split the bucket from the key before they decode it.
/// </summary>
public sealed class CopySourceTests : WireTest
{
    private const int Length = (5 << 20) + 1;

    [Theory]
    [InlineData(TransferWire.Http, 1, 1)]
    [InlineData(TransferWire.Http, Length, 2)]
    [InlineData(TransferWire.Sdk, 1, 1)]
    [InlineData(TransferWire.Sdk, Length, 2)]
    public async Task Copy_SlashesAreSentUnescapedAndSigned(TransferWire wire, int length, int copies)
    {
        await using ScriptedServer server = new(request => Answer(request, length));
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire }, MaxAttempts = 1 });

        await client.CopyAsync(new(Bucket, "a/b c/%2F+ü"), new(Bucket, "target"), new CopyOptions { PartSizeBytes = 5 << 20, MultipartThresholdBytes = 5 << 20 }).Within();

        ScriptedRequest[] sent = [.. server.Requests.Where(request => request.Header("x-amz-copy-source") is not null)];
        Assert.Equal(copies, sent.Length);
        Assert.All(sent, request => Assert.Equal("bucket/a/b%20c/%252F%2B%C3%BC", request.Header("x-amz-copy-source")));
        Assert.All(sent, request => Assert.Contains("x-amz-copy-source;", request.Header("Authorization"), StringComparison.Ordinal));
    }

    private static ScriptedAnswer Answer(ScriptedRequest request, int length) => request switch
    {
        { Method: "HEAD" } => ScriptedAnswer.Of($"HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nETag: \"e\"\r\nContent-Length: {length}"),
        { Method: "PUT" } when TinyStore.IsPart(request) => Xml("<CopyPartResult><ETag>&quot;p&quot;</ETag></CopyPartResult>"),
        { Method: "PUT" } => Xml("<CopyObjectResult><ETag>&quot;e&quot;</ETag></CopyObjectResult>"),
        _ when TinyStore.IsCreate(request) => Xml("<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>"),
        _ => Xml("<CompleteMultipartUploadResult><ETag>&quot;e-2&quot;</ETag></CompleteMultipartUploadResult>"),
    };

    private static ScriptedAnswer Xml(string body) => ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nContent-Type: application/xml", body);
}
