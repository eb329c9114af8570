using System.CommandLine;
using Transfer.S3.Bench.Demo;
using Transfer.S3.Cli.Demo;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer demo</c>: compares this library with the TransferUtility of the AWS SDK, at the embedded server.</summary>
internal sealed class DemoCommand : ToolCommand
{
    private const long MinBytes = 1L << 20;
    private const long MaxBytes = 1L << 40;
    private readonly TransferOptions _transfer = new();
    private readonly Option<string?> _size = Declare.Text("--size", "SIZE", "Size of the object, 1 MiB to 1 TiB. Default: 1GiB, or less on a machine with little memory.");

    public DemoCommand(CommandRunner runner)
        : base(
            runner, "demo", group: "Other", summary: "Compare with the AWS SDK",
            description: "Download and upload the same object with the AWS SDK's TransferUtility and with this library, one after the other, and compare throughput, CPU time, and peak memory. Takes about 20 seconds. Nothing is kept.")
    {
        Examples =
        [
            ("transfer demo", "Compare with 1 GiB"),
            ("transfer demo --size 4GiB --memory 32MiB", "Transfer more data with less memory"),
            ("transfer demo --json", "Write the figures as JSON lines"),
        ];
        Notes =
        [
            "Each measurement is a process of its own, which warms up first. --concurrency and --part-size apply to both libraries, --memory only to this one.",
            "Verified: yes if the whole content was compared with the checksum of the store, parts if each part was, and no if nothing was.",
            "The server runs on the same processors, which lowers all rates. It stores no content, and the object has only zeros, so neither disk nor server memory limits anything.",
        ];
        this.AddGroup("Transfer", _size, _transfer.Concurrency, _transfer.PartSize, _transfer.Memory);
        Output.AddTo(this, telemetry: false);
    }

    protected override async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        ClientLimits limits = new TransferSettings(invocation.Values, _transfer, uploads: true).Limits;
        if (invocation.Values.Size(_size, MinBytes, MaxBytes) is not { } size)
        {
            long available = DemoSize.AvailableBytes();
            size = DemoSize.For(available);
            if (size < DemoSize.DefaultBytes)
            {
                invocation.Summary($"this machine has {ByteSize.Format(available)} of free memory, so {ByteSize.Format(size)} are transferred instead of {ByteSize.Format(DemoSize.DefaultBytes)}");
            }
        }

        invocation.EndPlanning("demo", limits, size);
        DirectoryInfo folder = Directory.CreateTempSubdirectory("transfer-demo-");
        IReadOnlyList<DemoMeasurement> measurements;
        try
        {
            DemoRunner runner = new(
                new DemoPlan(size, folder.FullName, limits.Concurrency, limits.PartSizeBytes, limits.MemoryBytes),
                s3 => new TransferClient(s3, new ClientLimits(MemoryBytes: limits.MemoryBytes).ToClientOptions()),
                ContenderProcess.RunAsync,
                (name, runAsync) => ShowAsync(name, runAsync, invocation),
                invocation.Time);
            measurements = await runner.RunAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            folder.Delete(recursive: true);
        }

        Tally tally = invocation.Tally;
        tally.Bytes = measurements.Sum(one => one.Bytes);
        tally.Objects = measurements.Count;
        tally.Elapsed = TimeSpan.FromSeconds(measurements.Sum(one => one.Result.Seconds));
        DemoReport.Write(measurements, invocation);
    }

    private static async Task ShowAsync(string name, Func<IProgress<TransferProgress>, Task> runAsync, Invocation invocation)
    {
        using IProgressView view = ProgressViews.Create(invocation.Output, invocation.Console, name, invocation.Time);
        await runAsync(view).ConfigureAwait(false);
    }
}
