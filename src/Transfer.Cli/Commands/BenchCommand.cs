using System.CommandLine;
using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Operations;
using Transfer.S3.Cli.Bench;
using Transfer.S3.Cli.Bench.Workloads;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer bench</c>: finds the best settings for a store.</summary>
internal sealed class BenchCommand : ToolCommand
{
    private readonly BenchOptions _bench = new();
    private readonly TransferOptions _transfer = new();
    private readonly ConnectionOptions _connection = new();
    private readonly KeyOptions _keys = new();
    private readonly Argument<string?> _operation = new("OPERATION")
    {
        Arity = ArgumentArity.ZeroOrOne,
        Description = "get: download large objects in ranges. put: upload large objects in parts. small: upload and download small objects. "
            + "mixed: one upload for every three downloads of large objects. head: get the properties of objects. Omit it with --workload.",
    };

    private readonly Argument<string?> _address = new("S3") { Description = "s3://bucket or s3://bucket/prefix: the objects to use, or where to create some.", Arity = ArgumentArity.ZeroOrOne };

    public BenchCommand(CommandRunner runner)
        : base(
            runner, "bench", group: "Other", summary: "Benchmark a store",
            description: "Benchmark a store with each combination of settings, and recommend the best one.")
    {
        Examples =
        [
            ("transfer bench get s3://bucket/big/ --part-size 8MiB,64MiB --concurrency 1,4,16,64", "Test eight combinations with existing objects"),
            ("transfer bench get s3://bucket --generate 256MiBx8 --concurrency 4,16,auto", "Create objects for the test and delete them"),
            ("transfer bench put s3://bucket --part-size 8MiB,L --concurrency 4,16 --json > put.json", "Test uploads and save the result as JSON"),
            ("transfer bench put s3://bucket --part-size 8MiB,L --concurrency 4,16 --compare put.json", "Compare with the saved result"),
            ("transfer bench get s3://bucket/big/ --part-size M,L --concurrency 1,4,16,64 --html report.html", "Write a report with charts"),
            ("transfer bench head s3://bucket/big/ --concurrency 16 --rate 500/s --duration 30s", "Measure latency at a constant rate of requests"),
            ("transfer bench get s3://bucket/big/ --engine sdk --concurrency 4,16", "Test the AWS SDK's TransferUtility instead"),
            ("transfer bench --workload download-5GiB-1x.run.json s3://bucket --prepare", "Run a workload of aws-crt-s3-benchmarks"),
        ];
        Notes =
        [
            "Objects are transferred as an application does with the library: within the memory limit (--memory), and verified unless --checksum is none. "
                + "Throughput counts the content of objects. Latency is that of single requests.",
            "Objects that bench creates are under s3://bucket/prefix/transfer-bench-…/ and are deleted at the end, even if it is interrupted. A versioned bucket keeps their versions.",
            "A workload reads and writes files in the current directory, at the paths of its keys. It replaces these files and objects, doesn't delete them at the end, and ends with the first failure.",
            "Exit codes: 0 success, 1 failure, even of single objects, 2 usage or configuration error, 130 interrupted, with the results so far.",
        ];
        _operation.CompletionSources.Add([.. Enum.GetValues<OperationKind>().Select(kind => kind.Name)]);
        Add(_operation);
        Add(_address);
        _bench.AddTo(this);
        this.AddGroup("Benchmark", _transfer.Memory, _transfer.Checksum);
        _connection.AddTo(this);
        _keys.AddTo(this);
        Output.AddTo(this);
    }

    protected override Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        string? operation = line.GetValue(_operation);
        string? address = line.GetValue(_address);
        if (invocation.Values.Line(_bench.Workload) is { } file)
        {
            string[] arguments = [.. new[] { operation, address }.OfType<string>()];
            WorkloadSettings workload = WorkloadSettings.Resolve(file, arguments, invocation.Values, _bench, _transfer);
            string purpose = $"bench {_bench.Workload.Name}{(workload.Engine == EngineKind.Sdk ? $" with {_bench.Engine.Name} sdk" : string.Empty)}";
            return RunAsync(
                purpose,
                workload,
                invocation,
                connection => new WorkloadBench(workload, connection, new ThisProcess(), Environment.CurrentDirectory, invocation).RunAsync(cancellationToken),
                cancellationToken);
        }

        if (operation is null)
        {
            throw new UsageException($"an argument is missing; bench needs {_operation.Name} or {_bench.Workload.Name}");
        }

        BenchSettings settings = BenchSettings.Resolve(operation, address, invocation.Values, _bench, _transfer);
        if (settings.Csv && invocation.Output.Json)
        {
            throw new UsageException($"{_bench.Csv.Name} and {Output.Json.Name} both go to standard output; specify only one of them");
        }

        return RunAsync(
            $"bench {operation}", settings, invocation, connection => new BenchRunner(settings, connection, new ThisProcess(), invocation).RunAsync(cancellationToken), cancellationToken);
    }

    private async Task RunAsync(string purpose, object settings, Invocation invocation, Func<Connection, Task> runAsync, CancellationToken cancellationToken)
    {
        AccessKeys? keys = AccessKeys.Find(invocation.Values, _keys);
        ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find, keys);
        invocation.EndPlanning(purpose, settings, store, keys);
        invocation.Use(store);
        if (keys is not null)
        {
            invocation.Console.Message($"warning: every user of this machine can see {_keys.SecretAccessKey.Name} in the process list; set AWS_SECRET_ACCESS_KEY instead");
        }

        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        await runAsync(connection).ConfigureAwait(false);
    }
}
