using System.Buffers;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Amazon.Runtime;
using Amazon.Runtime.Internal.Auth;

namespace Transfer.Wire.Http;

/// <summary>
/// Builds one request and signs it (Signature Version 4, Amazon S3 API Reference, "Signature Calculations for the Authorization Header:
/// Transferring Payload in a Single Chunk"). The bytes that are signed are the bytes that are sent: nothing is normalised in between.
/// </summary>
internal sealed class SignedRequest(HttpMethod method, string key)
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
    private string? _bodyHash;

    public string Key => key;

    /// <summary>The bytes to send; null for a request without a body.</summary>
    public ReadOnlySequence<byte>? Body { get; init; }

    /// <summary>What the body is said to be.</summary>
    public string? ContentType { get; init; }

    /// <summary>Adds an <c>x-amz-</c> header, in lower case: all of them are signed.</summary>
    public void Amz(string name, string? value)
    {
        if (value is not null)
        {
            Insert(_headers, name, value);
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

    /// <summary>A message for one attempt; signed, unless there are no credentials. It may be built again, for another time or another place.</summary>
    public HttpRequestMessage Build(StoreEndpoint endpoint, ImmutableCredentials? credentials, DateTimeOffset now)
    {
        string path = endpoint.PathPrefix + EncodePath(key);
        string target = _query.Length == 0 ? endpoint.Origin + path : $"{endpoint.Origin}{path}?{_query}";
        HttpRequestMessage request = new(method, new Uri(target, in AsWritten)) { Content = NewContent(), Version = System.Net.HttpVersion.Version11 };
        request.Headers.Host = endpoint.Host;
        List<(string Name, string Value)> signed = [.. _headers];
        if (credentials is not null)
        {
            DateTime time = now.UtcDateTime;
            string payloadHash = PayloadHash(endpoint);
            Insert(signed, "host", endpoint.Host);
            Insert(signed, "x-amz-content-sha256", payloadHash);
            Insert(signed, "x-amz-date", time.ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture));
            if (credentials.Token is { Length: > 0 } token)
            {
                Insert(signed, "x-amz-security-token", token);
            }

            request.Headers.TryAddWithoutValidation("Authorization", Sign(signed, endpoint.Region, credentials, path, payloadHash, time));
        }

        foreach ((string name, string value) in signed)
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

    private SequenceContent? NewContent()
    {
        if (Body is not { } body)
        {
            return null;
        }

        SequenceContent content = new(body);
        if (ContentType is not null)
        {
            content.Headers.TryAddWithoutValidation("Content-Type", ContentType);
        }

        return content;
    }

    /// <summary>
    /// What stands for the body in the signature. Over TLS, and on this machine, nothing on the way can change it unseen and the checksum finds what breaks;
    /// elsewhere its SHA-256 does, which costs a pass over the bytes.
    /// </summary>
    private string PayloadHash(StoreEndpoint endpoint)
    {
        if (Body is not { } body)
        {
            return EmptyPayload;
        }

        if (endpoint.KeepsBodiesWhole)
        {
            return UnsignedPayload;
        }

        if (_bodyHash is null)
        {
            using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
            foreach (ReadOnlyMemory<byte> memory in body)
            {
                hash.AppendData(memory.Span);
            }

            _bodyHash = Convert.ToHexStringLower(hash.GetHashAndReset());
        }

        return _bodyHash;
    }

    private string Sign(
        List<(string Name, string Value)> headers, string region, ImmutableCredentials credentials, string path, string payloadHash, DateTime time)
    {
        StringBuilder names = new();
        StringBuilder canonical = new(512);
        canonical.Append(method.Method).Append('\n').Append(path).Append('\n').Append(_query).Append('\n');
        foreach ((string name, string value) in headers)
        {
            canonical.Append(name).Append(':').Append(value.Trim()).Append('\n');
            names.Append(names.Length == 0 ? string.Empty : ";").Append(name);
        }

        string signedNames = names.ToString();
        canonical.Append('\n').Append(signedNames).Append('\n').Append(payloadHash);
        return AWS4Signer.ComputeSignature(
            credentials.AccessKey, credentials.SecretKey, region, time, "s3", signedNames, canonical.ToString()).ForAuthorizationHeader;
    }

    private static void Insert(List<(string Name, string Value)> headers, string name, string value)
    {
        int at = headers.Count;
        while (at > 0 && string.CompareOrdinal(headers[at - 1].Name, name) > 0)
        {
            at--;
        }

        headers.Insert(at, (name, value));
    }
}
