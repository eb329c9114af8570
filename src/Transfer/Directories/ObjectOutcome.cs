namespace Transfer;

/// <summary>What became of one object of a transfer of many.</summary>
/// <param name="Status">What.</param>
/// <param name="Key">The object's key; of a copy, the source's.</param>
/// <param name="Path">The local file; null where the key can't be one, and of a copy.</param>
/// <param name="Bytes">Its length in bytes, as far as it is known.</param>
/// <param name="Verdict">Whether its bytes are known to be the store's; null where none were moved.</param>
/// <param name="Error">Why it failed; null where it did not.</param>
public sealed record ObjectOutcome(ObjectStatus Status, string Key, string? Path, long Bytes, ChecksumVerdict? Verdict = null, Exception? Error = null);
