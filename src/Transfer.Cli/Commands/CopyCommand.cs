using System.CommandLine;
using Transfer.Cli.Connections;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary><c>transfer cp</c>: one object, to or from a store.</summary>
internal sealed class CopyCommand
{
    private readonly CommandRunner _runner;
    private readonly ConnectionOptions _connection = new();
    private readonly TransferOptions _transfer = new();
    private readonly ReadOptions _read = new();
    private readonly WriteOptions _write = new();
    private readonly OutputOptions _output = new();
    private readonly Option<bool> _through = new("--through")
    {
        Description = "Copy from store to store through this machine. Default: inside the store, unless an option needs the bytes here.",
    };

    private readonly Argument<string> _source = new("SRC") { Description = "A file, s3://bucket/key, or - for standard input." };
    private readonly Argument<string> _target = new("DST")
    {
        Description = "A file or a folder, s3://bucket/key, or - for standard output. What ends in / takes the source's name.",
    };

    private CopyCommand(CommandRunner runner) => _runner = runner;

    public static Command Create(CommandRunner runner)
    {
        CopyCommand command = new(runner);
        ToolCommand symbol = new("cp", "Copies one object: a file to a store, an object to a file, or one object to another inside the store.")
        {
            Examples =
            [
                ("transfer cp big.iso s3://bucket/iso/", "to s3://bucket/iso/big.iso"),
                ("transfer cp s3://bucket/iso/big.iso .", "to ./big.iso"),
                ("tar c dir | transfer cp - s3://bucket/dir.tar", "from a pipe, in parallel all the same"),
                ("transfer cp s3://bucket/dir.tar - | tar x", "to a pipe"),
                ("transfer cp s3://bucket/a s3://other/b", "inside the store: no byte comes here"),
                ("transfer cp --range 0-99 s3://bucket/dir.tar -", "the first 100 bytes of an object"),
                ("transfer cp --endpoint-url http://127.0.0.1:9000 a s3://bucket/a", "another store than Amazon S3"),
            ],
            Notes = ["Exit codes: 0 done, 1 failed, 2 usage or configuration, 3 content does not match, 130 interrupted."],
        };
        symbol.Add(command._source);
        symbol.Add(command._target);
        command._transfer.AddTo(symbol);
        command._read.AddTo(symbol);
        command._write.AddTo(symbol);
        symbol.Add(command._through);
        command._connection.AddTo(symbol);
        command._output.AddTo(symbol);
        symbol.SetAction((line, cancellationToken) => command._runner.RunAsync(
            line, command._output, (invocation, token) => command.RunAsync(line, invocation, token), cancellationToken));
        return symbol;
    }

    private async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        CopyPlan plan = CopyPlan.Resolve(line.GetRequiredValue(_source), line.GetRequiredValue(_target), Directory.Exists);
        invocation.IsOutputTaken = plan.Target.Kind == LocationKind.Standard;
        TransferSettings settings = TransferSettings.Resolve(invocation.Values, _transfer, plan.Uploads);
        ReadSettings read = ReadSettings.Resolve(invocation.Values, _read, plan.Source.Kind == LocationKind.S3);
        WriteSettings write = WriteSettings.Resolve(invocation.Values, _write, plan.Target.Kind == LocationKind.S3);
        ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find);
        invocation.StoreName = store.StoreName;
        if (plan.Source.Kind == LocationKind.Local)
        {
            CheckSource(plan.Source.Text);
        }

        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        await new CopyRunner(plan, settings, read, write, invocation.Values.IsOn(_through), connection, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
    }

    private static void CheckSource(string path)
    {
        if (Directory.Exists(path))
        {
            throw new UsageException($"'{path}' is a folder; cp copies one object");
        }

        if (!File.Exists(path))
        {
            throw new FileNotFoundException($"'{path}': no such file", path);
        }
    }
}
