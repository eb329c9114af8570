namespace Transfer.Download;

/// <summary>The parts in which an object was stored, in order.</summary>
/// <param name="LengthsBytes">How long each is.</param>
/// <param name="IsGuess">Whether the store told the first one's length alone, and the others may have another.</param>
internal sealed record PartLayout(IReadOnlyList<long> LengthsBytes, bool IsGuess);
