using System.Collections.Concurrent;
using System.Security.Cryptography;
using Amazon.Runtime;

namespace Transfer.S3.Wire.Http;

/// <summary>
/// Computes Signature Version 4. The result is identical to that of the SDK's AWS4Signer, but with an eighth of its allocations, which matters for small
/// objects. The key of a day and the text of a second are cached, and everything else except the result is on the stack.
/// </summary>
internal sealed class RequestSigner
{
    /// <summary>The name of the algorithm of the signatures.</summary>
    public const string Algorithm = "AWS4-HMAC-SHA256";

    private const int UsualBytes = 2048;
    private const int HashBytes = SHA256.HashSizeInBytes;
    private readonly ConcurrentDictionary<string, SigningKey> _keys = new(StringComparer.Ordinal);
    private SigningTime? _time;

    /// <summary>Gets a time in the format of signatures.</summary>
    public SigningTime GetTime(DateTimeOffset now)
    {
        SigningTime? latest = Volatile.Read(ref _time);
        if (latest is null || !latest.IsAt(now))
        {
            latest = new SigningTime(now);
            Volatile.Write(ref _time, latest);
        }

        return latest;
    }

    /// <summary>Gets the value of a request's Authorization header.</summary>
    /// <param name="method">The method, such as GET or PUT.</param>
    /// <param name="path">The path, as it is sent.</param>
    /// <param name="query">The query, as it is sent, with its parameters in order.</param>
    /// <param name="headers">The headers, in the order of their names. The names of signed headers are lowercase.</param>
    /// <param name="payloadHash">The value that represents the body.</param>
    /// <param name="credentials">The credentials to sign with.</param>
    /// <param name="region">The region of the request.</param>
    /// <param name="time">The time of the signature.</param>
    public string Authorize(
        string method,
        ReadOnlySpan<char> path,
        ReadOnlySpan<char> query,
        ReadOnlySpan<RequestHeader> headers,
        string payloadHash,
        ImmutableCredentials credentials,
        string region,
        SigningTime time)
    {
        SigningKey key = KeyFor(credentials, region, time.Day);
        Utf8Text names = new(stackalloc byte[UsualBytes / 4]);
        AddNames(ref names, headers);
        Span<char> signature = stackalloc char[2 * HashBytes];
        Sign(method, path, query, headers, names.Written, payloadHash, key, time, signature);
        Utf8Text text = new(stackalloc byte[UsualBytes / 2]);
        return text.Add(key.Authorization).Add(names.Written).Add(", Signature=").Add(signature).ToString();
    }

    /// <summary>Gets the signature of a request that has the other parameters of it in its query.</summary>
    public string GetSignature(
        string method,
        ReadOnlySpan<char> path,
        ReadOnlySpan<char> query,
        ReadOnlySpan<RequestHeader> headers,
        string payloadHash,
        ImmutableCredentials credentials,
        string region,
        SigningTime time)
    {
        Utf8Text names = new(stackalloc byte[UsualBytes / 4]);
        AddNames(ref names, headers);
        Span<char> signature = stackalloc char[2 * HashBytes];
        Sign(method, path, query, headers, names.Written, payloadHash, KeyFor(credentials, region, time.Day), time, signature);
        return signature.ToString();
    }

    /// <summary>Gets the credential that the query of a presigned request names: the ID of the access key, and what its signature is for.</summary>
    public string GetCredential(ImmutableCredentials credentials, string region, SigningTime time)
        => $"{credentials.AccessKey}/{KeyFor(credentials, region, time.Day).Scope}";

    private static void AddNames(ref Utf8Text names, ReadOnlySpan<RequestHeader> headers)
    {
        foreach (RequestHeader header in headers)
        {
            if (header.IsSigned)
            {
                names.Add(names.Length == 0 ? string.Empty : ";").Add(header.Name);
            }
        }
    }

    /// <summary>Computes the signature, in hexadecimal digits.</summary>
    private static void Sign(
        string method,
        ReadOnlySpan<char> path,
        ReadOnlySpan<char> query,
        ReadOnlySpan<RequestHeader> headers,
        ReadOnlySpan<byte> names,
        string payloadHash,
        SigningKey key,
        SigningTime time,
        Span<char> signature)
    {
        Utf8Text text = new(stackalloc byte[UsualBytes]);
        text.Add(method).Add('\n').Add(path).Add('\n').Add(query).Add('\n');
        foreach (RequestHeader header in headers)
        {
            if (header.IsSigned)
            {
                text.Add(header.Name).Add(':').AddJoiningSpaces(header.Value).Add('\n');
            }
        }

        text.Add('\n').Add(names).Add('\n').Add(payloadHash);

        Span<byte> hash = stackalloc byte[HashBytes];
        SHA256.HashData(text.Written, hash);
        Convert.TryToHexStringLower(hash, signature, out _);
        text.Clear();
        text.Add(Algorithm).Add('\n').Add(time.Text).Add('\n').Add(key.Scope).Add('\n').Add(signature);
        key.Sign(text.Written, hash);
        Convert.TryToHexStringLower(hash, signature, out _);
    }

    private SigningKey KeyFor(ImmutableCredentials credentials, string region, ReadOnlySpan<char> day)
    {
        if (!_keys.TryGetValue(region, out SigningKey? key) || !key.IsFor(credentials, day))
        {
            key = new SigningKey(credentials, region, day);
            _keys[region] = key;
        }

        return key;
    }
}
