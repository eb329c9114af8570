namespace Transfer.S3.Server.Cors;

/// <summary>A rule that allows pages of other origins to send requests to a bucket.</summary>
internal sealed record CorsRule
{
    public string? Id { get; init; }

    /// <summary>Gets the origins, each with at most one wildcard.</summary>
    public required IReadOnlyList<string> AllowedOrigins { get; init; }

    public required IReadOnlyList<string> AllowedMethods { get; init; }

    /// <summary>Gets the names of the headers that a request can have, each with at most one wildcard.</summary>
    public required IReadOnlyList<string> AllowedHeaders { get; init; }

    /// <summary>Gets the names of the headers of a response that a page can read.</summary>
    public required IReadOnlyList<string> ExposeHeaders { get; init; }

    public int? MaxAgeSeconds { get; init; }

    /// <summary>Gets a value that indicates whether any page can send requests, without credentials of its user.</summary>
    public bool AllowsAnyOrigin => AllowedOrigins.Contains("*");

    public bool IsSound() => AllowedOrigins is { Count: > 0 } && AllowedMethods is { Count: > 0 } && AllowedHeaders is not null && ExposeHeaders is not null;

    public bool Allows(string origin, string method) =>
        AllowedMethods.Contains(method) && AllowedOrigins.Any(pattern => Matches(pattern, origin, StringComparison.Ordinal));

    public bool AllowsHeader(string name) => AllowedHeaders.Any(pattern => Matches(pattern, name, StringComparison.OrdinalIgnoreCase));

    private static bool Matches(string pattern, string text, StringComparison comparison)
    {
        int star = pattern.IndexOf('*', StringComparison.Ordinal);
        return star < 0
            ? string.Equals(pattern, text, comparison)
            : text.Length >= pattern.Length - 1
                && text.AsSpan().StartsWith(pattern.AsSpan(0, star), comparison)
                && text.AsSpan().EndsWith(pattern.AsSpan(star + 1), comparison);
    }
}
