namespace Transfer.Wire;

/// <summary>The target of a redirection.</summary>
/// <param name="Region">The region of the bucket; null if the response contains none.</param>
/// <param name="Location">The new address; null if the response contains none.</param>
/// <param name="IsLasting">Whether the redirection applies to later requests too.</param>
internal sealed record Redirection(string? Region, Uri? Location, bool IsLasting);
