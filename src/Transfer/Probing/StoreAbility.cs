namespace Transfer.S3;

/// <summary>Something that not every store supports, and whether the probed one does.</summary>
public sealed record StoreAbility
{
    /// <summary>Gets the name, such as <c>put-if-absent</c>. It doesn't change in later versions.</summary>
    public required string Name { get; init; }

    /// <summary>Gets a description of a few words.</summary>
    public required string Description { get; init; }

    /// <summary>Gets whether the store supports it.</summary>
    public required StoreSupport Support { get; init; }

    /// <summary>Gets the error or the observation that shows it; empty if there is nothing to add.</summary>
    public string Detail { get; init; } = string.Empty;
}
