using System.Buffers;
using System.Net;
using Amazon.S3;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Upload;

/// <summary>
/// Amazon S3 rejects a conditional request with status 409 while another write of the key is in progress, and asks to send it again.
/// </summary>
public sealed class WriteConflictTests : TransferTest
{
    private const string Hint = "another write of the key was in progress; run it again";
    private const int Part = 5 * 1024 * 1024;

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task Put_IsSentAgain(TransferWire wire)
    {
        int writes = 0;
        FakeHttp http = new(request => request.Method == HttpMethod.Put
            ? Interlocked.Increment(ref writes) <= 2 ? Conflict() : FakeHttp.Answer(HttpStatusCode.OK, headers: ("ETag", "\"e\""))
            : FakeHttp.Answer(HttpStatusCode.NotFound));

        await UploadAsync(http, wire, 10);

        Assert.Equal(3, writes);
        Assert.All(http.Requests.Where(static request => request.Method == HttpMethod.Put), static request => Assert.Equal("*", FakeHttp.Header(request, "If-None-Match")));
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task Put_StaysInConflict_ErrorSaysWhatToDo(TransferWire wire)
    {
        FakeHttp http = new(request => request.Method == HttpMethod.Put ? Conflict() : FakeHttp.Answer(HttpStatusCode.NotFound));

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(http, wire, 10));

        Assert.EachEqual(("ConditionalRequestConflict", HttpStatusCode.Conflict, Hint), (e.ErrorCode, e.StatusCode, e.Hint));
        Assert.Contains(Hint, e.Message, StringComparison.Ordinal);
    }

    /// <summary>The condition wasn't met at the next attempt, so the object is that of the other write.</summary>
    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task Put_OtherWriteWins_IsNotTakenForOurs(TransferWire wire)
    {
        int writes = 0;
        FakeHttp http = new(request => request.Method == HttpMethod.Put ? Interlocked.Increment(ref writes) == 1 ? Conflict() : FakeHttp.Error(HttpStatusCode.PreconditionFailed, "PreconditionFailed")
            : writes == 0 ? FakeHttp.Answer(HttpStatusCode.NotFound)
            : FakeHttp.Answer(HttpStatusCode.OK, new byte[10], headers: ("ETag", "\"e\"")));

        await Assert.ThrowsErrorAsync(TransferError.PreconditionFailed, () => UploadAsync(http, wire, 10));
    }

    /// <summary>After a conflict, Amazon S3 may not have the upload anymore.</summary>
    [Theory]
    [InlineData(TransferWire.Http, true)]
    [InlineData(TransferWire.Sdk, true)]
    [InlineData(TransferWire.Http, false)]
    [InlineData(TransferWire.Sdk, false)]
    public async Task Complete_IsSentAgainOrSaysWhatToDo(TransferWire wire, bool isThere)
    {
        int completions = 0;
        FakeHttp http = new(request =>
            request.Method == HttpMethod.Put ? FakeHttp.Answer(HttpStatusCode.OK, headers: ("ETag", "\"e\""))
            : request.Method == HttpMethod.Delete ? FakeHttp.Answer(HttpStatusCode.NoContent)
            : request.Method != HttpMethod.Post ? FakeHttp.Error(HttpStatusCode.NotFound, "NoSuchKey")
            : request.RequestUri!.Query.Contains("uploads", StringComparison.Ordinal) ? FakeHttp.Answer(HttpStatusCode.OK, "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>")
            : Interlocked.Increment(ref completions) == 1 ? Conflict()
            : isThere ? FakeHttp.Answer(HttpStatusCode.OK, "<CompleteMultipartUploadResult><ETag>\"e-2\"</ETag></CompleteMultipartUploadResult>")
            : FakeHttp.Error(HttpStatusCode.NotFound, "NoSuchUpload"));

        if (isThere)
        {
            await UploadAsync(http, wire, Part + 1);
        }
        else
        {
            TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(http, wire, Part + 1));
            Assert.EachEqual(("NoSuchUpload", Hint), (e.ErrorCode, e.Hint));
        }

        Assert.Equal(2, completions);
    }

    private static HttpResponseMessage Conflict() => FakeHttp.Error(HttpStatusCode.Conflict, "ConditionalRequestConflict");

    private async Task<UploadResult> UploadAsync(FakeHttp http, TransferWire wire, int length)
    {
        using AmazonS3Client s3 = http.NewS3();
        TransferClient client = NewClient(s3, options =>
        {
            options.Advanced.Wire = wire;
            options.MultipartThresholdBytes = Part;
            options.UploadPartSizeBytes = Part;
        });
        ReadOnlySequence<byte> content = new(new byte[length]);
        return await client.UploadAsync(content, FakeHttp.Bucket, FakeHttp.Key, new UploadOptions { Overwrite = false }).Within();
    }
}
