using System.CommandLine;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer stat</c>: shows the properties of an object.</summary>
internal sealed class StatCommand : ToolCommand
{
    private readonly ConnectionOptions _connection = new();
    private readonly ReadOptions _read = new();
    private readonly Argument<string> _address = new("s3://BUCKET/KEY") { Description = "The object." };
    private readonly Option<bool> _parts = Declare.Flag(
        "--parts", "Also list the parts in which the object was uploaded, with their checksums. Takes at least one more request. Amazon S3 lists parts only if the object has a checksum.");

    public StatCommand(CommandRunner runner)
        : base(
            runner, "stat", group: "List and inspect", summary: "Show object properties",
            description: "Show the properties of an object with a single HEAD request: size, times, ETag, checksum, headers, and metadata. With --json, write them as one line, one line for each part, and the result on the last line.")
    {
        Examples =
        [
            ("transfer stat s3://bucket/big.iso", "Show the properties of an object"),
            ("transfer stat --parts s3://bucket/big.iso", "Also list the parts it was uploaded in"),
            ("transfer stat --json s3://bucket/big.iso", "Write the properties as JSON"),
        ];
        Notes = ["Exit codes: 0 success, 1 failure or no such object, 2 usage or configuration error, 130 interrupted."];
        Add(_address);
        this.AddGroup("Object", _read.VersionId, _read.RequesterPays, _read.CustomerKeyFile, _parts);
        _connection.AddTo(this);
        Output.AddTo(this, hideProgress: true);
    }

    protected override async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location address = Location.ParseObject(line.GetRequiredValue(_address), "stat");
        ReadSettings read = new(invocation.Values, _read);
        ObjectAccessOptions options = new() { VersionId = read.VersionId, RequesterPays = read.RequesterPays, CustomerKey = read.CustomerKey };
        bool parts = invocation.Values.Flag(_parts);
        ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find);
        invocation.EndPlanning("stat", options, parts, store);
        invocation.Use(store);
        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        try
        {
            TransferClient client = connection.CreateClient(invocation);
            await using (client.ConfigureAwait(false))
            {
                await new StatRunner(address, options, client, invocation).RunAsync(parts, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (TransferException e) when (KeyAdvice.IsMissing(e))
        {
            throw await new KeyAdvice(connection, invocation).ExplainAsync(
                address, prefix => $"'transfer ls {prefix}' lists them", options.RequesterPays, e, cancellationToken).ConfigureAwait(false);
        }
    }
}
