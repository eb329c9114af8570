using System.CommandLine;
using Transfer.Cli.Connections;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary><c>transfer verify</c>: compares a file with an object, or a folder with a prefix.</summary>
internal sealed class VerifyCommand
{
    private readonly CommandRunner _runner;
    private readonly ConnectionOptions _connection = new();
    private readonly TransferOptions _transfer = new();
    private readonly ReadOptions _read = new();
    private readonly FilterOptions _filter = new();
    private readonly OutputOptions _output = new();
    private readonly Option<bool> _recursive = new("--recursive", "-r") { Description = "Compare a folder with a prefix, even if the names could be a file and a key." };
    private readonly Option<bool> _noRead = new("--no-read")
    {
        Description = "Never download objects. Fail if the size, checksum, and ETag can't tell whether the content is the same.",
    };

    private readonly Argument<string> _source = new("SRC") { Description = "A file or a folder, or s3://bucket/key or s3://bucket/prefix." };
    private readonly Argument<string> _target = new("DST") { Description = "The other one: an object or prefix if SRC is local, otherwise a file or folder. Names are completed as by cp." };

    private VerifyCommand(CommandRunner runner) => _runner = runner;

    public static Command Create(CommandRunner runner)
    {
        VerifyCommand command = new(runner);
        ToolCommand symbol = new("verify", "Compare a file with an object, or a folder with all objects under a prefix. Compares sizes and the checksums or ETags of the store, and downloads an object only if those aren't enough. For a folder, writes a line for each difference as soon as it is found.")
        {
            Group = "Copy and compare",
            Summary = "Compare files with objects",
            Examples =
            [
                ("transfer verify big.iso s3://bucket/iso/big.iso", "Compare a file with an object"),
                ("transfer verify s3://bucket/iso/big.iso .", "Compare an object with ./big.iso"),
                ("transfer verify photos s3://bucket/photos", "Compare a folder with a prefix"),
                ("transfer verify -r --exclude '*.tmp' s3://bucket .", "Compare a bucket with the current folder, except for some files"),
                ("transfer verify --no-read big.iso s3://bucket/iso/", "Compare without downloading the object"),
            ],
            Notes = ["Exit codes: 0 same, 1 failure or not everything was compared, 2 usage or configuration error, 3 different or missing, 130 interrupted."],
        };
        symbol.Add(command._source);
        symbol.Add(command._target);
        symbol.AddGroup("Comparison", command._recursive);
        command._filter.AddTo(symbol);
        symbol.AddGroup("Comparison", command._noRead);
        command._transfer.AddTo(symbol, hidden: true);
        command._transfer.Concurrency.Hidden = command._transfer.PartSize.Hidden = command._transfer.Memory.Hidden = command._transfer.LimitRate.Hidden = false;
        command._read.AddAccessTo(symbol);
        command._connection.AddTo(symbol);
        command._output.AddTo(symbol);
        symbol.SetAction((line, cancellationToken) => command._runner.RunAsync(
            line, command._output, (invocation, token) => command.RunAsync(line, invocation, token), cancellationToken));
        return symbol;
    }

    private async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        VerifyPlan plan = VerifyPlan.Resolve(line.GetRequiredValue(_source), line.GetRequiredValue(_target), line.GetValue(_recursive), Directory.Exists, File.Exists);
        TransferSettings settings = TransferSettings.Resolve(invocation.Values, _transfer, uploads: false);
        ReadSettings read = ReadSettings.Resolve(invocation.Values, _read, reads: true);
        IReadOnlyList<string> include = invocation.Values.Lines(_filter.Include);
        IReadOnlyList<string> exclude = invocation.Values.Lines(_filter.Exclude);
        CheckOptions(plan, read, include.Count + exclude.Count > 0);
        ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find);
        invocation.Use(store);
        CheckIsThere(plan);
        bool mayRead = !invocation.Values.IsOn(_noRead);
        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        if (plan.IsDirectory)
        {
            VerifyDirectoryOptions tree = new()
            {
                Include = include,
                Exclude = exclude,
                RequesterPays = read.RequesterPays,
                CustomerKey = read.CustomerKey,
                ReadContent = mayRead,
            };
            await new VerifyTreeRunner(plan, tree, invocation.Observe(settings.ToClientOptions()), connection, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
            return;
        }

        VerifyOptions options = new()
        {
            VersionId = read.VersionId,
            RequesterPays = read.RequesterPays,
            CustomerKey = read.CustomerKey,
            ReadContent = mayRead,
        };
        await new VerifyRunner(plan, options, invocation.Observe(settings.ToClientOptions()), connection, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
    }

    private static void CheckOptions(VerifyPlan plan, ReadSettings read, bool isFiltered)
    {
        if (plan.IsDirectory && read.VersionId is not null)
        {
            throw new UsageException("--version-id is for one object; it can't be used with a prefix");
        }

        if (!plan.IsDirectory && isFiltered)
        {
            throw new UsageException("--include and --exclude are for a folder and a prefix; they can't be used with one object");
        }
    }

    private static void CheckIsThere(VerifyPlan plan)
    {
        if (plan.IsDirectory && !Directory.Exists(plan.Path))
        {
            throw new DirectoryNotFoundException($"'{plan.Path}': no such folder");
        }

        if (!plan.IsDirectory && !File.Exists(plan.Path))
        {
            throw new FileNotFoundException($"'{plan.Path}': no such file", plan.Path);
        }
    }
}
