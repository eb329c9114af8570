using System.CommandLine;
using Transfer.Cli.Connections;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary><c>transfer verify</c>: whether a file and an object are the same.</summary>
internal sealed class VerifyCommand
{
    private readonly CommandRunner _runner;
    private readonly ConnectionOptions _connection = new();
    private readonly TransferOptions _transfer = new();
    private readonly ReadOptions _read = new();
    private readonly OutputOptions _output = new();
    private readonly Option<bool> _noRead = new("--no-read")
    {
        Description = "Never read the object: fail where neither its size nor a checksum nor its entity tag can tell.",
    };

    private readonly Argument<string> _source = new("SRC") { Description = "A file, or s3://bucket/key." };
    private readonly Argument<string> _target = new("DST") { Description = "The other of the two. A folder, or what ends in /, takes the source's name." };

    private VerifyCommand(CommandRunner runner) => _runner = runner;

    public static Command Create(CommandRunner runner)
    {
        VerifyCommand command = new(runner);
        ToolCommand symbol = new("verify", "Compares a file with an object: by size and by what the store holds as checksum or entity tag, and by reading the object only where those can't tell.")
        {
            Examples =
            [
                ("transfer verify big.iso s3://bucket/iso/big.iso", "whether both are the same"),
                ("transfer verify s3://bucket/iso/big.iso .", "with ./big.iso"),
                ("transfer verify --no-read big.iso s3://bucket/iso/", "with s3://bucket/iso/big.iso, and without its bytes"),
            ],
            Notes = ["Exit codes: 0 the same, 1 failed or not compared, 2 usage or configuration, 3 they differ, 130 interrupted."],
        };
        symbol.Add(command._source);
        symbol.Add(command._target);
        symbol.Add(command._noRead);
        command._transfer.AddTo(symbol, hidden: true);
        command._transfer.Concurrency.Hidden = command._transfer.PartSize.Hidden = command._transfer.Memory.Hidden = false;
        command._read.AddAccessTo(symbol);
        command._connection.AddTo(symbol);
        command._output.AddTo(symbol, hideProgress: true);
        symbol.SetAction((line, cancellationToken) => command._runner.RunAsync(
            line, command._output, (invocation, token) => command.RunAsync(line, invocation, token), cancellationToken));
        return symbol;
    }

    private async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        VerifyPlan plan = VerifyPlan.Resolve(line.GetRequiredValue(_source), line.GetRequiredValue(_target), Directory.Exists);
        TransferSettings settings = TransferSettings.Resolve(invocation.Values, _transfer, uploads: false);
        ReadSettings read = ReadSettings.Resolve(invocation.Values, _read, reads: true);
        ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find);
        invocation.StoreName = store.StoreName;
        if (!File.Exists(plan.Path))
        {
            throw new FileNotFoundException($"'{plan.Path}': no such file", plan.Path);
        }

        VerifyOptions options = new()
        {
            VersionId = read.VersionId,
            RequesterPays = read.RequesterPays,
            CustomerKey = read.CustomerKey,
            ReadContent = !invocation.Values.IsOn(_noRead),
        };
        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        await new VerifyRunner(plan, options, settings.ToClientOptions(), connection, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
    }
}
