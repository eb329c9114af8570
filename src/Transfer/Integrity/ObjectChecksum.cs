using System.Runtime.InteropServices;

namespace Transfer.S3.Integrity;

/// <summary>
/// Computes the checksum of a multipart object from those of its parts, which are added in order. CRCs are combined to the full-object checksum, and hashes to a
/// digest of digests followed by <c>-N</c> (Amazon S3 User Guide, "Checking object integrity").
/// </summary>
internal sealed class ObjectChecksum
{
    private readonly List<byte> _digests = [];
    private CrcSet _crc = new(CrcSet.Kinds.All);
    private ChecksumAlgorithm? _algorithm;
    private int _parts;

    /// <summary>Gets the algorithm of all parts; None if they differ.</summary>
    public ChecksumAlgorithm Algorithm => _algorithm ?? ChecksumAlgorithm.None;

    /// <summary>Gets the number of bytes in all parts.</summary>
    public long Length => _crc.Length;

    public void Add(PartChecksumValue part)
    {
        _parts++;
        _crc = _crc.Then(part.Crc);
        _digests.AddRange(part.Digest ?? []);
        _algorithm = _algorithm is null || _algorithm == part.Algorithm ? part.Algorithm : ChecksumAlgorithm.None;
    }

    /// <summary>Gets the full-object checksum; null if the algorithm has none that can be combined from parts.</summary>
    public string? FullObject => _crc.ToBase64(Algorithm);

    /// <summary>Gets the checksum that the store must have, full-object or composite; null if none is needed.</summary>
    public string? Expected => ChecksumTable.Find(Algorithm)?.BeginHash is { } begin ? Composite(begin) : FullObject;

    private string Composite(Func<ContentHash> begin)
    {
        using ContentHash hash = begin();
        hash.Append(CollectionsMarshal.AsSpan(_digests));
        return CompositeChecksum.Text(Convert.ToBase64String(hash.Finish()), _parts);
    }
}
