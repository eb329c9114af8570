namespace Transfer.S3.Cli.Options;

/// <summary>The environment variables that the tool reads. Like in the AWS CLI, an empty variable counts as not set.</summary>
internal sealed class ToolEnvironment(Func<string, string?> read)
{
    public static ToolEnvironment Process { get; } = new(Environment.GetEnvironmentVariable);

    public string? Get(string name) => read(name) is { Length: > 0 } value ? value : null;

    public bool IsOn(string name) => Get(name) is { } value && FlagText.TryParse(value, out bool on) && on;
}
