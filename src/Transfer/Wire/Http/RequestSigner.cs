using System.Collections.Concurrent;
using System.Security.Cryptography;
using Amazon.Runtime;

namespace Transfer.Wire.Http;

/// <summary>
/// Signature Version 4, to the byte what the SDK's AWS4Signer makes of the same request, for an eighth of its garbage: it is on the way of every small
/// object. What may be kept is kept, the key of a day and the text of a second; everything else but the result is on the stack.
/// </summary>
internal sealed class RequestSigner
{
    private const int UsualBytes = 2048;
    private const int HashBytes = SHA256.HashSizeInBytes;
    private readonly ConcurrentDictionary<string, SigningKey> _keys = new(StringComparer.Ordinal);
    private SigningTime? _time;

    /// <summary>How a time is written in a signature.</summary>
    public SigningTime TimeOf(DateTimeOffset now)
    {
        SigningTime? latest = Volatile.Read(ref _time);
        if (latest is null || !latest.IsAt(now))
        {
            latest = new SigningTime(now);
            Volatile.Write(ref _time, latest);
        }

        return latest;
    }

    /// <summary>The value of a request's Authorization header.</summary>
    /// <param name="method">GET, PUT.</param>
    /// <param name="path">The path as it is sent.</param>
    /// <param name="query">The query as it is sent, its parameters in order.</param>
    /// <param name="headers">Headers in the order of their names; those that are signed have names in lower case.</param>
    /// <param name="payloadHash">What stands for the body.</param>
    /// <param name="credentials">Who signs.</param>
    /// <param name="region">The region that is asked.</param>
    /// <param name="time">When.</param>
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
