using System.Buffers;
using System.Net;
using System.Text;
using Amazon.S3;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Wire;

/// <summary>Responses that repeat a key with characters that XML 1.0 forbids, and responses whose characters could break requests.</summary>
public sealed class UnusualKeyTests
{
    private const string Key = "m/a\bb";
    private static readonly byte[] Content = Sample.Bytes(5 * 1024 * 1024);

    [Fact]
    public async Task Upload_ResponsesRepeatTheKey_IsPublished()
    {
        const string written = "m/a&#x8;b";
        FakeHttp http = new(request => request.Method == HttpMethod.Put
            ? FakeHttp.Answer(HttpStatusCode.OK, headers: ("ETag", "\"e\""))
            : FakeHttp.Answer(HttpStatusCode.OK, request.RequestUri!.Query.Contains("uploads", StringComparison.Ordinal)
                ? $"<InitiateMultipartUploadResult><Key>{written}</Key><UploadId>u</UploadId></InitiateMultipartUploadResult>"
                : $"<CompleteMultipartUploadResult><Key>{written}</Key><ETag>\"e-1\"</ETag></CompleteMultipartUploadResult>"));
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 1, MultipartThresholdBytes = Content.Length });

        UploadResult result = await client.UploadAsync(new ReadOnlySequence<byte>(Content), FakeHttp.Bucket, Key).Within();

        Assert.Equal("\"e-1\"", result.ETag);
    }

    /// <summary>A connection can mix up two responses. The parts would go to the object of the other one.</summary>
    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task Upload_ResponseIsAboutAnotherKey_SendsNoPart(TransferWire wire)
    {
        FakeHttp http = new(request => FakeHttp.Answer(
            HttpStatusCode.OK, request.Method == HttpMethod.Post ? "<InitiateMultipartUploadResult><Key>m/other</Key><UploadId>u</UploadId></InitiateMultipartUploadResult>" : string.Empty));
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 1, MultipartThresholdBytes = Content.Length, Advanced = { Wire = wire } });

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.UploadAsync(new ReadOnlySequence<byte>(Content), FakeHttp.Bucket, "m/a").Within());

        Assert.Contains("it is about another key", e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(http.Requests, request => request.Method == HttpMethod.Put);
    }

    [Theory]
    [InlineData("&#x8;", "\b")]
    [InlineData("&#0;", "\0")]
    [InlineData("&#x1b;[2J", "\u001b[2J")]
    [InlineData("&#xFFFF;", "\uffff")]
    [InlineData("&#x1F600;", "\ud83d\ude00")]
    public void List_KeyWithAnyCharacter_IsThatKey(string written, string key)
        => Assert.Equal("p/" + key, Assert.Single(List($"<Contents><Key>p/{written}</Key><Size>1</Size></Contents>").Items).Key);

    /// <summary>These values would change the key, or a header of a later request.</summary>
    [Theory]
    [InlineData("<Key>p/&#xD800;</Key><Size>1</Size>")]
    [InlineData("<Key>p/&#xDC00;&#xD800;</Key><Size>1</Size>")]
    [InlineData("<Key>p/k</Key><Size>1</Size><ETag>\"e\r\nx-amz-acl: public-read\"</ETag>")]
    [InlineData("<Key>p/k</Key><Size>1</Size><ETag>\"e&#13;&#10;Host: other\"</ETag>")]
    [InlineData("<Key>p/k</Key><Size>1</Size><ETag>\"e&#0;\"</ETag>")]
    public void List_TextThatCannotBeSent_IsRejected(string item) => Assert.Throws<WireException>(() => List($"<Contents>{item}</Contents>"));

    private static Page<ListedObject> List(string items)
    {
        using HttpResponseMessage response = new(HttpStatusCode.OK);
        return XmlResponse.Read(
            response,
            new MemoryStream(Encoding.UTF8.GetBytes($"<ListBucketResult>{items}<IsTruncated>false</IsTruncated></ListBucketResult>")),
            "ListBucketResult",
            isOfRead: true,
            list => HttpWire.ToPage(list, new ListQuery("b", string.Empty, ReadAccess.Plain), null));
    }
}
