using System.Security.Cryptography;

namespace Transfer.Integrity;

/// <summary>
/// The checksum of a multipart object from its parts', added in order: combined to that of the full object for CRCs, a digest of the
/// digests with <c>-N</c> behind it for hashes (Amazon S3 User Guide, "Checking object integrity").
/// </summary>
internal sealed class ObjectChecksum
{
    private readonly List<byte> _digests = [];
    private CrcSet _crc = new(CrcSet.Kinds.All);
    private ChecksumAlgorithm? _algorithm;
    private int _parts;

    /// <summary>The algorithm of all parts; None where they have none in common.</summary>
    public ChecksumAlgorithm Algorithm => _algorithm ?? ChecksumAlgorithm.None;

    /// <summary>Bytes of all parts.</summary>
    public long Length => _crc.Length;

    public void Add(PartChecksumValue part)
    {
        _parts++;
        _crc = _crc.Then(part.Crc);
        _digests.AddRange(part.Digest ?? []);
        _algorithm = _algorithm is null || _algorithm == part.Algorithm ? part.Algorithm : ChecksumAlgorithm.None;
    }

    /// <summary>The full object's value, where the algorithm has one that parts combine to.</summary>
    public string? FullObject => _crc.ToBase64(Algorithm);

    /// <summary>What the store is to hold: the full object's value or the composite one; null where none is wanted.</summary>
    public string? Expected => Algorithm switch
    {
        ChecksumAlgorithm.Sha256 => Composite(SHA256.HashData([.. _digests])),
#pragma warning disable CA5351 // what S3's entity tags are made of
        ChecksumAlgorithm.Md5 => Composite(MD5.HashData([.. _digests])),
#pragma warning restore CA5351
        _ => FullObject,
    };

    private string Composite(byte[] digest) => $"{Convert.ToBase64String(digest)}-{_parts}";
}
