using System.CommandLine;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer verify</c>: compares a file with an object, a folder with a prefix, or objects with objects of the same or another store.</summary>
internal sealed class VerifyCommand : ToolCommand
{
    private readonly StoreOptions _stores = new();
    private readonly TransferOptions _transfer = new();
    private readonly ReadOptions _read = new();
    private readonly SelectionOptions _filter = new("compare");
    private readonly KeyListOptions _keys = new("compare", isForRecursive: false);
    private readonly Option<bool> _recursive = Declare.Flag("--recursive", "Compare a folder with a prefix, or two prefixes, even if the names could be a file and a key.", alias: "-r");
    private readonly Option<bool> _noRead = Declare.Flag(
        "--no-read", "Never download objects. Fail if the size, checksum, and ETag can't tell whether the content is the same.");

    private readonly Option<string?> _links = Declare.RareText(
        "--links", "follow|skip", "For a folder, whether symbolic links are followed or skipped. What has the name of a skipped link isn't compared. Default: follow.");

    private readonly Option<bool> _noHidden = Declare.RareFlag(
        "--no-hidden", "For a folder, leave out files, folders, and objects whose names begin with a dot.");

    private readonly Argument<string> _source = new("SRC") { Description = "A file or a folder, or s3://bucket/key or s3://bucket/prefix." };
    private readonly Argument<string> _target = new("DST") { Description = "What to compare it with: an object or a prefix, or, if SRC is in a store, also a file or a folder. Names are completed as by cp." };

    public VerifyCommand(CommandRunner runner)
        : base(
            runner, "verify", group: "Copy and compare", summary: "Compare files with objects",
            description: "Compare a file with an object, a folder with all objects under a prefix, or objects of two stores. Compares sizes and the checksums or ETags of the store, and downloads an object only if those aren't enough. For many objects, writes a line for each difference as soon as it is found.")
    {
        Examples =
        [
            ("transfer verify big.iso s3://bucket/iso/big.iso", "Compare a file with an object"),
            ("transfer verify s3://bucket/iso/big.iso .", "Compare an object with ./big.iso"),
            ("transfer verify photos s3://bucket/photos", "Compare a folder with a prefix"),
            ("transfer verify -r --exclude '*.tmp' s3://bucket .", "Compare a bucket with the current folder, except for some files"),
            ("transfer verify --keys-from keys.txt photos s3://bucket/photos", "Compare the objects whose keys are in a file"),
            ("transfer verify -r --from-profile old --to-profile new s3://bucket s3://bucket", "Compare a bucket with its copy in another store"),
            ("transfer verify --no-read big.iso s3://bucket/iso/", "Compare without downloading the object"),
            ("transfer verify --as-of 2d photos s3://bucket/photos", "Compare with the objects of two days ago"),
        ];
        Notes = ["Exit codes: 0 same, 1 failure or not everything was compared, 2 usage or configuration error, 3 different or missing, 130 interrupted."];
        Add(_source);
        Add(_target);
        this.AddGroup("Comparison", [_recursive, .. _filter.All, .. _keys.All, _links, _noHidden, _noRead]);
        _transfer.AddReadingTo(this);
        _read.AddAccessTo(this);
        _stores.AddTo(this, "to compare one store with another");
        Output.AddTo(this);
        Output.Json.Description += " For many objects, each difference is a line on standard output, and the result is on standard error.";
    }

    protected override async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        OptionValues values = invocation.Values;
        if (VerifyStoresPlan.TryResolve(line.GetRequiredValue(_source), line.GetRequiredValue(_target), values.IsOn(_recursive)) is { } both)
        {
            await RunStoresAsync(both, invocation, cancellationToken).ConfigureAwait(false);
            return;
        }

        if (_stores.HasTwoStores(values))
        {
            throw new UsageException($"options such as {_stores.Examples} are for two stores, s3://... and s3://...; omit the prefix for one store");
        }

