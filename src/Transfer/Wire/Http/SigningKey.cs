using System.Security.Cryptography;
using System.Text;
using Amazon.Runtime;

namespace Transfer.Wire.Http;

/// <summary>The key that all requests of one day, region and pair of credentials are signed with: four HMACs that need not be made for each of them.</summary>
internal sealed class SigningKey
{
    private readonly string _accessKey;
    private readonly string _secretKey;
    private readonly string _day;
    private readonly byte[] _key;

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

    public void Sign(ReadOnlySpan<byte> text, Span<byte> signature) => HMACSHA256.HashData(_key, text, signature);
}
