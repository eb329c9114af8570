using System.CommandLine;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary><c>transfer demo</c>: shows what the library does, with the embedded server in this process.</summary>
internal sealed class DemoCommand
{
    private const long DefaultBytes = 256L << 20;
    private const long MaxBytes = 1L << 40;
    private readonly CommandRunner _runner;
    private readonly TransferOptions _transfer = new();
    private readonly OutputOptions _output = new();
    private readonly Option<string?> _size = new("--size") { HelpName = "SIZE", Description = "Size of the generated data. Default: 256MiB." };

    private DemoCommand(CommandRunner runner) => _runner = runner;

    public static Command Create(CommandRunner runner)
    {
        DemoCommand command = new(runner);
        ToolCommand symbol = new("demo", "Upload generated data to a server in this process, read it as a stream, download it, and compare every byte. Nothing is kept.")
        {
            Group = "Measure and test",
            Summary = "Upload, download, and compare generated data on this machine",
            Examples = [("transfer demo", "Transfer 256 MiB"), ("transfer demo --size 2GiB --memory 32MiB", "Transfer more data than memory")],
            Notes = ["The server runs in the same process, on the same processors. Rates and process memory include it."],
        };
        symbol.AddGroup("Transfer", command._size, command._transfer.Concurrency, command._transfer.PartSize, command._transfer.Memory, command._transfer.Checksum);
        command._output.AddTo(symbol, telemetry: false);
        symbol.SetAction((line, cancellationToken) => command._runner.RunAsync(line, command._output, command.RunAsync, cancellationToken));
        return symbol;
    }

    private async Task RunAsync(Invocation invocation, CancellationToken cancellationToken)
    {
        long size = invocation.Values.Size(_size, 0, MaxBytes) ?? DefaultBytes;
        TransferSettings settings = TransferSettings.Resolve(invocation.Values, _transfer, uploads: true);
        DirectoryInfo folder = Directory.CreateTempSubdirectory("transfer-demo-");
        IReadOnlyList<DemoStep> steps;
        try
        {
            steps = await new DemoRunner(settings, size, folder.FullName, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            folder.Delete(recursive: true);
        }

        DemoReport.Write(steps, invocation);
    }
}
