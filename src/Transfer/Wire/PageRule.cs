namespace Transfer.S3.Wire;

/// <summary>What must hold for the pages of a list.</summary>
/// <param name="What">The list, for messages.</param>
/// <param name="GetPlace">Gets the place of an item.</param>
internal sealed record PageRule<T>(string What, Func<T, PagePlace> GetPlace)
{
    /// <summary>Gets the function that returns the size of an item, in bytes; null if items have no sizes.</summary>
    public Func<T, long>? GetSize { get; init; }

    /// <summary>Gets a value that indicates whether the store lists in order.</summary>
    public bool IsOrdered { get; init; } = true;

    /// <summary>Gets a value that indicates whether several items can have the same place.</summary>
    public bool CanShare { get; init; }
}
