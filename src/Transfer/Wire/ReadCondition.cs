namespace Transfer.Wire;

/// <summary>Conditions of one GET (RFC 9110, section 13.1); null where there is none. Tags are quoted.</summary>
internal sealed record ReadCondition
{
    public static readonly ReadCondition None = new();

    public string? IfMatch { get; init; }

    public string? IfNoneMatch { get; init; }

    public DateTimeOffset? IfModifiedSince { get; init; }

    public DateTimeOffset? IfUnmodifiedSince { get; init; }

    /// <summary>Whether an answer with this entity tag agrees with If-Match, which some stores do not read. Several tags are left for the store to compare.</summary>
    public bool Allows(string? etag) => IfMatch is null or "*" || IfMatch.Contains(',', StringComparison.Ordinal) || ETags.AreSame(IfMatch, etag);
}
