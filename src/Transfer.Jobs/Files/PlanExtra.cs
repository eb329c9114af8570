namespace Transfer.S3.Jobs;

/// <summary>What only workers and the end of a job need of its plan.</summary>
internal sealed record PlanExtra
{
    public PlannedOptions Options { get; init; } = new();

    public long SplitBytes { get; init; } = JobOptions.DefaultSplitBytes;

    public bool DeletesDespiteFailures { get; init; }

    /// <summary>Gets a value that indicates whether targets that exist are left alone.</summary>
    public bool SkipsExisting { get; init; }

    /// <summary>Gets a value that indicates whether targets are deleted that exist at the source, because they are excluded.</summary>
    public bool DeletesExcluded { get; init; }

    /// <summary>Gets the patterns of the names that are published after all others; null for the default.</summary>
    public IReadOnlyList<string>? PublishLast { get; init; }

    /// <summary>Gets the SHA-256 of the file of the refused names; null if there are none.</summary>
    public string? RefusedSha256 { get; init; }

    /// <summary>Gets the SHA-256 of the file of the targets to delete; null if there are none.</summary>
    public string? DeletionsSha256 { get; init; }
}
