using System.Collections.Concurrent;
using System.Net;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Copy;

/// <summary>A store with one source object, <c>source/key</c>, and any number of copies. The test sets the headers of its responses, and sees the headers of its requests.</summary>
internal sealed class SourceStore
{
    public const string Key = "source/key";
    private readonly byte[] _content = new byte[100];

    public SourceStore() => Http = new FakeHttp(Answer);

    public FakeHttp Http { get; }

    /// <summary>Gets or sets the headers of the source.</summary>
    public IReadOnlyList<(string Name, string Value)> Headers { get; set; } = [];

    /// <summary>Gets or sets the number of tags that responses for a key tell; null if they don't.</summary>
    public Func<string, int?> TagCount { get; set; } = static _ => null;

    /// <summary>Gets or sets the headers of responses that publish an object.</summary>
    public (string Name, string Value)[] Published { get; set; } = [];

    /// <summary>Gets or sets the keys of a listing.</summary>
    public IReadOnlyList<string> Keys { get; set; } = [Key];

    /// <summary>Gets or sets the response to a request for the tags of a key.</summary>
    public Func<string, HttpResponseMessage> Tags { get; set; } = static _ => FakeHttp.Error(HttpStatusCode.NotImplemented, "NotImplemented");

    /// <summary>Gets or sets what answers instead of the store; null to let the store answer.</summary>
    public Func<HttpRequestMessage, HttpResponseMessage?> Instead { get; set; } = static _ => null;

    /// <summary>Gets the requests that set the headers of a copy.</summary>
    public ConcurrentQueue<HttpRequestMessage> Writes { get; } = [];

    /// <summary>Gets a header of the request that set the headers of the copy.</summary>
    public string? Sent(string name) => Sent(Writes.Single(), name);

    public static string? Sent(HttpRequestMessage write, string name)
        => FakeHttp.Header(write, name) ?? (write.Content?.Headers.NonValidated.TryGetValues(name, out var values) == true ? values.ToString() : null);

    public static string TagSet(params (string Key, string Value)[] tags)
        => $"<Tagging><TagSet>{string.Concat(tags.Select(tag => $"<Tag><Key>{tag.Key}</Key><Value>{tag.Value}</Value></Tag>"))}</TagSet></Tagging>";

    private HttpResponseMessage Answer(HttpRequestMessage request)
    {
        if (Instead(request) is { } other)
        {
            return other;
        }

        string query = request.RequestUri!.Query;
        string key = Uri.UnescapeDataString(request.RequestUri.AbsolutePath.TrimStart('/'));
        bool isCopy = FakeHttp.Header(request, "x-amz-copy-source") is not null;
        return (request.Method.Method, query) switch
        {
            ("GET", var text) when text.Contains("tagging", StringComparison.Ordinal) => Tags(key),
            ("GET", var text) when text.Contains("list-type", StringComparison.Ordinal) => FakeHttp.Answer(HttpStatusCode.OK, Listing()),
            ("GET", var text) when text.Contains("attributes", StringComparison.Ordinal) => FakeHttp.Error(HttpStatusCode.NotImplemented, "NotImplemented"),
            ("GET" or "HEAD", _) when !Keys.Contains(key) => FakeHttp.Error(HttpStatusCode.NotFound, "NoSuchKey"),
            ("HEAD", _) => With(key, FakeHttp.Answer(HttpStatusCode.OK, _content, headers: ("ETag", "\"e\""))),
            ("GET", _) => With(key, FakeHttp.Range(request, _content)),
            ("POST", var text) when text.Contains("uploads", StringComparison.Ordinal) => Written(request, "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>"),
            ("POST", _) => FakeHttp.Answer(HttpStatusCode.OK, "<CompleteMultipartUploadResult><ETag>\"p-1\"</ETag></CompleteMultipartUploadResult>", headers: Published),
            ("PUT", var text) when text.Contains("partNumber", StringComparison.Ordinal) && isCopy => FakeHttp.Answer(HttpStatusCode.OK, "<CopyPartResult><ETag>\"p\"</ETag></CopyPartResult>"),
            ("PUT", var text) when text.Contains("partNumber", StringComparison.Ordinal) => FakeHttp.Answer(HttpStatusCode.OK, headers: ("ETag", "\"p\"")),
            ("PUT", _) when isCopy => Written(request, "<CopyObjectResult><ETag>\"e\"</ETag></CopyObjectResult>", Published),
            ("PUT", _) => Written(request, string.Empty, [("ETag", "\"e\""), .. Published]),
            _ => FakeHttp.Answer(HttpStatusCode.NoContent),
        };
    }

    private HttpResponseMessage Written(HttpRequestMessage request, string body, params (string Name, string Value)[] headers)
    {
        Writes.Enqueue(request);
        return FakeHttp.Answer(HttpStatusCode.OK, body, headers: headers);
    }

    private HttpResponseMessage With(string key, HttpResponseMessage response)
    {
        if (TagCount(key) is { } tags)
        {
            response.Headers.TryAddWithoutValidation("x-amz-tagging-count", tags.ToString(System.Globalization.CultureInfo.InvariantCulture));
        }

        response.Content.Headers.Remove("Content-Type");
        foreach ((string name, string value) in Headers)
        {
            if (!response.Headers.TryAddWithoutValidation(name, value))
            {
                response.Content.Headers.TryAddWithoutValidation(name, value);
            }
        }

        return response;
    }

    private string Listing() => "<ListBucketResult><IsTruncated>false</IsTruncated>"
        + string.Concat(Keys.Select(key => $"<Contents><Key>{key}</Key><Size>{_content.Length}</Size><ETag>\"e\"</ETag></Contents>"))
        + "</ListBucketResult>";
}
