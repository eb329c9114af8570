using System.Globalization;
using System.Text;
using Amazon.Runtime;
using Amazon.Runtime.Internal.Auth;

namespace Transfer.Wire.Http;

/// <summary>
/// Builds one request and signs it (Signature Version 4, Amazon S3 API Reference, "Signature Calculations for the Authorization Header:
/// Transferring Payload in a Single Chunk"). The bytes that are signed are the bytes that are sent: nothing is normalised in between.
/// </summary>
internal sealed class SignedRequest(HttpMethod method, StoreEndpoint endpoint, string key)
{
    /// <summary>The SHA-256 of no bytes.</summary>
    public const string EmptyPayload = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    /// <summary>Says that the body is not part of the signature.</summary>
    public const string UnsignedPayload = "UNSIGNED-PAYLOAD";

    private static readonly UriCreationOptions AsWritten = new() { DangerousDisablePathAndQueryCanonicalization = true };

    // Ordered by name, as they are signed. Few, so a list that is kept sorted costs less than a dictionary.
    private readonly List<(string Name, string Value)> _headers = new(8);
    private readonly List<(string Name, string Value)> _unsigned = new(4);
    private string _query = string.Empty;

    public HttpContent? Content { get; init; }

    /// <summary>Adds an <c>x-amz-</c> header, in lower case: all of them are signed.</summary>
    public void Amz(string name, string? value)
    {
        if (value is not null)
        {
            Insert(name, value);
        }
    }

    /// <summary>Adds a header that proxies on the way may see and that need not be signed.</summary>
    public void Header(string name, string? value)
    {
        if (value is not null)
        {
            _unsigned.Add((name, value));
        }
    }

    /// <summary>Adds a query parameter. In the order of their names.</summary>
    public void Query(string name, string? value)
    {
        if (value is not null)
        {
            _query = $"{_query}{(_query.Length == 0 ? string.Empty : "&")}{name}={Uri.EscapeDataString(value)}";
        }
    }

    /// <summary>The finished request; signed, unless there are no credentials.</summary>
    public HttpRequestMessage Build(ImmutableCredentials? credentials, string payloadHash, DateTimeOffset now)
    {
        string path = endpoint.PathPrefix + EncodePath(key);
        string target = _query.Length == 0 ? endpoint.Origin + path : $"{endpoint.Origin}{path}?{_query}";
        HttpRequestMessage request = new(method, new Uri(target, in AsWritten)) { Content = Content, Version = System.Net.HttpVersion.Version11 };
        request.Headers.Host = endpoint.Host;
        if (credentials is not null)
        {
            DateTime time = now.UtcDateTime;
            Insert("host", endpoint.Host);
            Insert("x-amz-content-sha256", payloadHash);
            Insert("x-amz-date", time.ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture));
            Amz("x-amz-security-token", credentials.Token is { Length: > 0 } token ? token : null);
            request.Headers.TryAddWithoutValidation("Authorization", Sign(credentials, path, payloadHash, time));
        }

        foreach ((string name, string value) in _headers)
        {
            if (name != "host")
            {
                request.Headers.TryAddWithoutValidation(name, value);
            }
        }

        foreach ((string name, string value) in _unsigned)
        {
            request.Headers.TryAddWithoutValidation(name, value);
        }

        return request;
    }

    /// <summary>A key as it stands in a path: every byte of it but the unreserved ones and the slash is escaped, once.</summary>
    internal static string EncodePath(string key)
        => key.Contains('/', StringComparison.Ordinal) ? string.Join('/', key.Split('/').Select(Uri.EscapeDataString)) : Uri.EscapeDataString(key);

    private string Sign(ImmutableCredentials credentials, string path, string payloadHash, DateTime time)
    {
        StringBuilder names = new();
        StringBuilder canonical = new(512);
        canonical.Append(method.Method).Append('\n').Append(path).Append('\n').Append(_query).Append('\n');
        foreach ((string name, string value) in _headers)
        {
            canonical.Append(name).Append(':').Append(value.Trim()).Append('\n');
            names.Append(names.Length == 0 ? string.Empty : ";").Append(name);
        }

        string signedNames = names.ToString();
        canonical.Append('\n').Append(signedNames).Append('\n').Append(payloadHash);
        return AWS4Signer.ComputeSignature(
            credentials.AccessKey, credentials.SecretKey, endpoint.Region, time, "s3", signedNames, canonical.ToString()).ForAuthorizationHeader;
    }

    private void Insert(string name, string value)
    {
        int at = _headers.Count;
        while (at > 0 && string.CompareOrdinal(_headers[at - 1].Name, name) > 0)
        {
            at--;
        }

        _headers.Insert(at, (name, value));
    }
}
