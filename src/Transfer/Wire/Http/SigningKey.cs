using System.Security.Cryptography;
using System.Text;
using Amazon.Runtime;

namespace Transfer.S3.Wire.Http;

/// <summary>The signing key of one day, region, and pair of credentials. It is cached, because each request would otherwise compute four HMACs for it.</summary>
#pragma warning disable CA1001 // A request can still use the key after another request has replaced it, so the hash is left to the garbage collector.
internal sealed class SigningKey
#pragma warning restore CA1001
{
    private readonly string _accessKey;
    private readonly string _secretKey;
    private readonly string _day;
    private readonly byte[] _key;

    // OpenSSL takes longer to set up a hash than to compute it over so few bytes. Requests that are signed concurrently use separate hashes.
    private IncrementalHash? _spare;

    /// <param name="credentials">The credentials to sign with.</param>
    /// <param name="region">The region of the requests.</param>
    /// <param name="day">The day in UTC, as <c>yyyyMMdd</c>.</param>
    public SigningKey(ImmutableCredentials credentials, string region, ReadOnlySpan<char> day)
    {
        _accessKey = credentials.AccessKey;
        _secretKey = credentials.SecretKey;
        _day = day.ToString();
        Scope = $"{_day}/{region}/s3/aws4_request";
        Authorization = $"{RequestSigner.Algorithm} Credential={_accessKey}/{Scope}, SignedHeaders=";
        byte[] key = Encoding.UTF8.GetBytes("AWS4" + _secretKey);
        foreach (string step in Scope.Split('/'))
        {
            key = HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(step));
        }

        _key = key;
    }

    /// <summary>Gets the credential scope of the signatures.</summary>
    public string Scope { get; }

    /// <summary>Gets the beginning of the Authorization header, up to the names of the signed headers.</summary>
    public string Authorization { get; }

    public bool IsFor(ImmutableCredentials credentials, ReadOnlySpan<char> day)
        => day.SequenceEqual(_day) && credentials.AccessKey == _accessKey && credentials.SecretKey == _secretKey;

    public void Sign(ReadOnlySpan<byte> text, Span<byte> signature)
    {
        IncrementalHash hash = Interlocked.Exchange(ref _spare, null) ?? IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, _key);
        hash.AppendData(text);
        hash.GetHashAndReset(signature);
        if (Interlocked.CompareExchange(ref _spare, hash, null) is not null)
        {
            hash.Dispose();
        }
    }
}
