namespace Transfer.Wire;

/// <summary>One page of the parts of an incomplete upload, in order.</summary>
/// <param name="Parts">The parts.</param>
/// <param name="Next">The number of the part after which the next page begins; null if there is none.</param>
internal sealed record SentPartPage(IReadOnlyList<SentPart> Parts, int? Next);
