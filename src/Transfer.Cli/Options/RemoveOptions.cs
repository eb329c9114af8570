using System.CommandLine;
using Transfer.S3.Cli.Commands;

namespace Transfer.S3.Cli.Options;

/// <summary>The options of <c>transfer rm</c>.</summary>
internal sealed class RemoveOptions
{
    public Option<bool> Recursive { get; } = Declare.Flag("--recursive", "Delete all objects under a prefix, which is the name of a folder, with or without a trailing /.", alias: "-r");

    public Option<bool> AnyPrefix { get; } = Declare.Flag(
        "--any-prefix", "With -r, delete every object whose key begins with the prefix: s3://b/logs also selects logs-2025/a. Default: only what is in the folder logs/.");

    public Option<bool> WholeBucket { get; } = Declare.Flag("--whole-bucket", "With -r and s3://BUCKET, delete all objects of the bucket. Without it, a bucket without a prefix is refused, and so is a key that is only wildcards.");

    public SelectionOptions Selection { get; } = new("delete");

    public KeyListOptions Keys { get; } = new("delete");

    public Option<string?> MaxDelete { get; } = Declare.Text(
        "--max-delete", "N|P%", "With -r, delete nothing if more than N objects, or more than P percent of the objects under the prefix, would be deleted, and end with exit code 6. "
            + "The objects are counted first, so they are listed twice. Default: no limit.");

    public Option<bool> IfUnchanged { get; } = Declare.Flag(
        "--if-unchanged", "With -r, keep an object that is replaced after it was listed. It is then a failure. Always so for a list of keys that has ETags.");

    public Option<bool> EvenIfChanged { get; } = Declare.RareFlag(
        "--even-if-changed", "With a list of keys that has ETags (csv with a column ETag, or a report), delete each object whatever its ETag is now, also if the list has none for it.");

    public Option<bool> Versions { get; } = Declare.RareFlag(
        "--versions", "With -r, delete all versions and delete markers of the objects for good. Each of them counts as an object. "
            + "Default: in a bucket with versions, hide each object behind a delete marker.");

    public Option<bool> Yes { get; } = Declare.Flag("--yes", "With -r or wildcards, don't ask. It is needed where there is no terminal.", alias: "-y");

    public void AddTo(Command command) => command.AddGroup("Deletion", [Recursive, AnyPrefix, WholeBucket, .. Selection.All, .. Keys.All, MaxDelete, IfUnchanged, EvenIfChanged, Versions, Yes]);
}
