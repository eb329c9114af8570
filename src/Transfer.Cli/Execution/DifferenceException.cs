namespace Transfer.Cli.Execution;

/// <summary>What was compared is not the same: no failure of the comparison, and an exit code of its own.</summary>
internal sealed class DifferenceException(string message, string key) : Exception(message)
{
    /// <summary>The key of the object that differs.</summary>
    public string Key { get; } = key;
}
