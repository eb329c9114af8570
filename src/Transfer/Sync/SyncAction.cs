namespace Transfer.S3;

/// <summary>What a synchronization does, or would do, about one name.</summary>
/// <param name="Kind">The kind of the action.</param>
/// <param name="Name">The path relative to both sides, with <c>/</c> as the separator. The name of a folder ends in <c>/</c>.</param>
/// <param name="Bytes">The size of the source, in bytes; for a deletion, that of the target.</param>
/// <param name="Reason">The reason, such as <c>missing</c>, <c>size 5 → 7</c>, <c>checksum</c>, or <c>no evidence</c>.</param>
public sealed record SyncAction(SyncActionKind Kind, string Name, long Bytes, string Reason)
{
    /// <summary>Gets the error of a <see cref="SyncActionKind.Fail"/> or <see cref="SyncActionKind.Conflict"/>; <see langword="null"/> for other actions.</summary>
    public Exception? Error { get; init; }

    /// <summary>Gets a value that indicates whether the target is replaced only because nothing shows whether it is the same.</summary>
    public bool LacksEvidence { get; private init; }

    /// <summary>Creates the action for a target of the same size about whose content nothing is known.</summary>
    internal static SyncAction WithoutEvidence(string name, long bytes) => new(SyncActionKind.Replace, name, bytes, "no evidence") { LacksEvidence = true };
}
