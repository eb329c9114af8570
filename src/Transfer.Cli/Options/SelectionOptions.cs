using System.CommandLine;

namespace Transfer.S3.Cli.Options;

/// <summary>The options that select files and objects.</summary>
/// <param name="verb">What the command does with what is selected.</param>
/// <param name="isAlwaysMany">Whether the command is always about many objects, so that it has no -r.</param>
internal sealed class SelectionOptions(string verb, bool isAlwaysMany = false)
{
    public Option<string[]> Include { get; } = Declare.Texts(
        "--include", "GLOB",
        Start(isAlwaysMany, $"{verb} only paths that match. Repeatable. *.jpg and raw match at any depth, 2026/*.jpg in that folder, ** any folders. A folder that matches is selected with everything in it: raw/, raw/*. Default: all paths."));

    public Option<string[]> Exclude { get; } = Declare.Texts(
        "--exclude", "GLOB",
        Start(isAlwaysMany, "leave out paths that match, and folders that match with everything in them. Repeatable. If --include follows, the last one that matches a path decides, as with the AWS CLI: --exclude '*' --include '*.jpg'."));

    public Option<string[]> FilterFrom { get; } = Declare.RareTexts(
        "--filter-from", "FILE",
        Start(isAlwaysMany, "read --include and --exclude from a file, in its place between the others: '+ GLOB' or '- GLOB' on each line. Lines that begin with # are comments."));

    public Option<string?> MinSize { get; } = Declare.RareText("--min-size", "SIZE", Start(isAlwaysMany, "only files and objects of at least this size."));

    public Option<string?> MaxSize { get; } = Declare.RareText("--max-size", "SIZE", Start(isAlwaysMany, "only files and objects of at most this size."));

    public Option<string?> NewerThan { get; } = Declare.RareText(
        "--newer-than", "TIME",
        Start(isAlwaysMany, "only what was modified at or after a time: 12h or 7d ago, or a date such as 2026-01-31 or 2026-01-31T12:00Z. A date without a zone is in local time."));

    public Option<string?> OlderThan { get; } = Declare.RareText("--older-than", "TIME", Start(isAlwaysMany, "only what was modified before a time. For its form, see --newer-than."));

    public Option<string[]> InStorageClass { get; } = Declare.RareTexts("--in-storage-class", "NAME", Start(isAlwaysMany, "only objects in this storage class. Repeatable."));

    public IReadOnlyList<Option> All => [Include, Exclude, FilterFrom, MinSize, MaxSize, NewerThan, OlderThan, InStorageClass];

    /// <summary>Begins the description of an option of many objects.</summary>
    public static string Start(bool isAlwaysMany, string text) => isAlwaysMany ? char.ToUpperInvariant(text[0]) + text[1..] : "With -r, " + text;
}
