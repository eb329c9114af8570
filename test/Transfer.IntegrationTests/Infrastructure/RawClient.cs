using System.Net;
using System.Security.Cryptography;
using System.Text;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>Sends requests exactly as a test writes them, optionally signed by a minimal implementation of SigV4.</summary>
internal sealed class RawClient(EmbeddedS3Server server) : IDisposable
{
    private const string EmptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    private readonly HttpClient _http = new(new SocketsHttpHandler { AllowAutoRedirect = false, AutomaticDecompression = DecompressionMethods.None });

    public string Secret { get; set; } = server.SecretAccessKey;

    public string AccessKeyId { get; set; } = server.AccessKeyId;

    public string Region { get; set; } = server.Region;

    public DateTimeOffset Now { get; set; } = TimeProvider.System.GetUtcNow();

    public string Timestamp => Now.UtcDateTime.ToString("yyyyMMdd'T'HHmmss'Z'");

    public string Scope => $"{Timestamp[..8]}/{Region}/s3/aws4_request";

    /// <summary>Creates a signed request. The target is sent unchanged.</summary>
    /// <param name="method">The method.</param>
    /// <param name="target">The encoded path and query.</param>
    /// <param name="body">The body; null for none.</param>
    /// <param name="contentHash">The value of x-amz-content-sha256; null for the hash of the body.</param>
    /// <param name="headers">The headers, all of which are signed.</param>
    public HttpRequestMessage Signed(
        string method, string target, byte[]? body = null, string? contentHash = null, params (string Name, string Value)[] headers)
    {
        HttpRequestMessage request = Plain(method, target, body, headers);
        contentHash ??= body is null ? EmptyHash : Convert.ToHexStringLower(SHA256.HashData(body));
        var signed = new SortedDictionary<string, string>(StringComparer.Ordinal)
        {
            ["host"] = server.Endpoint.Authority,
            ["x-amz-content-sha256"] = contentHash,
            ["x-amz-date"] = Timestamp,
        };
        foreach ((string name, string value) in headers)
        {
            signed[name.ToLowerInvariant()] = value.Trim();
        }

        request.Headers.TryAddWithoutValidation("x-amz-content-sha256", contentHash);
        request.Headers.TryAddWithoutValidation("x-amz-date", Timestamp);
        string names = string.Join(';', signed.Keys);
        string canonical = $"{method}\n{Canonical(target)}\n{string.Concat(signed.Select(static h => $"{h.Key}:{h.Value}\n"))}\n{names}\n{contentHash}";
        request.Headers.TryAddWithoutValidation(
            "Authorization", $"AWS4-HMAC-SHA256 Credential={AccessKeyId}/{Scope}, SignedHeaders={names}, Signature={Sign(canonical)}");
        return request;
    }

    /// <summary>Returns the signature of a signed request, which is the seed for the signatures of its chunks.</summary>
    public static string SignatureOf(HttpRequestMessage request) =>
        request.Headers.GetValues("Authorization").Single().Split("Signature=")[1];

    /// <summary>Returns a target with a signature in its query.</summary>
    /// <param name="method">The method.</param>
    /// <param name="path">The encoded path.</param>
    /// <param name="seconds">How long the target is valid.</param>
    /// <param name="headers">The headers, in lower case, that a request must have.</param>
    public string Presigned(string method, string path, int seconds, params (string Name, string Value)[] headers) => PresignedQuery(method, path, seconds, [], headers);

    /// <summary>Returns a target with a signature among other parameters.</summary>
    public string PresignedQuery(string method, string path, int seconds, (string Name, string Value)[] parameters, params (string Name, string Value)[] headers)
    {
        (string Name, string Value)[] signed = [.. headers.Append(("host", server.Endpoint.Authority)).OrderBy(static header => header.Item1, StringComparer.Ordinal)];
        string names = string.Join(';', signed.Select(static header => header.Name));
        IEnumerable<(string Name, string Value)> all =
        [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Credential", $"{AccessKeyId}/{Scope}"), ("X-Amz-Date", Timestamp),
            ("X-Amz-Expires", seconds.ToString()), ("X-Amz-SignedHeaders", names), .. parameters,
        ];
        string query = string.Join('&', all.OrderBy(static p => p.Name, StringComparer.Ordinal).Select(static p => $"{p.Name}={Uri.EscapeDataString(p.Value)}"));
        string canonical = $"{method}\n{path}\n{query}\n{string.Concat(signed.Select(static header => $"{header.Name}:{header.Value}\n"))}\n{names}\nUNSIGNED-PAYLOAD";
        return $"{path}?{query}&X-Amz-Signature={Sign(canonical)}";
    }

    public HttpRequestMessage Plain(string method, string target, byte[]? body = null, params (string Name, string Value)[] headers)
    {
        var options = new UriCreationOptions { DangerousDisablePathAndQueryCanonicalization = true };
        var request = new HttpRequestMessage(new HttpMethod(method), new Uri($"http://{server.Endpoint.Authority}{target}", options));
        request.Content = body is null ? null : new ByteArrayContent(body);
        foreach ((string name, string value) in headers)
        {
            if (!request.Headers.TryAddWithoutValidation(name, value))
            {
                request.Content ??= new ByteArrayContent([]);
                request.Content.Headers.TryAddWithoutValidation(name, value);
            }
        }

        return request;
    }

    public async Task<RawAnswer> SendAsync(HttpRequestMessage request)
    {
        using HttpResponseMessage response = await _http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead).Within();
        var headers = response.Headers.Concat(response.Content.Headers)
            .ToDictionary(static h => h.Key, static h => string.Join(",", h.Value), StringComparer.OrdinalIgnoreCase);
        byte[] body = await response.Content.ReadAsByteArrayAsync().Within();
        return new RawAnswer((int)response.StatusCode, headers, body);
    }

    public Task<RawAnswer> SendSignedAsync(string method, string target, byte[]? body = null, params (string Name, string Value)[] headers) =>
        SendAsync(Signed(method, target, body, contentHash: null, headers));

    public string ChunkSignature(string previous, byte[] chunk) =>
        SignText($"AWS4-HMAC-SHA256-PAYLOAD\n{Timestamp}\n{Scope}\n{previous}\n{EmptyHash}\n{Convert.ToHexStringLower(SHA256.HashData(chunk))}");

    public string TrailerSignature(string previous, string trailer) =>
        SignText($"AWS4-HMAC-SHA256-TRAILER\n{Timestamp}\n{Scope}\n{previous}\n{Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(trailer)))}");

    public void Dispose() => _http.Dispose();

    /// <summary>Returns the path and the sorted query. Tests write them in their canonical encoding.</summary>
    private static string Canonical(string target)
    {
        string[] halves = target.Split('?', 2);
        string[] query = halves.Length == 1 ? [] : [.. halves[1].Split('&').Select(static p => p.Contains('=') ? p : p + "=")];
        Array.Sort(query, StringComparer.Ordinal);
        return $"{halves[0]}\n{string.Join('&', query)}";
    }

    private string Sign(string canonical) =>
        SignText($"AWS4-HMAC-SHA256\n{Timestamp}\n{Scope}\n{Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(canonical)))}");

    public string SignText(string text)
    {
        byte[] key = Encoding.UTF8.GetBytes("AWS4" + Secret);
        foreach (string part in Scope.Split('/'))
        {
            key = HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(part));
        }

        return Convert.ToHexStringLower(HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(text)));
    }
}
