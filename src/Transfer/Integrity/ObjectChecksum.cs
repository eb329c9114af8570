using System.Security.Cryptography;

namespace Transfer.Integrity;

/// <summary>
/// The checksum of a multipart object from its parts', added in order: combined to that of the full object for CRCs, a digest of the
/// digests with <c>-N</c> behind it for hashes (Amazon S3 User Guide, "Checking object integrity").
/// </summary>
internal sealed class ObjectChecksum(ChecksumAlgorithm algorithm)
{
    private readonly List<byte> _digests = [];
    private CrcSet _crc = new(CrcSet.KindOf(algorithm));
    private int _parts;

    public void Add(PartChecksumValue part)
    {
        _parts++;
        _crc = _crc.Then(part.Crc);
        _digests.AddRange(part.Digest ?? []);
    }

    /// <summary>The full object's value, where the algorithm has one that parts combine to.</summary>
    public string? FullObject => _crc.ToBase64(algorithm);

    /// <summary>What the store is to hold: the full object's value or the composite one; null where none is wanted.</summary>
    public string? Expected => algorithm == ChecksumAlgorithm.Sha256
        ? $"{Convert.ToBase64String(SHA256.HashData([.. _digests]))}-{_parts}"
        : FullObject;
}
