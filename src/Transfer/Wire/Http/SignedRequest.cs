using System.Buffers;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using Amazon.Runtime;
using Transfer.S3.Buffers;

namespace Transfer.S3.Wire.Http;

/// <summary>
/// Builds and signs one request (Signature Version 4, Amazon S3 API Reference, "Signature Calculations for the Authorization Header:
/// Transferring Payload in a Single Chunk"). The signed bytes are exactly the bytes that are sent: nothing is normalized in between.
/// </summary>
internal sealed class SignedRequest(HttpMethod method, string key)
{
    /// <summary>The SHA-256 of an empty body.</summary>
    public const string EmptyPayload = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    /// <summary>The value for a body that is not part of the signature.</summary>
    public const string UnsignedPayload = "UNSIGNED-PAYLOAD";

    private static readonly UriCreationOptions AsWritten = new() { DangerousDisablePathAndQueryCanonicalization = true };

    /// <summary>The characters that aren't escaped in a path: the unreserved characters of RFC 3986, and the slash.</summary>
    private static readonly SearchValues<char> Plain = SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/");

    // Sorted by name, as they are signed. There are few headers, so a sorted list costs less than a dictionary.
    private readonly List<RequestHeader> _headers = new(8);
    private string _query = string.Empty;

    public HttpMethod Method => method;

    public string Key => key;

    /// <summary>Gets the bytes to send; null for a request without a body.</summary>
    public IBodyBytes? Body { get; init; }

    /// <summary>Gets the callback that is called when the connection has accepted some of the body.</summary>
    public Action? BodyMoved { get; init; }

    /// <summary>Gets the function that waits until some of the body can be sent.</summary>
    public Func<int, CancellationToken, ValueTask<int>>? BodyPace { get; init; }

    /// <summary>Gets a value that indicates whether the request only reads.</summary>
    public bool Reads => method == HttpMethod.Get || method == HttpMethod.Head;

    /// <summary>Gets a value that indicates whether the store copies data from another object.</summary>
    public bool IsCopy { get; init; }

    /// <summary>Gets a value that indicates whether the bucket doesn't exist yet, so that nobody owns it.</summary>
    public bool CreatesBucket => method == HttpMethod.Put && key.Length == 0;

    /// <summary>Gets a value that indicates whether the body is always signed, because it is small, and contains parameters instead of object data.</summary>
    public bool SignsBody { get; init; }

    /// <summary>Gets a value that indicates whether the body is sent only after the store has agreed to receive it.</summary>
    public bool ExpectContinue { get; init; }

    /// <summary>Gets a value that indicates whether the checksum of the object is requested, unless the store rejects that.</summary>
    public bool WantsChecksum { get; init; }

    /// <summary>Gets or sets a value that indicates whether the response is converted as XML, which shows whether it is an error.</summary>
    public bool ReadsXml { get; set; }

    /// <summary>Gets or sets the reason why the checksum was not requested, after the response was received.</summary>
    public string? ChecksumNotRequested { get; set; }

    /// <summary>Gets or sets the redirection that was followed before the response was received; null if there was none.</summary>
    public FollowedRedirection? Followed { get; set; }

    /// <summary>Gets or sets the SHA-256 of the body in lowercase hexadecimal digits; null until it is needed, if it isn't known before.</summary>
    public string? BodyHash { get; set; }

    /// <summary>Gets the content type of the body.</summary>
    public string? ContentType { get; init; }

    /// <summary>
    /// Adds a header that is signed, so that the store detects if a proxy changes it. That includes all headers that determine what is stored or read. Its name must
    /// be lowercase.
    /// </summary>
    public void Amz(string name, string? value) => Set(name, value, isSigned: true);

    /// <summary>Adds a header that isn't signed, because proxies of some stores change it, or because its value isn't always sent in UTF-8.</summary>
    public void Header(string name, string? value) => Set(name, value, isSigned: false);

    /// <summary>Adds a query parameter. Parameters must be added in the order of their names.</summary>
    public void Query(string name, string? value)
    {
        if (value is not null)
        {
            string parameter = $"{name}={Uri.EscapeDataString(value)}";
            _query = _query.Length == 0 ? parameter : $"{_query}&{parameter}";
        }
    }

