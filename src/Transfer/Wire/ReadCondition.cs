namespace Transfer.S3.Wire;

/// <summary>The conditions of a GET request (RFC 9110, section 13.1); null for none. ETags have quotes.</summary>
internal sealed record ReadCondition
{
    public static readonly ReadCondition None = new();

    public string? IfMatch { get; init; }

    public string? IfNoneMatch { get; init; }

    public DateTimeOffset? IfModifiedSince { get; init; }

    public DateTimeOffset? IfUnmodifiedSince { get; init; }

    /// <summary>
    /// Returns whether a response with an ETag satisfies If-Match, which some stores ignore. A list of ETags is compared by the store only.
    /// </summary>
    public bool Allows(string? etag) => IfMatch is null or "*" || IfMatch.Contains(',', StringComparison.Ordinal) || ETags.AreSame(IfMatch, etag);
}
