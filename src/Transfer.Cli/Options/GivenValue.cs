namespace Transfer.S3.Cli.Options;

/// <summary>A value as the user specified it.</summary>
/// <param name="Source">The option or the environment variable that it came from.</param>
/// <param name="Text">The text of the value.</param>
internal sealed record GivenValue(string Source, string Text);
