namespace Transfer.S3.Cli.Rendering;

/// <summary>The result of doctor: what a store supports.</summary>
internal sealed record DoctorJson
{
    public string Operation { get; } = "doctor";

    public required string Store { get; init; }

    /// <summary>Gets the name of the store, if its endpoint is known.</summary>
    public required string? KnownStore { get; init; }

    public required IReadOnlyList<AbilityJson> Abilities { get; init; }

    public required IReadOnlyList<string> LeftBehind { get; init; }

    public required string? RememberedIn { get; init; }

    public IReadOnlyList<ErrorJson> Errors { get; } = [];
}
