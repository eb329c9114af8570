using System.CommandLine;
using Transfer.Cli.Bench;
using Transfer.Cli.Bench.Measuring;
using Transfer.Cli.Connections;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary><c>transfer bench</c>: which settings a store wants.</summary>
internal sealed class BenchCommand
{
    private readonly CommandRunner _runner;
    private readonly BenchOptions _bench = new();
    private readonly TransferOptions _transfer = new();
    private readonly ConnectionOptions _connection = new();
    private readonly KeyOptions _keys = new();
    private readonly OutputOptions _output = new();
    private readonly Argument<string> _operation = new("OPERATION")
    {
        Description = "head: objects' headers. get: large objects by ranges. put: large objects in parts. small: small objects, each written and then read. "
            + "mixed: large objects, of every four one written and the others read.",
    };

    private readonly Argument<string?> _address = new("S3") { Description = "s3://bucket or s3://bucket/prefix: the objects, or where some are made.", Arity = ArgumentArity.ZeroOrOne };

    private BenchCommand(CommandRunner runner) => _runner = runner;

    public static Command Create(CommandRunner runner)
    {
        BenchCommand command = new(runner);
        ToolCommand symbol = new("bench", "Measures a store with each of the settings that are given, says what each brings and costs, and which one to use.")
        {
            Examples =
            [
                ("transfer bench get s3://bucket/big/ --part-size 8MiB,64MiB --concurrency 1,4,16,64", "eight settings, on objects that are there"),
                ("transfer bench get s3://bucket --generate 256MiBx8 --concurrency 4,16,auto", "on objects that it makes and removes"),
                ("transfer bench put s3://bucket --part-size 8MiB,L --concurrency 4,16 --json > put.json", "uploads; the result for programs"),
                ("transfer bench put s3://bucket --part-size 8MiB,L --concurrency 4,16 --compare put.json", "better, worse or noise since then"),
                ("transfer bench get s3://bucket/big/ --part-size M,L --concurrency 1,4,16,64 --html report.html", "also as a page with charts"),
                ("transfer bench head s3://bucket/big/ --concurrency 16 --rate 500/s --duration 30s", "latency under a load that does not wait"),
                ("transfer bench get s3://bucket/big/ --engine sdk --concurrency 4,16", "the same with AWSSDK's TransferUtility"),
            ],
            Notes =
            [
                "Objects are read and written as the library does it for an application, with its memory budget (--memory) and its verification (--checksum none leaves it out). "
                    + "Rates are objects' bytes; latency is of single requests.",
                "What is made for a benchmark is under s3://bucket/prefix/transfer-bench-…/ and is removed at the end, also of one that is interrupted. A bucket that keeps versions keeps those.",
                "Exit codes: 0 done, 1 failed, also where single objects did, 2 usage or configuration, 130 interrupted: what was measured until then is told.",
            ],
        };
        symbol.Add(command._operation);
        symbol.Add(command._address);
        command._bench.AddTo(symbol);
        symbol.Add(command._transfer.Memory);
        symbol.Add(command._transfer.Checksum);
        command._connection.AddTo(symbol);
        command._keys.AddTo(symbol);
        command._output.AddTo(symbol);
        symbol.SetAction((line, cancellationToken) => command._runner.RunAsync(
            line, command._output, (invocation, token) => command.RunAsync(line, invocation, token), cancellationToken));
        return symbol;
    }

    private async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        BenchSettings settings = BenchSettings.Resolve(line.GetRequiredValue(_operation), line.GetValue(_address), invocation.Values, _bench, _transfer);
        if (settings.Csv && invocation.Output.Json)
        {
            throw new UsageException($"{_bench.Csv.Name} and {_output.Json.Name} both go to standard output; give one of them");
        }

        AccessKeys? keys = AccessKeys.Find(invocation.Values, _keys);
        ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find, keys);
        invocation.Use(store);
        invocation.Subject = $"s3://{settings.Bucket}/{settings.Prefix}";
        if (keys is not null)
        {
            invocation.Console.Message($"everybody on this machine can read {_keys.SecretAccessKey.Name} in the list of processes; AWS_SECRET_ACCESS_KEY keeps it to yourself");
        }

        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        await new BenchRunner(settings, connection, new ThisProcess(), invocation).RunAsync(cancellationToken).ConfigureAwait(false);
    }
}
