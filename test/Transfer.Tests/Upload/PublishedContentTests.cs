using System.Buffers;
using System.Net;
using System.Security.Cryptography;
using Amazon.S3;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Upload;

/// <summary>An object that is there after a lost response is that of the upload only if nothing that the store returns differs from it.</summary>
public sealed class PublishedContentTests
{
    private static readonly byte[] Content = Sample.Bytes(1000);

    [Theory]
    [InlineData(null, null)]
    [InlineData("x-amz-tagging-count", null)]
    [InlineData("x-amz-storage-class", null)]
    [InlineData("x-amz-server-side-encryption", null)]
    public async Task TheSameObject_IsPublished(string? header, string? value)
        => Assert.NotNull((await UploadAsync(header, value)).ETag);

    [Theory]
    [InlineData("x-amz-tagging-count", "2")]
    [InlineData("x-amz-tagging-count", "0")]
    [InlineData("x-amz-storage-class", "GLACIER")]
    [InlineData("x-amz-server-side-encryption", "aws:kms")]
    [InlineData("x-amz-meta-a", "2")]
    [InlineData("x-amz-meta-a", null)]
    [InlineData("x-amz-meta-b", "1")]
    [InlineData("ETag", "\"0123456789abcdef0123456789abcdef\"")]
    [InlineData("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")]
    public async Task AnotherObject_IsNotPublished(string header, string? value)
        => Assert.Equal(HttpStatusCode.PreconditionFailed, (await Assert.ThrowsAnyAsync<TransferException>(() => UploadAsync(header, value))).StatusCode);

    /// <summary>Uploads an object. The first response is lost, and the second one tells that there is an object, one of whose headers has another value.</summary>
    private static async Task<UploadResult> UploadAsync(string? header, string? value)
    {
        Dictionary<string, string?> headers = new()
        {
#pragma warning disable CA5351 // the ETag of S3
            ["ETag"] = $"\"{Convert.ToHexStringLower(MD5.HashData(Content))}\"",
#pragma warning restore CA5351
            ["Last-Modified"] = TimeProvider.System.GetUtcNow().ToString("R"),
            ["x-amz-meta-a"] = "1",
            ["x-amz-tagging-count"] = "1",
            ["x-amz-storage-class"] = "STANDARD_IA",
            ["x-amz-server-side-encryption"] = "AES256",
        };
        if (header is not null)
        {
            headers[header] = value;
        }

        int puts = 0;
        FakeHttp http = new(request => request.Method != HttpMethod.Put
            ? puts == 0 ? FakeHttp.Answer(HttpStatusCode.NotFound) : FakeHttp.Answer(HttpStatusCode.OK, Content, headers: [.. headers.Where(static each => each.Value is not null).Select(static each => (each.Key, each.Value!))])
            : Interlocked.Increment(ref puts) > 1
                ? FakeHttp.Error(HttpStatusCode.PreconditionFailed, "PreconditionFailed")
                : throw new HttpRequestException(HttpRequestError.ResponseEnded, "lost"));
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 2 });
        UploadOptions options = new()
        {
            Overwrite = false,
            Metadata = new Dictionary<string, string> { ["a"] = "1" },
            Tags = new Dictionary<string, string> { ["t"] = "1" },
            StorageClass = "STANDARD_IA",
            Encryption = ObjectEncryption.Aes256,
        };
        return await client.UploadAsync(new ReadOnlySequence<byte>(Content), FakeHttp.Bucket, FakeHttp.Key, options).Within();
    }
}
