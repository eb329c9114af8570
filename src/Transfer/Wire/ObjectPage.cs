namespace Transfer.Wire;

/// <summary>One page of a listing.</summary>
/// <param name="Objects">The objects, in the order of the store.</param>
/// <param name="Next">The continuation token of the next page; null if this is the last page.</param>
internal sealed record ObjectPage(IReadOnlyList<ListedObject> Objects, string? Next)
{
    /// <summary>Gets the continuation token of the next page.</summary>
    /// <param name="isCut">Whether the store reports that there is a next page.</param>
    /// <param name="token">The continuation token that the store returned.</param>
    /// <exception cref="WireException">Thrown when there is a next page but no token, because the listing must not be taken for complete.</exception>
    public static string? NextOf(bool isCut, string? token)
        => !isCut ? null
            : token is { Length: > 0 } ? token
            : throw new WireException(FailureKind.Final, "the store returned an incomplete listing without a continuation token");
}
