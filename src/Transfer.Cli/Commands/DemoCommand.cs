using System.CommandLine;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary><c>transfer demo</c>: the whole library in one go, against the embedded server in this process.</summary>
internal sealed class DemoCommand
{
    private const long DefaultBytes = 256L << 20;
    private const long MaxBytes = 1L << 40;
    private readonly CommandRunner _runner;
    private readonly TransferOptions _transfer = new();
    private readonly OutputOptions _output = new();
    private readonly Option<string?> _size = new("--size") { HelpName = "SIZE", Description = "Bytes to generate and move. Default: 256MiB." };

    private DemoCommand(CommandRunner runner) => _runner = runner;

    public static Command Create(CommandRunner runner)
    {
        DemoCommand command = new(runner);
        ToolCommand symbol = new("demo", "Uploads generated data to a server in this process, reads it in order, downloads it, and compares every byte. Nothing is kept.")
        {
            Examples = [("transfer demo", "256 MiB"), ("transfer demo --size 2GiB --memory 32MiB", "more data than memory")],
            Notes = ["The server works in the same process, on the same processors: the rates are of the two together, and so is the memory of the process."],
        };
        symbol.Add(command._size);
        foreach (Option option in (Option[])[command._transfer.Concurrency, command._transfer.PartSize, command._transfer.Memory, command._transfer.Checksum])
        {
            symbol.Add(option);
        }

        command._output.AddTo(symbol);
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
