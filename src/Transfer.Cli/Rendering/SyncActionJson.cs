namespace Transfer.S3.Cli.Rendering;

/// <summary>One action of a synchronization that would be done: a line of --json.</summary>
/// <param name="Action">copy, replace, delete, conflict, shield, or fail.</param>
/// <param name="Name">The path relative to both sides.</param>
/// <param name="Bytes">The size, in bytes.</param>
/// <param name="Reason">The reason, for people.</param>
internal sealed record SyncActionJson(string Action, string Name, long Bytes, string Reason);
