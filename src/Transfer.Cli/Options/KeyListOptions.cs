using System.CommandLine;

namespace Transfer.S3.Cli.Options;

/// <summary>The options of a list of keys, which replaces the listing of a prefix.</summary>
/// <param name="verb">What the command does with the objects.</param>
/// <param name="isForRecursive">Whether the command is about many objects only with -r.</param>
internal sealed class KeyListOptions(string verb, bool isForRecursive = true)
{
    public Option<string?> From { get; } = Declare.RareText(
        "--keys-from", "FILE|-",
        $"{(isForRecursive ? $"With -r, {verb}" : string.Concat(verb[..1].ToUpperInvariant(), verb[1..]))} the objects whose keys are in a file or in standard input, without a listing. Whole keys under the prefix, in any order, one on each line.");

    public Option<string?> Format { get; } = Declare.RareText(
        "--keys-format", "lines|nul|csv[:COLUMNS]|report[-source|-target][:STATUSES]", "With --keys-from, the format of the list. Default: lines. nul ends each key with a NUL byte. csv has rows of a bucket and a URL-encoded key, "
            + "as manifests of S3 Batch Operations. For rows of S3 Inventory, give the fileSchema of its manifest.json: csv:Bucket,Key,Size. "
            + "report is a file that --report has written, of which the lines with the status done are used, or those with other statuses: report:failed,conflict. "
            + "report-source and report-target use that side of each line, which is necessary if both are under the prefix.");

    public IReadOnlyList<Option> All => [From, Format];
}
