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
        Utf8Text text = new(stackalloc byte[UsualBytes]);
        text.Add(method).Add('\n').Add(path).Add('\n').Add(query).Add('\n');
        foreach (RequestHeader header in headers)
        {
            if (header.IsSigned)
            {
                text.Add(header.Name).Add(':').AddJoiningSpaces(header.Value).Add('\n');
                names.Add(names.Length == 0 ? string.Empty : ";").Add(header.Name);
            }
        }

        text.Add('\n').Add(names.Written).Add('\n').Add(payloadHash);

        Span<byte> hash = stackalloc byte[HashBytes];
        Span<char> hex = stackalloc char[2 * HashBytes];
        SHA256.HashData(text.Written, hash);
        Convert.TryToHexStringLower(hash, hex, out _);
        text.Clear();
        text.Add("AWS4-HMAC-SHA256\n").Add(time.Text).Add('\n').Add(key.Scope).Add('\n').Add(hex);
        key.Sign(text.Written, hash);
        Convert.TryToHexStringLower(hash, hex, out _);
        text.Clear();
        return text.Add(key.Authorization).Add(names.Written).Add(", Signature=").Add(hex).ToString();
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
