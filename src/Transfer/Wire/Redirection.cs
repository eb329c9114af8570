namespace Transfer.Wire;

/// <summary>The target of a redirection.</summary>
/// <param name="Region">The region of the bucket; null if the response contains none.</param>
/// <param name="Location">The new address; null if the response contains none.</param>
/// <param name="IsLasting">Whether the redirection applies to later requests too.</param>
internal sealed record Redirection(string? Region, Uri? Location, bool IsLasting)
{
    /// <summary>Gets what the store returned about the bucket, for messages; empty if it returned nothing.</summary>
    public string Text => Region is not null ? $" (the store returned that the bucket is in the region {Region})"
        : Location is not null ? $" (the store returned that the bucket is at {Location.Host})"
        : string.Empty;
}
