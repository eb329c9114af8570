namespace Transfer.S3.Cli.Rendering;

/// <summary>Something that not every store supports.</summary>
/// <param name="Name">The name.</param>
/// <param name="Description">A description of a few words.</param>
/// <param name="Support"><c>yes</c>, <c>ignored</c>, <c>refused</c>, or <c>not known</c>.</param>
/// <param name="Detail">The error or the observation that shows it; null if there is nothing to add.</param>
internal sealed record AbilityJson(string Name, string Description, string Support, string? Detail);
