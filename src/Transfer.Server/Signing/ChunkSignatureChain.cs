using System.Security.Cryptography;
using System.Text;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Signing;

/// <summary>
/// Verifies the chunks of a signed aws-chunked body. Each signature includes the previous one, and the first includes that of the request.
/// </summary>
internal sealed class ChunkSignatureChain : IDisposable
{
    private const string EmptySha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    private readonly SigningKey _key;
    private readonly string _timestamp;
    private readonly string _scope;
    private readonly IncrementalHash _chunk = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private string _previous;

    public ChunkSignatureChain(SigningKey key, string timestamp, string scope, string seedSignature)
    {
        _key = key;
        _timestamp = timestamp;
        _scope = scope;
        _previous = seedSignature;
    }

    public static ChunkSignatureChain From(VerifiedSignature signature) =>
        new(signature.Key, signature.Claim.Timestamp, signature.Claim.Credential.Scope, signature.Claim.Signature);

    public void Append(ReadOnlySpan<byte> bytes) => _chunk.AppendData(bytes);

    public void EndChunk(string claimed)
    {
        string hash = Convert.ToHexStringLower(_chunk.GetHashAndReset());
        Check(claimed, $"AWS4-HMAC-SHA256-PAYLOAD\n{_timestamp}\n{_scope}\n{_previous}\n{EmptySha256}\n{hash}");
    }

    /// <summary>Verifies the trailer. <paramref name="canonical"/> contains each <c>name:value</c>, followed by a line feed.</summary>
    public void EndTrailer(string claimed, string canonical)
    {
        string hash = SigningKey.Sha256Hex(Encoding.UTF8.GetBytes(canonical));
        Check(claimed, $"AWS4-HMAC-SHA256-TRAILER\n{_timestamp}\n{_scope}\n{_previous}\n{hash}");
    }

    public void Dispose() => _chunk.Dispose();

    private void Check(string claimed, string text)
    {
        string computed = _key.Sign(text);
        if (!SigningKey.AreEqual(computed, claimed))
        {
            throw new S3Exception(
                403,
                "SignatureDoesNotMatch",
                "The chunk signature we calculated does not match the signature you provided. Check your key and signing method.",
                new KeyValuePair<string, string>("StringToSign", text));
        }

        _previous = computed;
    }
}
