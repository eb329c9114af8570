namespace Transfer.Wire;

/// <summary>What must hold when an object is published, or nothing is (Amazon S3 User Guide, "Conditional writes").</summary>
/// <param name="OnlyIfAbsent">There is none under the key.</param>
/// <param name="IfMatch">The one that is there has this entity tag.</param>
internal readonly record struct WriteCondition(bool OnlyIfAbsent, string? IfMatch = null)
{
    /// <summary>Whether it is left to the store alone that the condition holds.</summary>
    public bool IsTrusted { get; init; }

    public string? IfNoneMatch => OnlyIfAbsent ? "*" : null;
}
