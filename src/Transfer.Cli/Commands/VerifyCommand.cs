using System.CommandLine;
using Transfer.Cli.Connections;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary><c>transfer verify</c>: whether a file and an object are the same, or a folder and what is under a prefix.</summary>
internal sealed class VerifyCommand
{
    private readonly CommandRunner _runner;
    private readonly ConnectionOptions _connection = new();
    private readonly TransferOptions _transfer = new();
    private readonly ReadOptions _read = new();
    private readonly FilterOptions _filter = new();
    private readonly OutputOptions _output = new();
    private readonly Option<bool> _recursive = new("--recursive", "-r") { Description = "Compare a folder with a prefix, also where the names could be a file's and a key." };
    private readonly Option<bool> _noRead = new("--no-read")
    {
        Description = "Never read the object: fail where neither its size nor a checksum nor its entity tag can tell.",
    };

    private readonly Argument<string> _source = new("SRC") { Description = "A file or a folder, or s3://bucket/key or s3://bucket/prefix." };
    private readonly Argument<string> _target = new("DST") { Description = "The other of the two. What ends in / takes a single source's name, and so does a folder that has a file of that name." };

    private VerifyCommand(CommandRunner runner) => _runner = runner;

    public static Command Create(CommandRunner runner)
    {
        VerifyCommand command = new(runner);
        ToolCommand symbol = new("verify", "Compares a file with an object, or a folder with all that is under a prefix: by size and by what the store holds as checksum or entity tag, and by reading an object only where those can't tell. Of a folder, each difference is a line, written as soon as it is found.")
        {
            Examples =
            [
                ("transfer verify big.iso s3://bucket/iso/big.iso", "whether both are the same"),
                ("transfer verify s3://bucket/iso/big.iso .", "with ./big.iso"),
                ("transfer verify photos s3://bucket/photos", "every file below a folder, and what only one side has"),
                ("transfer verify -r --exclude '*.tmp' s3://bucket .", "a whole bucket with the folder that this is, but for some"),
                ("transfer verify --no-read big.iso s3://bucket/iso/", "with s3://bucket/iso/big.iso, and without its bytes"),
            ],
            Notes = ["Exit codes: 0 the same, 1 failed or not all compared, 2 usage or configuration, 3 they differ or something is missing, 130 interrupted."],
        };
        symbol.Add(command._source);
        symbol.Add(command._target);
        symbol.Add(command._recursive);
        command._filter.AddTo(symbol);
        symbol.Add(command._noRead);
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
            await new VerifyTreeRunner(plan, tree, settings.ToClientOptions(), connection, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
            return;
        }

        VerifyOptions options = new()
        {
            VersionId = read.VersionId,
            RequesterPays = read.RequesterPays,
            CustomerKey = read.CustomerKey,
            ReadContent = mayRead,
        };
        await new VerifyRunner(plan, options, settings.ToClientOptions(), connection, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
    }

    private static void CheckOptions(VerifyPlan plan, ReadSettings read, bool isFiltered)
    {
        if (plan.IsDirectory && read.VersionId is not null)
        {
            throw new UsageException("--version-id is for one object, and not for a prefix");
        }

        if (!plan.IsDirectory && isFiltered)
        {
            throw new UsageException("--include and --exclude are for a folder and a prefix, and not for one object");
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
