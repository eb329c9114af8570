namespace Transfer.S3.Trees;

/// <summary>A page of a listing, or the part of it that belongs to a range of keys.</summary>
/// <param name="Items">The objects, in the order of the store.</param>
/// <param name="Outside">Objects whose keys don't begin with the prefix.</param>
/// <param name="IsLast">Whether the listing is known to end with this page.</param>
internal sealed record ListedPage(IReadOnlyList<ListedObject> Items, IReadOnlyList<ListedObject> Outside, bool IsLast);
