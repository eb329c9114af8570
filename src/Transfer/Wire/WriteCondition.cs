namespace Transfer.S3.Wire;

/// <summary>The condition for publishing an object (Amazon S3 User Guide, "Conditional writes").</summary>
/// <param name="ForbidsOverwrite">Whether the write fails if the key exists.</param>
/// <param name="IfMatch">The ETag that the existing object must have.</param>
internal readonly record struct WriteCondition(bool ForbidsOverwrite, string? IfMatch = null)
{
    /// <summary>Gets a value that indicates whether only the store enforces the condition.</summary>
    public bool IsTrusted { get; init; }

    public string? IfNoneMatch => ForbidsOverwrite ? "*" : null;
}
