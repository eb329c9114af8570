using Transfer.S3.Integrity;

namespace Transfer.S3.Verification;

/// <summary>How the checksum of a download is computed. It is known only after the store has returned what to compare with.</summary>
/// <param name="Kinds">The CRCs that are computed of every range as it arrives.</param>
/// <param name="IsCut">Whether the CRCs are cut where a stored part may end.</param>
/// <param name="IsInOrder">Whether the checksum is computed from the bytes in order instead.</param>
internal sealed record VerificationStrategy(CrcSet.Kinds Kinds, bool IsCut, bool IsInOrder)
{
    /// <summary>The checksum is not known yet. Any can be computed from these CRCs, or else from the bytes, which are still available.</summary>
    public static VerificationStrategy Open { get; } = new(CrcSet.Kinds.All, IsCut: true, IsInOrder: false);

    /// <summary>There is nothing to compare.</summary>
    public static VerificationStrategy Nothing { get; } = new(CrcSet.Kinds.None, IsCut: false, IsInOrder: false);

    private static readonly VerificationStrategy[] Whole = [.. ChecksumTable.Combinable.Select(static entry => new VerificationStrategy(entry.Crc, IsCut: false, IsInOrder: false))];

    private static readonly VerificationStrategy InOrder = new(CrcSet.Kinds.None, IsCut: false, IsInOrder: true);

    /// <summary>Gets how to compute a checksum that the store holds.</summary>
    /// <param name="algorithm">The algorithm.</param>
    /// <param name="partLengths">The lengths of the parts of a composite checksum; null for a checksum of the whole content.</param>
    public static VerificationStrategy To(ChecksumAlgorithm algorithm, IReadOnlyList<long>? partLengths)
    {
        CrcSet.Kinds kind = algorithm.Crc();

        // A hash can't be combined, and a CRC can be combined only from pieces that end where the parts end.
        return kind == CrcSet.Kinds.None || partLengths?.SkipLast(1).Any(length => length % RangeChecksum.CutBytes != 0) == true
            ? InOrder
            : partLengths is null ? Array.Find(Whole, way => way.Kinds == kind)!
            : new VerificationStrategy(kind, IsCut: true, IsInOrder: false);
    }
}
