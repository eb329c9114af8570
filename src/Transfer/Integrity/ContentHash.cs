using System.IO.Hashing;
using System.Security.Cryptography;

namespace Transfer.S3.Integrity;

/// <summary>Computes a hash of content that is appended in pieces. Unlike a CRC, it can't be combined from those of blocks.</summary>
internal abstract class ContentHash : IDisposable
{
    /// <summary>Begins a hash of the framework.</summary>
    public static ContentHash Create(HashAlgorithmName name) => new Cryptographic(name);

    /// <summary>Begins a hash that isn't for security, but computed faster.</summary>
    public static ContentHash Create(NonCryptographicHashAlgorithm hash) => new NonCryptographic(hash);

    public abstract void Append(ReadOnlySpan<byte> data);

    /// <summary>Gets the hash, most significant byte first. Nothing can be appended afterward.</summary>
    public abstract byte[] Finish();

    public abstract void Dispose();

    private sealed class Cryptographic(HashAlgorithmName name) : ContentHash
    {
        private readonly IncrementalHash _hash = IncrementalHash.CreateHash(name);

        public override void Append(ReadOnlySpan<byte> data) => _hash.AppendData(data);

        public override byte[] Finish() => _hash.GetHashAndReset();

        public override void Dispose() => _hash.Dispose();
    }

    private sealed class NonCryptographic(NonCryptographicHashAlgorithm hash) : ContentHash
    {
        public override void Append(ReadOnlySpan<byte> data) => hash.Append(data);

        public override byte[] Finish() => hash.GetHashAndReset();

        public override void Dispose()
        {
        }
    }
}
