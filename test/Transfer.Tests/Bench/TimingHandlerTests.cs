using System.Net;
using Transfer.S3.Bench.Operations;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Bench;

public sealed class TimingHandlerTests
{
    private readonly FakeTimeProvider _time = new();
    private readonly List<RequestTiming> _seen = [];
    private int _retries;

    [Theory]
    [InlineData("HEAD", "", RequestKind.HeadObject)]
    [InlineData("GET", "", RequestKind.GetObject)]
    [InlineData("GET", "?attributes", RequestKind.GetObjectAttributes)]
    [InlineData("PUT", "", RequestKind.PutObject)]
    [InlineData("PUT", "?partNumber=1&uploadId=u", RequestKind.UploadPart)]
    [InlineData("POST", "?uploads", RequestKind.CreateMultipartUpload)]
    [InlineData("POST", "?uploadId=u", RequestKind.CompleteMultipartUpload)]
    [InlineData("DELETE", "?uploadId=u", RequestKind.AbortMultipartUpload)]
    public void KindOf_Request_IsItsOperation(string method, string query, RequestKind kind) => Assert.Equal(kind, TimingHandler.GetKind(new HttpMethod(method), query));

    [Fact]
    public async Task Get_IsTimedUntilItsHeadersAndItsLastByte()
    {
        using HttpClient client = Client(_ => new HttpResponseMessage { Content = new ByteArrayContent(new byte[10]) });
        using HttpResponseMessage response = await client.GetAsync("http://localhost/b/k", HttpCompletionOption.ResponseHeadersRead).Within();
        Assert.Empty(_seen);
        Assert.Equal(10, response.Content.Headers.ContentLength);
        _time.Advance(TimeSpan.FromMilliseconds(30));
        Stream body = await response.Content.ReadAsStreamAsync().Within();
        Assert.Equal(10, await body.ReadAsync(new byte[100]).Within());

        Assert.Equal(new RequestTiming { Kind = RequestKind.GetObject, FirstByte = TimeSpan.FromMilliseconds(5), Duration = TimeSpan.FromMilliseconds(35), Bytes = 10 }, Assert.Single(_seen));
    }

    [Fact]
    public async Task Get_UnknownLength_IsTimedUntilItsEnd()
    {
        using HttpClient client = Client(_ => new HttpResponseMessage { Content = new StreamContent(new ScriptedStream(new byte[10])) });
        using HttpResponseMessage response = await client.GetAsync("http://localhost/b/k", HttpCompletionOption.ResponseHeadersRead).Within();

        Assert.Null(response.Content.Headers.ContentLength);
        Assert.Equal(10, (await response.Content.ReadAsByteArrayAsync().Within()).Length);
        Assert.EachEqual((10, null), (Assert.Single(_seen).Bytes, _seen[0].Error));
    }

    [Fact]
    public async Task Get_Abandoned_IsReportedAsAbandoned()
    {
        using HttpClient client = Client(_ => new HttpResponseMessage { Content = new ByteArrayContent(new byte[10]) });
        using HttpResponseMessage response = await client.GetAsync("http://localhost/b/k", HttpCompletionOption.ResponseHeadersRead).Within();
        Stream body = await response.Content.ReadAsStreamAsync().Within();
        Assert.Equal(4, await body.ReadAsync(new byte[4]).Within());
        await body.DisposeAsync().Within();

        RequestTiming timing = Assert.Single(_seen);
        Assert.Equal(4, timing.Bytes);
        Assert.IsType<OperationCanceledException>(timing.Error);
    }

    [Fact]
    public async Task Rejected_IsAFailureAndRetriesAreCounted()
    {
        using HttpClient client = Client(_ => new HttpResponseMessage(HttpStatusCode.ServiceUnavailable));
        foreach (int attempt in (int[])[1, 2])
        {
            using HttpRequestMessage request = new(HttpMethod.Put, "http://localhost/b/k") { Content = new ByteArrayContent(new byte[3]) };
            request.Headers.Add("amz-sdk-request", $"attempt={attempt}; max=5");
            (await client.SendAsync(request).Within()).Dispose();
        }

        Assert.Equal(1, _retries);
        Assert.All(_seen, timing => Assert.EachEqual((0, HttpStatusCode.ServiceUnavailable), (timing.Bytes, Assert.IsType<HttpRequestException>(timing.Error).StatusCode)));
    }

    private HttpClient Client(Func<HttpRequestMessage, HttpResponseMessage> answer)
        => new(new TimingHandler(new Answers(_time, answer), _seen.Add, () => _retries++, _time));

    private sealed class Answers(FakeTimeProvider time, Func<HttpRequestMessage, HttpResponseMessage> answer) : HttpMessageHandler
    {
        protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
        {
            time.Advance(TimeSpan.FromMilliseconds(5));
            return Task.FromResult(answer(request));
        }
    }
}
