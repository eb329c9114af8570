using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>The validated options of a copy of many objects.</summary>
internal sealed record FolderSettings
{
    public IReadOnlyList<string> Include { get; private init; } = [];

    public IReadOnlyList<string> Exclude { get; private init; } = [];

    public FailurePolicy OnFailure { get; private init; }

    /// <summary>Gets a value that indicates whether to try every object even if the first ones all fail with the same error.</summary>
    public bool TriesAll { get; private init; }

    public SymbolicLinks Links { get; private init; }

    public bool IncludeHidden { get; private init; } = true;

    public bool EmptyFolders { get; private init; }

    /// <param name="values">The command line and the environment.</param>
    /// <param name="options">The options.</param>
    /// <param name="uploads">Whether the source is a local folder.</param>
    public static FolderSettings Resolve(OptionValues values, FolderOptions options, bool uploads)
    {
        foreach (Option option in (Option[])[options.Links, options.EmptyFolders])
        {
            if (!uploads && values.IsOnLine(option))
            {
                throw new UsageException($"{option.Name} is for a local folder that is uploaded");
            }
        }

        FailurePolicy? onFailure = values.Read<FailurePolicy>(options.OnFailure, TryParsePolicy, "abort or continue");
        return new FolderSettings
        {
            Include = Patterns(values, options.Include),
            Exclude = Patterns(values, options.Exclude),
            OnFailure = onFailure ?? FailurePolicy.Continue,
            TriesAll = onFailure == FailurePolicy.Continue,
            Links = values.Read<SymbolicLinks>(options.Links, TryParseLinks, "follow or skip") ?? SymbolicLinks.Follow,
            IncludeHidden = !values.IsOn(options.NoHidden),
            EmptyFolders = values.IsOn(options.EmptyFolders),
        };
    }

    /// <summary>Rejects the options of a copy with -r.</summary>
    public static void RefuseForOne(OptionValues values, FolderOptions options)
        => Refuse(values, [options.Include, options.Exclude, options.OnFailure, options.Links, options.NoHidden, options.EmptyFolders], "is for many objects; use it with -r");

    /// <summary>Rejects the options that don't apply to several sources without -r.</summary>
    /// <param name="values">The values of the options.</param>
    /// <param name="options">The options of a copy with -r.</param>
    /// <param name="forOne">The options of a copy of one object.</param>
    public static void RefuseForSeveral(OptionValues values, FolderOptions options, params ReadOnlySpan<Option> forOne)
    {
        Refuse(values, [options.Include, options.Exclude, options.Links, options.NoHidden, options.EmptyFolders], "is for -r; it can't be used with several sources");
        Refuse(values, forOne, "is for one object; it can't be used with several sources");
    }

    /// <summary>Rejects options of a copy of one object.</summary>
    public static void RefuseForMany(OptionValues values, params ReadOnlySpan<Option> options) => Refuse(values, options, "is for one object; it can't be used with -r");

    private static void Refuse(OptionValues values, ReadOnlySpan<Option> options, string why)
    {
        foreach (Option option in options)
        {
            if (values.IsOnLine(option))
            {
                throw new UsageException($"{option.Name} {why}");
            }
        }
    }

    private static IReadOnlyList<string> Patterns(OptionValues values, Option<string[]> option)
    {
        IReadOnlyList<string> patterns = values.Lines(option);
        return patterns.FirstOrDefault(string.IsNullOrWhiteSpace) is { } empty
            ? throw OptionValues.Wrong(new GivenValue(option.Name, empty), "a pattern such as *.jpg, 2026/*.jpg, or raw/")
            : patterns;
    }

    private static bool TryParsePolicy(string text, out FailurePolicy policy)
    {
        (bool known, policy) = text switch
        {
            "abort" => (true, FailurePolicy.Abort),
            "continue" => (true, FailurePolicy.Continue),
            _ => (false, FailurePolicy.Continue),
        };
        return known;
    }

    private static bool TryParseLinks(string text, out SymbolicLinks links)
    {
        (bool known, links) = text switch
        {
            "follow" => (true, SymbolicLinks.Follow),
            "skip" => (true, SymbolicLinks.Skip),
            _ => (false, SymbolicLinks.Follow),
        };
        return known;
    }
}
