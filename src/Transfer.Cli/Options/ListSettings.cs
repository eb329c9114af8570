using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Options;

/// <summary>The objects that a command finds by a listing.</summary>
/// <param name="Given">The address on the command line.</param>
/// <param name="IsFolder">Whether the address is the name of a folder, and not just what keys begin with.</param>
/// <param name="Options">The objects of the prefix to list.</param>
internal sealed record ListSettings(Location Given, bool IsFolder, ListObjectsOptions Options)
{
    /// <summary>Gets the pattern that the address was found to be; null if it is a prefix.</summary>
    public KeyPattern? Pattern { get; init; }

    /// <summary>Gets a value that indicates whether wildcards in the key are expanded.</summary>
    public bool ExpandsWildcards { get; init; }

    /// <summary>Gets how sizes are shown.</summary>
    public SizeText Sizes { get; init; }

    /// <summary>Gets a value that indicates whether other addresses are listed, too, so that the lines must tell which one they are of.</summary>
    public bool IsOneOfMany { get; init; }

    /// <summary>Gets the prefix to list.</summary>
    public Location Prefix => Pattern is { } pattern ? pattern.Literal : IsFolder ? Given.Folder : Given;

    /// <summary>Gets the address to show.</summary>
    public Location Shown => Pattern is null ? Prefix : Given;

    /// <param name="given">The address on the command line.</param>
    /// <param name="values">The command line and the environment.</param>
    /// <param name="options">The options.</param>
    /// <param name="recursive">Whether all levels are listed. One level is that of the prefix as it is.</param>
    /// <param name="now">The current time.</param>
    public static ListSettings Resolve(Location given, OptionValues values, ListOptions options, bool recursive, DateTimeOffset now)
    {
        ReadSettings read = new(values, options.Read);
        bool isAnyPrefix = recursive && given.Key.Length > 0 && values.Flag(options.AnyPrefix);
        return new ListSettings(given, recursive && !isAnyPrefix, new ListObjectsOptions
        {
            Delimiter = recursive ? null : "/",
            Filter = options.Selection.Resolve(values, now, hasStorageClass: true),
            AsOf = read.AsOf(now),
            RequesterPays = read.RequesterPays,
        })
        {
            ExpandsWildcards = !isAnyPrefix,
            Sizes = new SizeText(values.Flag(options.Bytes)),
        };
    }

    /// <summary>Finds out whether an address with wildcards is a pattern or a name, and expands a pattern.</summary>
    public async Task<ListSettings> ExpandAsync(TransferClient client, CancellationToken cancellationToken)
    {
        if (!ExpandsWildcards || KeyPattern.Find(Given) is not { } pattern || await pattern.IsNameAsync(client, Options, cancellationToken).ConfigureAwait(false))
        {
            return this;
        }

        bool recursive = Options.Delimiter is null;
        bool isOneLevel = !recursive && pattern.IsOneLevel; // folders that match are listed as prefixes
        return this with
        {
            Pattern = pattern,
            Options = Options with { Delimiter = isOneLevel ? Options.Delimiter : null, Filter = pattern.AddTo(Options.Filter, recursive, withFolders: recursive || isOneLevel) },
        };
    }
}
