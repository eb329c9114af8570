using System.CommandLine;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer cat</c>: writes objects to standard output.</summary>
internal sealed class CatCommand
{
    private readonly CommandRunner _runner;
    private readonly ConnectionOptions _connection = new();
    private readonly TransferOptions _transfer = new();
    private readonly ReadOptions _read = new();
    private readonly OutputOptions _output = new();
    private readonly Argument<string[]> _addresses = new("s3://BUCKET/KEY...")
    {
        Arity = ArgumentArity.OneOrMore,
        Description = "The objects, which are written one after the other.",
    };

    private CatCommand(CommandRunner runner) => _runner = runner;

    public static Command Create(CommandRunner runner)
    {
        CatCommand command = new(runner);
        ToolCommand symbol = new(
            "cat",
            "Write objects to standard output, in the given order. Each object is downloaded with parallel requests and verified. The command stops at the first object that fails.")
        {
            Group = "Copy and compare",
            Summary = "Write objects to stdout",
            Examples =
            [
                ("transfer cat s3://bucket/report.csv", "Show an object"),
                ("transfer cat s3://bucket/part1 s3://bucket/part2 > whole", "Join two objects"),
                ("transfer cat --range -100 s3://bucket/server.log", "Write the last 100 bytes of an object"),
            ],
            Notes =
            [
                "The content is verified while it is written, so a mismatch is reported after the reader has got the content.",
                "Exit codes: 0 success, 1 failure, 2 usage or configuration error, 3 content mismatch, 130 interrupted.",
            ],
        };
        symbol.Add(command._addresses);
        symbol.AddGroup("Object", command._read.VersionId, command._read.Range, command._read.RequesterPays, command._read.CustomerKeyFile);
        symbol.AddGroup("Transfer", command._transfer.Checksum);
        command._transfer.AddReadingTo(symbol);
        command._connection.AddTo(symbol);
        command._output.AddTo(symbol, hideProgress: true);
        symbol.SetAction((line, cancellationToken) => command._runner.RunAsync(
            line, command._output, (invocation, token) => command.RunAsync(line, invocation, token), cancellationToken));
        return symbol;
    }

    private async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location[] objects = [.. line.GetRequiredValue(_addresses).Select(text => Location.ParseObject(text, "cat"))];
        TransferSettings transfer = new(invocation.Values, _transfer, uploads: false);
        ReadSettings read = new(invocation.Values, _read);
        bool isOne = objects.Length == 1;
        ClientLimits limits = transfer.Limits;
        DownloadOptions options = new()
        {
            Verify = transfer.Verifies,
            VersionId = isOne ? read.VersionId : null,
            Range = isOne ? read.Range : null,
            RequesterPays = read.RequesterPays,
            CustomerKey = read.CustomerKey,
        };
        ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find);
        invocation.EndPlanning(isOne ? "one object" : "several objects", limits, options, store);
        invocation.Use(store);
        invocation.IsOutputTaken = true;
        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        await new CatRunner(limits, options, connection, invocation).RunAsync(objects, cancellationToken).ConfigureAwait(false);
    }
}
