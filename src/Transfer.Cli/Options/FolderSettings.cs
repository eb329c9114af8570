using System.CommandLine;

namespace Transfer.S3.Cli.Options;

/// <summary>The validated options of a copy of many objects.</summary>
internal sealed record FolderSettings
{
    public ObjectFilter Filter { get; private init; } = new();

    /// <summary>Gets the pattern that the source was found to be; null if it is a name.</summary>
    public KeyPattern? Pattern { get; private init; }

    /// <summary>Gets the list of the keys to copy; null to list the objects.</summary>
    public KeyListSettings? Keys { get; private init; }

    public FailurePolicy OnFailure { get; private init; }

    /// <summary>Gets a value that indicates whether to try every object even if the first ones all fail with the same error.</summary>
    public bool TriesAll { get; private init; }

    public SymbolicLinks Links { get; private init; }

    public bool IncludeHidden { get; private init; } = true;

    public bool EmptyFolders { get; private init; }

    public bool AllowSpecialNames { get; private init; }

    /// <param name="values">The command line and the environment.</param>
    /// <param name="options">The options.</param>
    /// <param name="uploads">Whether the source is a local folder.</param>
    /// <param name="downloads">Whether the target is a local folder.</param>
    /// <param name="now">The current time.</param>
    public static FolderSettings Resolve(OptionValues values, FolderOptions options, bool uploads, bool downloads, DateTimeOffset now)
    {
        ObjectFilter filter = options.Selection.Resolve(values, now, hasStorageClass: !uploads);
        return ForSeveral(values, options) with
        {
            Filter = filter,
            Keys = uploads ? null : KeyListSettings.Resolve(values, options.Keys, filter),
            Links = uploads ? values.Choice<SymbolicLinks>(options.Links) ?? SymbolicLinks.Follow : SymbolicLinks.Follow,
            IncludeHidden = !values.IsOn(options.NoHidden),
            EmptyFolders = uploads && values.IsOn(options.EmptyFolders),
            AllowSpecialNames = downloads && ReadSpecialNames(values, options),
        };
    }

    /// <summary>Gets the settings of a copy of several sources without -r.</summary>
    public static FolderSettings ForSeveral(OptionValues values, FolderOptions options)
    {
        FailurePolicy? onFailure = values.Choice<FailurePolicy>(options.OnFailure);
        return new FolderSettings { OnFailure = onFailure ?? FailurePolicy.Continue, TriesAll = onFailure == FailurePolicy.Continue };
    }

    /// <summary>Gets the settings of a copy of what a pattern matches in its folder.</summary>
    public FolderSettings Expand(KeyPattern pattern) => this with { Pattern = pattern, Filter = pattern.AddTo(Filter, recursive: true, withFolders: true) };

    /// <summary>Rejects the options of a copy with -r, with advice.</summary>
    public static void RefuseForOne(OptionValues values, FolderOptions options)
    {
        Option[] all = [.. options.Selection.All, .. options.Keys.All, options.OnFailure, options.Links, options.NoHidden, options.EmptyFolders, options.SpecialNames];
        if (all.FirstOrDefault(values.IsOnLine) is { } option)
        {
            throw new UsageException($"{option.Name} is for many objects; use it with -r");
        }
    }

    private static bool ReadSpecialNames(OptionValues values, FolderOptions options)
    {
        bool isOn = values.IsOn(options.SpecialNames);
        return isOn && OperatingSystem.IsWindows() ? throw new UsageException($"Windows doesn't have such names; omit {options.SpecialNames.Name}") : isOn;
    }
}
