namespace Transfer.Cli.Options;

/// <summary>A value as the user gave it.</summary>
/// <param name="Source">The option or the environment variable that it came from.</param>
/// <param name="Text">What it said.</param>
internal sealed record GivenValue(string Source, string Text);