    /// <summary>
    /// Creates the message of one attempt. It is signed if there are credentials, including its body if <paramref name="signsBody"/> is <c>true</c>. It can be
    /// created again for another time or endpoint.
    /// </summary>
    public HttpRequestMessage Build(StoreEndpoint endpoint, ImmutableCredentials? credentials, RequestSigner signer, bool signsBody, DateTimeOffset now)
    {
        string path = EncodePath(key);
        string target = _query.Length == 0 ? string.Concat(endpoint.Origin, endpoint.PathPrefix, path) : $"{endpoint.Origin}{endpoint.PathPrefix}{path}?{_query}";

        // The connection adds the Host header, which it gets from the address.
        HttpRequestMessage request = new(method, new Uri(target, in AsWritten)) { Content = NewContent(), Version = System.Net.HttpVersion.Version11 };
        if (Body is not null && ExpectContinue)
        {
            request.Headers.ExpectContinue = true;
        }

        Amz("content-type", Body is null ? null : ContentType);
        if (credentials is not null)
        {
            SigningTime time = signer.GetTime(now);
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
            // .NET requires headers that describe a body, such as Content-MD5, to be set on the content.
            if (header.Name != "host" && !request.Headers.TryAddWithoutValidation(header.Name, header.Value))
            {
                request.Content?.Headers.TryAddWithoutValidation(header.Name, header.Value);
            }
        }

        return request;
    }

    /// <summary>Gets the headers that are part of the signature, in the order of their names.</summary>
    public IEnumerable<RequestHeader> SignedHeaders => _headers.Where(static header => header.IsSigned);

    /// <summary>Creates the URL of the request, which contains its signature.</summary>
    public Uri Presign(StoreEndpoint endpoint, ImmutableCredentials credentials, RequestSigner signer, TimeSpan lifetime, DateTimeOffset now)
    {
        Amz("host", endpoint.Host);
        SigningTime time = signer.GetTime(now);
        string names = string.Join("%3B", SignedHeaders.Select(static header => header.Name));
        string token = credentials.Token is { Length: > 0 } session ? $"&X-Amz-Security-Token={Uri.EscapeDataString(session)}" : string.Empty;
        string credential = Uri.EscapeDataString(signer.GetCredential(credentials, endpoint.Region, time));
        string query = string.Create(
            CultureInfo.InvariantCulture,
            $"X-Amz-Algorithm={RequestSigner.Algorithm}&X-Amz-Credential={credential}&X-Amz-Date={time.Text}&X-Amz-Expires={(long)lifetime.TotalSeconds}{token}&X-Amz-SignedHeaders={names}");
        query = _query.Length == 0 ? query : $"{query}&{_query}"; // in order: the other names begin with a lower-case letter
        string path = endpoint.PathPrefix + EncodePath(key);
        string signature = signer.GetSignature(method.Method, path, query, CollectionsMarshal.AsSpan(_headers), UnsignedPayload, credentials, endpoint.Region, time);
        return PresignedUrl.Parse($"{endpoint.Origin}{path}?{query}&X-Amz-Signature={signature}");
    }

    /// <summary>Gets a key in the form of a path. Every byte except unreserved characters and the slash is escaped once.</summary>
    internal static string EncodePath(string key)
        => key.AsSpan().ContainsAnyExcept(Plain) ? Uri.EscapeDataString(key).Replace("%2F", "/", StringComparison.Ordinal) : key;

    private BodyContent? NewContent()
    {
        if (Body is not { } body)
        {
            return null;
        }

        return new BodyContent(body, BodyMoved, BodyPace);
    }

    /// <summary>Gets the value that represents the body in the signature: its SHA-256, which is computed once, or the value for an unsigned body.</summary>
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

        if (BodyHash is null)
        {
            ReadOnlyMemory<byte> piece = body.Read(0);
            BodyHash = Convert.ToHexStringLower(piece.Length == body.Length ? SHA256.HashData(piece.Span) : HashPieces(body, piece));
        }

        return BodyHash;
    }

    private static byte[] HashPieces(IBodyBytes body, ReadOnlyMemory<byte> first)
    {
        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        hash.AppendData(first.Span);
        for (long at = first.Length; at < body.Length;)
        {
            ReadOnlySpan<byte> piece = body.Read(at).Span;
            hash.AppendData(piece);
            at += piece.Length;
        }

        return hash.GetHashAndReset();
    }

    /// <summary>Removes a header.</summary>
    public void Remove(string name) => _headers.RemoveAll(header => header.Name == name);

    /// <summary>Adds a header in its position, or replaces the header of the same name.</summary>
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
