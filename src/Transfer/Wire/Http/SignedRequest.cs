using System.Buffers;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using Amazon.Runtime;
using Transfer.Buffers;

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

    /// <summary>What stands in a path as it is: the unreserved characters of RFC 3986, and the slash.</summary>
    private static readonly SearchValues<char> Plain = SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/");

    // Ordered by name, as they are signed. Few, so a list that is kept sorted costs less than a dictionary.
    private readonly List<RequestHeader> _headers = new(8);
    private string _query = string.Empty;
    private string? _bodyHash;

    public string Key => key;

    /// <summary>The bytes to send; null for a request without a body.</summary>
    public IBodyBytes? Body { get; init; }

    /// <summary>Called whenever the connection has taken some of the body.</summary>
    public Action? BodyMoved { get; init; }

    /// <summary>Waits until some of the body can be sent.</summary>
    public Func<int, CancellationToken, ValueTask<int>>? BodyPace { get; init; }

    /// <summary>Whether the body is signed whatever the policy for objects' bytes: it is small, and says what is to be done.</summary>
    public bool SignsBody { get; init; }

    /// <summary>Whether the store is to say that it wants the body before it is sent.</summary>
    public bool ExpectContinue { get; init; }

    /// <summary>Whether the store is to be asked for the object's checksum, unless it rejects that.</summary>
    public bool WantsChecksum { get; init; }

    /// <summary>Why that was not asked for, once the request was answered.</summary>
    public string? ChecksumNotRequested { get; set; }

    /// <summary>What the body is said to be.</summary>
    public string? ContentType { get; init; }

    /// <summary>Adds an <c>x-amz-</c> header or Content-MD5, in lower case: all of them are signed.</summary>
    public void Amz(string name, string? value) => Set(name, value, isSigned: true);

    /// <summary>Adds a header that proxies on the way may see and that need not be signed.</summary>
    public void Header(string name, string? value) => Set(name, value, isSigned: false);

    /// <summary>Adds a query parameter. In the order of their names.</summary>
    public void Query(string name, string? value)
    {
        if (value is not null)
        {
            string parameter = $"{name}={Uri.EscapeDataString(value)}";
            _query = _query.Length == 0 ? parameter : $"{_query}&{parameter}";
        }
    }

    /// <summary>
    /// A message for one attempt; signed, unless there are no credentials, and with <paramref name="signsBody"/> its body is too. It may be built again, for another
    /// time or another place.
    /// </summary>
    public HttpRequestMessage Build(StoreEndpoint endpoint, ImmutableCredentials? credentials, RequestSigner signer, bool signsBody, DateTimeOffset now)
    {
        string path = EncodePath(key);
        string target = _query.Length == 0 ? string.Concat(endpoint.Origin, endpoint.PathPrefix, path) : $"{endpoint.Origin}{endpoint.PathPrefix}{path}?{_query}";

        // The Host header follows from the address, and a connection writes it without being told.
        HttpRequestMessage request = new(method, new Uri(target, in AsWritten)) { Content = NewContent(), Version = System.Net.HttpVersion.Version11 };
        if (Body is not null && ExpectContinue)
        {
            request.Headers.ExpectContinue = true;
        }

        if (credentials is not null)
        {
            SigningTime time = signer.TimeOf(now);
            string payloadHash = PayloadHash(signsBody);
            Amz("host", endpoint.Host);
            Amz("x-amz-content-sha256", payloadHash);
            Amz("x-amz-date", time.Text);
            Amz("x-amz-security-token", credentials.Token is { Length: > 0 } token ? token : null);
            ReadOnlySpan<char> signedPath = target.AsSpan(endpoint.Origin.Length, endpoint.PathPrefix.Length + path.Length);
            string authorization = signer.Authorize(
                method.Method, signedPath, _query, CollectionsMarshal.AsSpan(_headers), payloadHash, credentials, endpoint.Region, time);
            request.Headers.TryAddWithoutValidation("Authorization", authorization);
        }

        foreach (RequestHeader header in _headers)
        {
            // .NET wants those that describe a body, Content-MD5 say, beside the body.
            if (header.Name != "host" && !request.Headers.TryAddWithoutValidation(header.Name, header.Value))
            {
                request.Content?.Headers.TryAddWithoutValidation(header.Name, header.Value);
            }
        }

        return request;
    }

    /// <summary>A key as it stands in a path: every byte of it but the unreserved ones and the slash is escaped, once.</summary>
    internal static string EncodePath(string key)
        => key.AsSpan().ContainsAnyExcept(Plain) ? Uri.EscapeDataString(key).Replace("%2F", "/", StringComparison.Ordinal) : key;

    private BodyContent? NewContent()
    {
        if (Body is not { } body)
        {
            return null;
        }

        BodyContent content = new(body, BodyMoved, BodyPace);
        if (ContentType is not null)
        {
            content.Headers.TryAddWithoutValidation("Content-Type", ContentType);
        }

        return content;
    }

    /// <summary>What stands for the body in the signature: its SHA-256, computed once, or that it is not signed.</summary>
    private string PayloadHash(bool signsBody)
    {
        if (Body is not { } body)
        {
            return EmptyPayload;
        }

        if (!signsBody)
        {
            return UnsignedPayload;
        }

        if (_bodyHash is null)
        {
            using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
            for (long at = 0; at < body.Length;)
            {
                ReadOnlySpan<byte> piece = body.Read(at).Span;
                hash.AppendData(piece);
                at += piece.Length;
            }

            _bodyHash = Convert.ToHexStringLower(hash.GetHashAndReset());
        }

        return _bodyHash;
    }

    /// <summary>Takes a header away.</summary>
    public void Remove(string name) => _headers.RemoveAll(header => header.Name == name);

    /// <summary>Adds a header at its place, or gives the one of that name another value.</summary>
    private void Set(string name, string? value, bool isSigned)
    {
        if (value is null)
        {
            return;
        }

        int at = _headers.Count;
        int order = -1;
        while (at > 0 && (order = string.CompareOrdinal(_headers[at - 1].Name, name)) > 0)
        {
            at--;
        }

        RequestHeader header = new(name, value, isSigned);
        if (at > 0 && order == 0)
        {
            _headers[at - 1] = header;
        }
        else
        {
            _headers.Insert(at, header);
        }
    }
}