        VerifyPlan plan = VerifyPlan.Resolve(line.GetRequiredValue(_source), line.GetRequiredValue(_target), values.Flag(_recursive), Directory.Exists, File.Exists);
        ClientLimits limits = new TransferSettings(values, _transfer, uploads: false).Limits;
        VerifyDirectoryOptions? tree = plan.IsDirectory ? ResolveTree(values, invocation.Time.GetUtcNow()) : null;
        KeyListSettings? keys = tree?.Filter is { } filter ? KeyListSettings.Resolve(values, _keys, filter) : null;
        VerifyOptions? one = plan.IsDirectory ? null : ResolveOne(values);
        invocation.WritesEntries = plan.IsDirectory;
        DateTimeOffset? asOf = new ReadSettings(values, _read).AsOf(invocation.Time.GetUtcNow(), _keys);
        tree = tree is null ? null : tree with { AsOf = asOf };
        CopyStores stores = _stores.Resolve(values);
        invocation.EndPlanning(plan.IsDirectory ? "a folder and a prefix" : "a file and an object", plan, limits, tree, keys, one, asOf, stores.Source);
        CheckIsThere(plan);
        using CopyConnections connections = await CopyConnections.OpenAsync(stores, invocation, cancellationToken).ConfigureAwait(false);
        await (tree is null
            ? new VerifyRunner(plan, one!, asOf, limits, connections.Source, invocation).RunAsync(cancellationToken)
            : new VerifyTreeRunner(new Location(LocationKind.Local, plan.Path, string.Empty, string.Empty), plan.Object, tree, keys, limits, connections, invocation).RunAsync(cancellationToken)).ConfigureAwait(false);
    }

    private async Task RunStoresAsync(VerifyStoresPlan plan, Invocation invocation, CancellationToken cancellationToken)
    {
        OptionValues values = invocation.Values;
        ClientLimits limits = new TransferSettings(values, _transfer, uploads: false).Limits;
        ReadSettings read = new(values, _read);
        invocation.WritesEntries = plan.IsTree;
        DateTimeOffset? asOf = read.AsOf(invocation.Time.GetUtcNow(), _keys);
        VerifyDirectoryOptions? tree = plan.IsTree ? ResolveTree(values, invocation.Time.GetUtcNow()) with { AsOf = asOf } : null;
        KeyListSettings? keys = tree?.Filter is { } filter ? KeyListSettings.Resolve(values, _keys, filter) : null;
        VerifyOptions options = new() { VersionId = plan.IsTree ? null : read.VersionId, RequesterPays = read.RequesterPays, ReadContent = !values.IsOn(_noRead) };
        CopyStores stores = _stores.Resolve(values);
        invocation.EndPlanning(plan.IsTree ? "two prefixes" : "two objects", plan, limits, tree, keys, options, asOf, stores.Source, stores.Target);
        using CopyConnections connections = await CopyConnections.OpenAsync(stores, invocation, cancellationToken).ConfigureAwait(false);
        await (tree is null
            ? new VerifyObjectsRunner(plan, options, asOf, limits, connections, invocation).RunAsync(cancellationToken)
            : new VerifyTreeRunner(plan.Source, plan.Target, tree, keys, limits, connections, invocation).RunAsync(cancellationToken)).ConfigureAwait(false);
    }

    private VerifyDirectoryOptions ResolveTree(OptionValues values, DateTimeOffset now)
    {
        ReadSettings read = new(values, _read);
        return new VerifyDirectoryOptions
        {
            Filter = _filter.Resolve(values, now, hasStorageClass: true),
            SymbolicLinks = values.Choice<SymbolicLinks>(_links) ?? SymbolicLinks.Follow,
            IncludeHidden = !values.IsOn(_noHidden),
            RequesterPays = read.RequesterPays,
            CustomerKey = read.CustomerKey,
            ReadContent = !values.IsOn(_noRead),
        };
    }

    private VerifyOptions ResolveOne(OptionValues values)
    {
        ReadSettings read = new(values, _read);
        return new VerifyOptions
        {
            VersionId = read.VersionId,
            RequesterPays = read.RequesterPays,
            CustomerKey = read.CustomerKey,
            ReadContent = !values.IsOn(_noRead),
        };
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
