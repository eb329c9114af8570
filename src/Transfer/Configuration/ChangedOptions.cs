namespace Transfer.S3.Configuration;

/// <summary>Describes the options of a client that differ from the defaults, and where their values came from.</summary>
internal static class ChangedOptions
{
    private static readonly TransferClientOptions Defaults = new();

    /// <summary>Returns text such as <c>Concurrency=16 (TRANSFER_CONCURRENCY), MemoryBytes=256MiB (Transfer:MemoryBytes), MaxAttempts=3 (code)</c>.</summary>
    /// <param name="options">The options.</param>
    /// <param name="fromEnvironment">The environment variables that were used, with their values.</param>
    public static string Describe(TransferClientOptions options, IReadOnlyList<(string Variable, string Value)> fromEnvironment)
    {
        List<string> changes = [];
        foreach (ClientOption option in ClientOptionTable.All)
        {
            object? value = option.Value(options);
            (string? variable, string text) = fromEnvironment.FirstOrDefault(one => one.Variable == option.Variable);
            if (variable is not null)
            {
                changes.Add($"{option.Name}={text} ({variable})");
            }
            else if (value is not null && !Equals(value, option.Value(Defaults)))
            {
                changes.Add($"{option.Name}={ClientOptionParser.Format(option, value)} ({options.Sources?.Find(option.Name, value) ?? "code"})");
            }
        }

        return changes.Count == 0 ? "the default options" : string.Join(", ", changes);
    }
}
