namespace Transfer.Wire;

/// <summary>Some parts of an unfinished upload, in order.</summary>
/// <param name="Parts">The parts.</param>
/// <param name="Next">The part behind which the next page begins; null where there is none.</param>
internal sealed record SentPartPage(IReadOnlyList<SentPart> Parts, int? Next);
