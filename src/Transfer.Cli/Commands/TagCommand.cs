using System.CommandLine;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer tag</c>: shows and changes the tags of an object.</summary>
internal sealed class TagCommand : StoreCommand
{
    private readonly ReadOptions _read = new();
    private readonly TransferOptions _transfer = new();
    private readonly Argument<string> _address = new("s3://BUCKET/KEY") { Description = "The object." };
    private readonly Option<string[]> _set = Declare.Texts(
        "--set", "KEY=VALUE", "Add a tag, or replace its value. Repeatable. An object can have 10 tags, with keys of up to 128 characters and values of up to 256.");

    private readonly Option<string[]> _remove = Declare.Texts("--remove", "KEY", "Remove a tag, if the object has it. Repeatable.");
    private readonly Option<bool> _clear = Declare.Flag("--clear", "Remove all tags. With --set, only the new tags remain.");

    public TagCommand(CommandRunner runner)
        : base(
            runner, "tag", group: "Manage", summary: "Show or change tags",
            description: "Show the tags of an object, or change them and show the result.")
    {
        Examples =
        [
            ("transfer tag s3://bucket/big.iso", "Show the tags of an object"),
            ("transfer tag --set team=video --remove draft s3://bucket/big.iso", "Change some tags and keep the others"),
            ("transfer tag --clear s3://bucket/big.iso", "Remove all tags"),
            ("transfer tag --dry-run --remove draft s3://bucket/big.iso", "Show the tags that the object would have"),
        ];
        Notes =
        [
            "S3 replaces all tags at once, so changes that another program makes at the same time can be lost.",
            "Exit codes: 0 success, 1 failure or no such object, 2 usage or configuration error, 130 interrupted.",
        ];
        Add(_address);
        this.AddGroup("Tags", _set, _remove, _clear, _transfer.DryRun);
        this.AddGroup("Object", _read.VersionId, _read.RequesterPays);
        AddStore(entries: true);
    }

    protected override Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location address = Location.ParseObject(line.GetRequiredValue(_address), Name);
        TagChanges changes = TagChanges.Parse(invocation.Values.Lines(_set), invocation.Values.Lines(_remove), invocation.Values.Flag(_clear));
        ReadSettings read = new(invocation.Values, _read);
        ObjectAccessOptions options = new() { VersionId = read.VersionId, RequesterPays = read.RequesterPays };
        bool isDryRun = invocation.Values.IsOn(_transfer.DryRun);
        return UseClientAsync(
            invocation, Name, [changes, options, isDryRun], client => ChangeAsync(client, address, changes, options, isDryRun, invocation, cancellationToken), cancellationToken);
    }

    private static async Task ChangeAsync(
        TransferClient client, Location address, TagChanges changes, ObjectAccessOptions options, bool isDryRun, Invocation invocation, CancellationToken cancellationToken)
    {
        // If all tags are replaced, the present ones don't matter. A dry run finds out whether the object exists.
        IEnumerable<KeyValuePair<string, string>> current = changes.Clear && !isDryRun
            ? []
            : await client.GetTagsAsync(address.Bucket, address.Key, options, cancellationToken).ConfigureAwait(false);
        SortedDictionary<string, string> tags = changes.ApplyTo(current);
        if (!changes.IsEmpty && !isDryRun)
        {
            await client.SetTagsAsync(address.Bucket, address.Key, tags, options, cancellationToken).ConfigureAwait(false);
        }

        invocation.Tally.Objects = 1;
        foreach ((string key, string value) in tags)
        {
            invocation.WriteLine(new ObjectTagJson(key, value), ToolJsonContext.Default.ObjectTagJson, static tag => Printable.Text($"{tag.Tag}={tag.Value}"));
        }

        if (isDryRun)
        {
            invocation.Console.Flush();
            invocation.Summary($"would {(tags.SequenceEqual(current.OrderBy(static tag => tag.Key, StringComparer.Ordinal)) ? "not change" : "change")} the tags of {address}");
        }
    }
}
