using System.Security.Cryptography;
using System.Text;
using Amazon.Runtime;

namespace Transfer.Wire.Http;

/// <summary>The key that all requests of one day, region and pair of credentials are signed with: four HMACs that need not be made for each of them.</summary>
#pragma warning disable CA1001 // A request that is being signed may use the key after another one has replaced it. So the collector frees the kept hash.
internal sealed class SigningKey
#pragma warning restore CA1001
{
    private readonly string _accessKey;
    private readonly string _secretKey;
    private readonly string _day;
    private readonly byte[] _key;

    // OpenSSL takes longer to set up a hash than to compute it over so few bytes. Requests that are signed at the same time have hashes of their own.
    private IncrementalHash? _spare;

    /// <param name="credentials">Whose signature it is to be.</param>
    /// <param name="region">The region that is asked.</param>
    /// <param name="day">The day in UTC, as <c>yyyyMMdd</c>.</param>
    public SigningKey(ImmutableCredentials credentials, string region, ReadOnlySpan<char> day)
    {
        _accessKey = credentials.AccessKey;
        _secretKey = credentials.SecretKey;
        _day = day.ToString();
        Scope = $"{_day}/{region}/s3/aws4_request";
        Authorization = $"AWS4-HMAC-SHA256 Credential={_accessKey}/{Scope}, SignedHeaders=";
        byte[] key = Encoding.UTF8.GetBytes("AWS4" + _secretKey);
        foreach (string step in Scope.Split('/'))
        {
            key = HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(step));
        }

        _key = key;
    }

    /// <summary>What a signature is good for.</summary>
    public string Scope { get; }

    /// <summary>How the Authorization header begins, up to the names of the signed headers.</summary>
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
