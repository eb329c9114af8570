namespace Transfer.S3.Wire;

/// <summary>The marker of the next page, as the store returned it.</summary>
/// <param name="Token">A continuation token, a key, or the number of a part.</param>
/// <param name="Id">The second part of the marker in a list of uploads or versions, if any.</param>
internal sealed record PageMarker(string Token, string? Id = null);
