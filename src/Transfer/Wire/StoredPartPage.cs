namespace Transfer.Wire;

/// <summary>Some parts of a stored object, in order.</summary>
/// <param name="LengthsBytes">How long each is.</param>
/// <param name="Next">The part behind which the next page begins; null where there is none.</param>
internal sealed record StoredPartPage(IReadOnlyList<long> LengthsBytes, int? Next);
