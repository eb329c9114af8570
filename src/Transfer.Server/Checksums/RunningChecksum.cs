using System.IO.Hashing;
using System.Security.Cryptography;

namespace Transfer.S3.Server.Checksums;

/// <summary>Computes a checksum incrementally.</summary>
internal abstract class RunningChecksum : IDisposable
{
    public static RunningChecksum OfCrc(CrcStep append, int bytes) => new Crc(append, bytes);

    public static RunningChecksum OfHash(HashAlgorithmName name) => new Hash(name);

    public static RunningChecksum OfHash(NonCryptographicHashAlgorithm hash) => new FastHash(hash);

    /// <summary>Computes the value of data.</summary>
    public static string Compute(ChecksumAlgorithm algorithm, ReadOnlySpan<byte> bytes)
    {
        using RunningChecksum checksum = ChecksumInfo.Get(algorithm).Begin();
        checksum.Append(bytes);
        return checksum.Finish();
    }

    public abstract void Append(ReadOnlySpan<byte> bytes);

    /// <summary>Returns the value as S3 sends it: the base64 of the bytes in big-endian order.</summary>
    public abstract string Finish();

    public virtual void Dispose()
    {
    }

    private sealed class Crc(CrcStep append, int bytes) : RunningChecksum
    {
        private ulong _value;

        public override void Append(ReadOnlySpan<byte> bytes) => _value = append(_value, bytes);

        public override string Finish() => ChecksumCombiner.ToBase64(_value, bytes);
    }

    private sealed class Hash(HashAlgorithmName name) : RunningChecksum
    {
        private readonly IncrementalHash _hash = IncrementalHash.CreateHash(name);

        public override void Append(ReadOnlySpan<byte> bytes) => _hash.AppendData(bytes);

        public override string Finish() => Convert.ToBase64String(_hash.GetHashAndReset());

        public override void Dispose()
        {
            _hash.Dispose();
            base.Dispose();
        }
    }

    private sealed class FastHash(NonCryptographicHashAlgorithm hash) : RunningChecksum
    {
        public override void Append(ReadOnlySpan<byte> bytes) => hash.Append(bytes);

        public override string Finish() => Convert.ToBase64String(hash.GetHashAndReset());
    }
}
