namespace Transfer.S3.Wire;

/// <summary>The condition for publishing an object (Amazon S3 User Guide, "Conditional writes").</summary>
/// <param name="OnlyIfAbsent">Whether the key must not exist.</param>
/// <param name="IfMatch">The ETag that the existing object must have.</param>
internal readonly record struct WriteCondition(bool OnlyIfAbsent, string? IfMatch = null)
{
    /// <summary>Gets a value that indicates whether only the store enforces the condition.</summary>
    public bool IsTrusted { get; init; }

    public string? IfNoneMatch => OnlyIfAbsent ? "*" : null;
}
