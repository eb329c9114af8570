namespace Transfer.Wire;

/// <summary>One page of the parts of an object, in order.</summary>
/// <param name="LengthsBytes">The lengths of the parts, in bytes.</param>
/// <param name="Checksums">The checksum of each part; null for a part that has none.</param>
/// <param name="Next">The number of the part after which the next page begins; null if there is none.</param>
internal sealed record StoredPartPage(IReadOnlyList<long> LengthsBytes, IReadOnlyList<StoredChecksum?> Checksums, int? Next);
