using System.Collections.Concurrent;
using System.Net;
using System.Text;
using Amazon.Runtime;
using Amazon.S3;

namespace Transfer.S3.Tests.Infrastructure;

/// <summary>
/// Replaces the network of an <see cref="AmazonS3Client"/>. The test answers the SDK's requests and those of the
/// library's own connections, without sockets.
/// </summary>
internal sealed class FakeHttp(Func<HttpRequestMessage, HttpResponseMessage> answer) : HttpClientFactory
{
    public const string Bucket = "bucket";
    public const string Key = "key";

    /// <summary>Gets all requests so far. Their headers can still be read.</summary>
    public ConcurrentQueue<HttpRequestMessage> Requests { get; } = [];

    public override HttpClient CreateHttpClient(IClientConfig clientConfig) => new(new Handler(this)) { Timeout = Timeout.InfiniteTimeSpan };

    public AmazonS3Client NewS3(Action<AmazonS3Config>? configure = null)
    {
        AmazonS3Config config = new() { RegionEndpoint = Amazon.RegionEndpoint.USWest2, MaxErrorRetry = 0, HttpClientFactory = this };
        configure?.Invoke(config);
        return new AmazonS3Client(new BasicAWSCredentials("access", "secret"), config);
    }

    public static string? Header(HttpRequestMessage request, string name)
        => request.Headers.NonValidated.TryGetValues(name, out var values) ? values.ToString() : null;

    /// <summary>Returns <c>true</c> if the SDK sent the request; otherwise, <c>false</c>.</summary>
    public static bool IsOfSdk(HttpRequestMessage request) => Header(request, "User-Agent")?.Contains("aws-sdk-dotnet", StringComparison.Ordinal) == true;

    /// <summary>Returns the scope of the request's signature: date, region, and service.</summary>
    public static string Scope(HttpRequestMessage request)
        => string.Join('/', (Header(request, "Authorization") ?? string.Empty).Split("Credential=").Last().Split(',')[0].Split('/').Skip(2).Take(2));

    public static HttpResponseMessage Answer(HttpStatusCode status, string body = "", string type = "application/xml", params (string Name, string Value)[] headers)
        => Answer(status, Encoding.UTF8.GetBytes(body), type, headers);

    public static HttpResponseMessage Answer(HttpStatusCode status, byte[] body, string type = "application/octet-stream", params (string Name, string Value)[] headers)
    {
        HttpResponseMessage response = new(status) { Content = new ByteArrayContent(body) };
        response.Headers.TryAddWithoutValidation("x-amz-request-id", "R1");
        response.Content.Headers.TryAddWithoutValidation("Content-Type", type);
        foreach ((string name, string value) in headers)
        {
            if (!response.Headers.TryAddWithoutValidation(name, value))
            {
                response.Content.Headers.TryAddWithoutValidation(name, value);
            }
        }

        return response;
    }

    public static HttpResponseMessage Error(HttpStatusCode status, string code, params (string Name, string Value)[] headers)
        => Answer(status, $"<Error><Code>{code}</Code><Message>{code} for the test</Message></Error>", headers: headers);

    /// <summary>Returns the requested range of an object, or the whole object if the request has no range.</summary>
    public static HttpResponseMessage Range(HttpRequestMessage request, byte[] content, string? tag = "\"e\"", params (string Name, string Value)[] headers)
    {
        (string Name, string Value)[] all = tag is null ? headers : [("ETag", tag), .. headers];
        if (Header(request, "Range") is not { } range)
        {
            return Answer(HttpStatusCode.OK, content, headers: all);
        }

        long[] ends = [.. range["bytes=".Length..].Split('-').Select(long.Parse)];
        int first = (int)ends[0];
        int last = (int)Math.Min(ends[1], content.Length - 1);
        return Answer(
            HttpStatusCode.PartialContent, content[first..(last + 1)], headers: [("Content-Range", $"bytes {first}-{last}/{content.Length}"), .. all]);
    }

    private sealed class Handler(FakeHttp owner) : HttpMessageHandler
    {
        protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
        {
            owner.Requests.Enqueue(request);
            if (request.Content is not null)
            {
                await request.Content.LoadIntoBufferAsync(cancellationToken);
            }

            await Task.Yield();
            cancellationToken.ThrowIfCancellationRequested();
            HttpResponseMessage response = owner.Respond(request);
            response.RequestMessage = request;
            return response;
        }
    }

    private HttpResponseMessage Respond(HttpRequestMessage request) => answer(request);
}
