namespace Transfer.S3.Requests;

/// <summary>Remembers which options were read from configuration, for the log message at start.</summary>
internal sealed class ConfigurationSources
{
    private readonly Dictionary<string, (string Path, object? Value)> _read = new(StringComparer.Ordinal);

    public void Add(string option, string path, object? value) => _read[option] = (path, value);

    /// <summary>Returns the path of the value in the configuration; <see langword="null"/> if code has set another value since.</summary>
    public string? Find(string option, object? value)
        => _read.TryGetValue(option, out (string Path, object? Value) read) && Equals(read.Value, value) ? read.Path : null;
}
