using System.Net;
using Amazon.S3;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Copy;

/// <summary>A size in the headers that isn't that of the listing, with the same ETag. A copy in parts would end too early.</summary>
public sealed class ListedSizeTests : TransferTest
{
    [Theory]
    [InlineData(1000, 1000, true)]
    [InlineData(1000, 500, false)]
    [InlineData(1000, 2000, false)]
    public async Task OtherSizeInTheHeaders_IsNotCopied(int listed, int inHeaders, bool isCopied)
    {
        FakeHttp http = new(request =>
        {
            string query = request.RequestUri!.Query;
            return request.Method == HttpMethod.Head
                ? request.RequestUri.AbsolutePath.EndsWith("/p/a", StringComparison.Ordinal) ? FakeHttp.Answer(HttpStatusCode.OK, new byte[inHeaders], headers: ("ETag", "\"opaque\"")) : FakeHttp.Answer(HttpStatusCode.NotFound)
                : query.Contains("list-type", StringComparison.Ordinal)
                ? FakeHttp.Answer(HttpStatusCode.OK, query.Contains("prefix=p", StringComparison.Ordinal)
                    ? $"<ListBucketResult><Contents><Key>p/a</Key><ETag>\"opaque\"</ETag><Size>{listed}</Size></Contents></ListBucketResult>"
                    : "<ListBucketResult/>")
                : query.Contains("tagging", StringComparison.Ordinal) ? FakeHttp.Answer(HttpStatusCode.OK, "<Tagging/>")
                : query.Contains("uploads", StringComparison.Ordinal) ? FakeHttp.Answer(HttpStatusCode.OK, "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>")
                : query.Contains("partNumber", StringComparison.Ordinal) ? FakeHttp.Answer(HttpStatusCode.OK, "<CopyPartResult><ETag>\"e\"</ETag></CopyPartResult>")
                : request.Method == HttpMethod.Post ? FakeHttp.Answer(HttpStatusCode.OK, "<CompleteMultipartUploadResult><ETag>\"e-1\"</ETag></CompleteMultipartUploadResult>")
                : request.Method == HttpMethod.Put ? FakeHttp.Answer(HttpStatusCode.OK, "<CopyObjectResult><ETag>\"e\"</ETag></CopyObjectResult>")
                : FakeHttp.Answer(HttpStatusCode.NoContent);
        });
        using AmazonS3Client s3 = http.NewS3();
        TransferClient client = NewClient(s3, options => options.Advanced.Wire = TransferWire.Http);

        Exception? e = await Record.ExceptionAsync(() => client.SyncAsync(Place.InBucket(FakeHttp.Bucket, "p"), Place.InBucket(FakeHttp.Bucket, "q")).Within());

        Assert.Equal(isCopied ? null : TransferError.ObjectChanged, (e as TransferException)?.Error);
        Assert.Equal(isCopied, http.Requests.Any(static request => request.RequestUri!.Query.Contains("partNumber", StringComparison.Ordinal)));
    }
}
