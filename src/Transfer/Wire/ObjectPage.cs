namespace Transfer.Wire;

/// <summary>One page of a listing.</summary>
/// <param name="Objects">What is on it, in the store's order.</param>
/// <param name="Next">What asks for the page behind it; null where this is the last.</param>
internal sealed record ObjectPage(IReadOnlyList<ListedObject> Objects, string? Next)
{
    /// <summary>What asks for the page behind one.</summary>
    /// <param name="isCut">Whether the store says that there is one.</param>
    /// <param name="token">What the store says to ask it with.</param>
    /// <exception cref="WireException">There is more, and no way to it: what was listed must not pass for all.</exception>
    public static string? NextOf(bool isCut, string? token)
        => !isCut ? null
            : token is { Length: > 0 } ? token
            : throw new WireException(FailureKind.Final, "the store returned an incomplete listing without a continuation token");
}
