using System.CommandLine;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer tag</c>: shows and changes the tags of an object.</summary>
internal sealed class TagCommand : ToolCommand
{
    private readonly ConnectionOptions _connection = new();
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
            description: "Show the tags of an object, or change them and show the result. With --json, write one line for each tag, and the result on the last line.")
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
        _connection.AddTo(this);
        Output.AddTo(this, hideProgress: true);
    }

    protected override async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location address = Location.ParseObject(line.GetRequiredValue(_address), "tag");
        TagChanges changes = TagChanges.Parse(invocation.Values.Lines(_set), invocation.Values.Lines(_remove), invocation.Values.Flag(_clear));
        ReadSettings read = new(invocation.Values, _read);
        (string? versionId, bool requesterPays) = (read.VersionId, read.RequesterPays);
        bool isDryRun = invocation.Values.IsOn(_transfer.DryRun);
        ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find);
        invocation.EndPlanning("tag", changes, versionId, requesterPays, isDryRun, store);
        invocation.Use(store);
        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        TransferClient client = connection.CreateClient(invocation);
        await using (client.ConfigureAwait(false))
        {
            await new TagRunner(address, versionId, requesterPays, isDryRun, client, invocation).RunAsync(changes, cancellationToken).ConfigureAwait(false);
        }
    }
}
