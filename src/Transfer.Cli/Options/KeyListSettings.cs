namespace Transfer.S3.Cli.Options;

/// <summary>A list of keys, which replaces the listing of a prefix.</summary>
/// <param name="Path">The path of the file, or - for standard input.</param>
/// <param name="Format">The format.</param>
internal sealed record KeyListSettings(string Path, KeyListFormat Format)
{
    public const string StandardInput = "-";

    /// <summary>Gets the name of the list, for messages.</summary>
    public string Name => Path == StandardInput ? "standard input" : $"'{Path}'";

    /// <summary>Reads the options, from the command line only, because a list would silently change every command.</summary>
    /// <param name="values">The command line and the environment.</param>
    /// <param name="options">The options.</param>
    /// <param name="filter">The filter of the command.</param>
    /// <returns>Null if the objects are listed.</returns>
    public static KeyListSettings? Resolve(OptionValues values, KeyListOptions options, ObjectFilter filter)
    {
        if (values.Line(options.From) is not { } given)
        {
            return null;
        }

        if (given.Text != StandardInput && !File.Exists(given.Text))
        {
            throw OptionValues.Wrong(given, Directory.Exists(given.Text) ? "a file or -, and this is a folder" : "a file or -, and there is no such file");
        }

        if (filter is not { MinSizeBytes: null, MaxSizeBytes: null, ModifiedSince: null, ModifiedBefore: null, StorageClasses.Count: 0 })
        {
            throw new UsageException($"{options.From.Name} can't be combined with filters by size, time, or storage class, because they need a listing");
        }

        KeyListFormat format = values.Line(options.Format) is { } text ? OptionValues.Convert<KeyListFormat>(text, KeyListFormat.TryParse, KeyListFormat.Accepted) : KeyListFormat.Lines;
        return new KeyListSettings(given.Text, format);
    }
}
