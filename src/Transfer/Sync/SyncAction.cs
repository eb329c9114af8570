namespace Transfer.S3;

/// <summary>What a synchronization does, or would do, about one name.</summary>
public sealed record SyncAction
{
    /// <summary>Gets the kind of the action.</summary>
    public required SyncActionKind Kind { get; init; }

    /// <summary>Gets the path relative to both sides, with <c>/</c> as the separator. The name of a folder ends in <c>/</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Gets the size of the source, in bytes; for a deletion, that of the target.</summary>
    public required long Bytes { get; init; }

    /// <summary>Gets the reason, such as <c>missing</c>, <c>size 5 → 7</c>, <c>checksum</c>, or <c>no evidence</c>.</summary>
    public required string Reason { get; init; }

    /// <summary>Gets the error of a <see cref="SyncActionKind.Fail"/> or <see cref="SyncActionKind.Conflict"/>; <see langword="null"/> for other actions.</summary>
    public Exception? Error { get; init; }

    /// <summary>Gets a value that indicates whether the target is replaced only because nothing shows whether it is the same.</summary>
    public bool LacksEvidence { get; private init; }

    /// <summary>Creates the action for a target of the same size about whose content nothing is known.</summary>
    internal static SyncAction WithoutEvidence(string name, long bytes) => new() { Kind = SyncActionKind.Replace, Name = name, Bytes = bytes, Reason = "no evidence", LacksEvidence = true };
}
