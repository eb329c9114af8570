namespace Transfer.Wire;

/// <summary>One page of a listing.</summary>
/// <param name="Objects">What is on it, in the store's order.</param>
/// <param name="Next">What asks for the page behind it; null where this is the last.</param>
internal sealed record ObjectPage(IReadOnlyList<ListedObject> Objects, string? Next);
