namespace Transfer.S3.Cli.Execution;

/// <summary>The exception that is thrown when a comparison finds a difference. It has its own exit code.</summary>
internal sealed class DifferenceException(string message, string key) : Exception(message)
{
    /// <summary>The key of the object that differs.</summary>
    public string Key { get; } = key;
}
