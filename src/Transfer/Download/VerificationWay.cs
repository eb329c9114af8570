using Transfer.Integrity;

namespace Transfer.Download;

/// <summary>How the content of a download becomes a checksum. It is known only when the store has told what there is to compare.</summary>
/// <param name="Kinds">The CRCs that are computed of every range as it arrives.</param>
/// <param name="IsCut">Whether they are cut where the end of a stored part may be.</param>
/// <param name="IsInOrder">Whether the bytes are wanted in the object's order instead.</param>
internal sealed record VerificationWay(CrcSet.Kinds Kinds, bool IsCut, bool IsInOrder)
{
    /// <summary>Nothing was told yet: whatever it will be, it can be made of this, or else the bytes are still at hand.</summary>
    public static VerificationWay Open { get; } = new(CrcSet.Kinds.All, IsCut: true, IsInOrder: false);

    /// <summary>There is nothing to compare.</summary>
    public static VerificationWay Nothing { get; } = new(CrcSet.Kinds.None, IsCut: false, IsInOrder: false);

    private static readonly VerificationWay[] Whole = [.. new[] { CrcSet.Kinds.Crc64Nvme, CrcSet.Kinds.Crc32C, CrcSet.Kinds.Crc32 }.Select(kind => new VerificationWay(kind, IsCut: false, IsInOrder: false))];

    private static readonly VerificationWay InOrder = new(CrcSet.Kinds.None, IsCut: false, IsInOrder: true);

    /// <summary>The way to a checksum that the store holds.</summary>
    /// <param name="algorithm">Its algorithm.</param>
    /// <param name="partLengths">The lengths of the parts whose checksums it is made of; null where it is one of all bytes.</param>
    public static VerificationWay To(ChecksumAlgorithm algorithm, IReadOnlyList<long>? partLengths)
    {
        CrcSet.Kinds kind = CrcSet.KindOf(algorithm);

        // A hash can't be combined, and a CRC only of pieces that end where the parts do.
        return kind == CrcSet.Kinds.None || partLengths?.SkipLast(1).Any(length => length % RangeChecksum.CutBytes != 0) == true
            ? InOrder
            : partLengths is null ? Array.Find(Whole, way => way.Kinds == kind)!
            : new VerificationWay(kind, IsCut: true, IsInOrder: false);
    }
}
