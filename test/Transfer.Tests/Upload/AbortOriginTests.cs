using System.Net;
using System.Text;
using Amazon.S3;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Upload;

/// <summary>A multipart upload counts as aborted only if a store said so. A page with status 200 can come from any server.</summary>
public sealed class AbortOriginTests : TransferTest
{
    [Theory]
    [InlineData(TransferWire.Http, HttpStatusCode.OK, "{\"ok\":true}", "application/json", null, false)]
    [InlineData(TransferWire.Sdk, HttpStatusCode.OK, "{\"ok\":true}", "application/json", null, false)]
    [InlineData(TransferWire.Http, HttpStatusCode.NonAuthoritativeInformation, "<html/>", "text/html", null, false)]
    [InlineData(TransferWire.Sdk, HttpStatusCode.NonAuthoritativeInformation, "<html/>", "text/html", null, false)]
    [InlineData(TransferWire.Http, HttpStatusCode.OK, "", "text/plain", null, false)]
    [InlineData(TransferWire.Sdk, HttpStatusCode.OK, "", "text/plain", null, false)]
    [InlineData(TransferWire.Http, HttpStatusCode.OK, "", "text/plain", "x-amz-request-id", true)]
    [InlineData(TransferWire.Sdk, HttpStatusCode.OK, "", "text/plain", "x-amz-request-id", true)]
    [InlineData(TransferWire.Http, HttpStatusCode.NoContent, "", "text/plain", null, true)]
    [InlineData(TransferWire.Sdk, HttpStatusCode.NoContent, "", "text/plain", null, true)]
    public async Task Abort_OnlyAStoreCounts(TransferWire wire, HttpStatusCode status, string body, string type, string? header, bool isAborted)
    {
        FakeHttp http = new(request => request.Method == HttpMethod.Get
            ? FakeHttp.Answer(HttpStatusCode.OK, "<ListMultipartUploadsResult><Bucket>bucket</Bucket><IsTruncated>false</IsTruncated><Upload><Key>k</Key><UploadId>u</UploadId><Initiated>2026-01-01T00:00:00.000Z</Initiated></Upload></ListMultipartUploadsResult>")
            : Answer(status, body, type, header));
        using AmazonS3Client s3 = http.NewS3();
        TransferClient client = NewClient(s3, options => options.Advanced.Wire = wire);

        AbortUploadsResult result = await client.AbortUploadsAsync(FakeHttp.Bucket, string.Empty).Within();

        Assert.EachEqual((isAborted ? 1 : 0, isAborted ? 0 : 1), (result.Aborted.Count, result.Failures.Count));
    }

    private static HttpResponseMessage Answer(HttpStatusCode status, string body, string type, string? header)
    {
        HttpResponseMessage response = new(status) { Content = new StringContent(body, Encoding.UTF8, type) };
        if (header is not null)
        {
            response.Headers.TryAddWithoutValidation(header, "R1");
        }

        return response;
    }
}
