namespace Transfer.Configuration;

/// <summary>Remembers which options were read from configuration, for the log message at start.</summary>
internal sealed class ConfigurationSources
{
    private readonly Dictionary<string, (string Path, object? Value)> _read = new(StringComparer.Ordinal);

    public void Add(ClientOption option, string path, TransferClientOptions options) => _read[option.Name] = (path, option.Value(options));

    /// <summary>Returns the path of the value in the configuration; <see langword="null"/> if code has set another value since.</summary>
    public string? Find(ClientOption option, TransferClientOptions options)
        => _read.TryGetValue(option.Name, out (string Path, object? Value) read) && Equals(read.Value, option.Value(options)) ? read.Path : null;
}
