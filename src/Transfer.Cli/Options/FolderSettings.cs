using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>Which objects of many are copied, and what a failure means: resolved and checked.</summary>
internal sealed record FolderSettings
{
    public IReadOnlyList<string> Include { get; private init; } = [];

    public IReadOnlyList<string> Exclude { get; private init; } = [];

    public FailurePolicy OnFailure { get; private init; }

    /// <summary>Whether every object is to be tried, also where the first ones have all failed with the same error.</summary>
    public bool TriesAll { get; private init; }

    public SymbolicLinks Links { get; private init; }

    public bool IncludeHidden { get; private init; } = true;

    public bool EmptyFolders { get; private init; }

    /// <param name="values">The line and the environment.</param>
    /// <param name="options">The options.</param>
    /// <param name="uploads">Whether a folder of this machine is the source.</param>
    public static FolderSettings Resolve(OptionValues values, FolderOptions options, bool uploads)
    {
        foreach (Option option in (Option[])[options.Links, options.EmptyFolders])
        {
            if (!uploads && values.IsOnLine(option))
            {
                throw new UsageException($"{option.Name} is for a folder of this machine that is uploaded");
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

    /// <summary>Refuses what is for many objects on a line for one.</summary>
    public static void RefuseForOne(OptionValues values, FolderOptions options)
        => Refuse(values, [options.Include, options.Exclude, options.OnFailure, options.Links, options.NoHidden, options.EmptyFolders], "is for many objects; it goes with -r");

    /// <summary>Refuses what is for one object on a line for many.</summary>
    public static void RefuseForMany(OptionValues values, params ReadOnlySpan<Option> options) => Refuse(values, options, "is for one object; it does not go with -r");

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
            ? throw OptionValues.Wrong(new GivenValue(option.Name, empty), "a pattern such as *.jpg, 2026/*.jpg or raw/")
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
