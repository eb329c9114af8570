namespace Transfer;

/// <summary>A checksum that the store holds of an object.</summary>
/// <param name="Algorithm">How it was computed.</param>
/// <param name="Value">Base64 as S3 sends it; a composite one ends in <c>-N</c>.</param>
/// <param name="IsComposite">
/// Whether it is a checksum of the parts' checksums (S3's COMPOSITE) instead of one of the full object's bytes (FULL_OBJECT).
/// </param>
public sealed record StoredChecksum(ChecksumAlgorithm Algorithm, string Value, bool IsComposite);
