using System.CommandLine;

namespace Transfer.S3.Cli.Options;

/// <summary>The options of the commands that list objects.</summary>
/// <param name="verb">What the command does with what is selected.</param>
/// <param name="hasRecursive">Whether the command lists one level without -r.</param>
internal sealed class ListOptions(string verb, bool hasRecursive)
{
    /// <summary>What wildcards mean, for the help.</summary>
    public const string Wildcards = "* and ? in the key match within a name, unless a key has that name.";

    public Option<bool> AnyPrefix { get; } = Declare.Flag(
        "--any-prefix",
        SelectionOptions.Start(!hasRecursive, $"{verb} every object whose key begins with the prefix: s3://b/logs also selects logs-2025/a. Default: only what is in the folder logs/."));

    public Option<bool> Bytes { get; } = Declare.Flag("--bytes", "Show sizes as exact numbers of bytes, without units.");

    public SelectionOptions Selection { get; } = new(verb, isAlwaysMany: true);

    public ReadOptions Read { get; } = new();

    public IReadOnlyList<Option> All => [AnyPrefix, Bytes, .. Selection.All, Read.AsOf, Read.RequesterPays];
}
