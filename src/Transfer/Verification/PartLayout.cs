namespace Transfer.S3.Verification;

/// <summary>The parts in which an object was stored, in order.</summary>
/// <param name="LengthsBytes">The length of each part.</param>
/// <param name="IsGuess">Whether the store returned only the length of the first part, so that the others may have other lengths.</param>
internal sealed record PartLayout(IReadOnlyList<long> LengthsBytes, bool IsGuess);
