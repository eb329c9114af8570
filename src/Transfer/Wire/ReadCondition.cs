namespace Transfer.Wire;

/// <summary>Conditions of one GET (RFC 9110, section 13.1); null where there is none. Tags are quoted.</summary>
internal sealed record ReadCondition
{
    public static readonly ReadCondition None = new();

    public string? IfMatch { get; init; }

    public string? IfNoneMatch { get; init; }

    public DateTimeOffset? IfModifiedSince { get; init; }

    public DateTimeOffset? IfUnmodifiedSince { get; init; }
}
