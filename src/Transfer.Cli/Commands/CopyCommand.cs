using System.CommandLine;
using System.CommandLine.Parsing;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer cp</c>: copies objects to a store, from a store, or inside a store. <c>transfer mv</c> is derived from it.</summary>
internal class CopyCommand : ToolCommand
{
    private readonly bool _moves;
    private readonly StoreOptions _stores = new();
    private readonly TransferOptions _transfer = new();
    private readonly ReadOptions _read = new();
    private readonly WriteOptions _write = new();
    private readonly FolderOptions _folder;
    private readonly Option<bool> _through = Declare.RareFlag(
        "--through", "Copy from store to store through this machine. Default: the store copies, unless an option needs the content here.");

    private readonly Option<string[]> _allowLoss = Declare.RareTexts(
        "--allow-loss", "NAME", "From store to store, delete the source although the target doesn't have this property: tags, metadata, a header such as x-amz-storage-class, or all. "
            + "Repeatable. Default: keep a source whose copy lacks properties, and report it as a failure.");

    private readonly Argument<string[]> _sources = new("SRC...")
    {
        Arity = ArgumentArity.OneOrMore,
        CustomParser = TakeAllButTheLast,
        Description = "Files or s3://bucket/key, - for standard input, or one presigned URL. With -r, one folder, s3://bucket/prefix, or s3://bucket; * and ? in the key match within a name, and ** any folders.",
    };

    private readonly Argument<string> _target = new("DST")
    {
        Description = "A file, s3://bucket/key, or - for standard output. In a folder, a bucket, or a prefix that ends with /, the target gets the source's name. "
            + "Several sources need such a target. With -r, the contents of SRC go directly under DST: cp -r photos s3://b/p creates p/1.jpg, not p/photos/1.jpg.",
    };

    public CopyCommand(CommandRunner runner)
        : this(
            runner, moves: false, "cp", summary: "Copy files and objects",
            description: "Copy files and objects: upload, download, or copy inside the store or to another one. Content is verified.")
    {
        Examples =
        [
            ("transfer cp big.iso s3://bucket/iso/", "Upload to s3://bucket/iso/big.iso"),
            ("transfer cp s3://bucket/iso/big.iso .", "Download to ./big.iso"),
            ("transfer cp -r photos s3://bucket/2026", "Upload a folder: photos/a/1.jpg to 2026/a/1.jpg"),
            ("transfer cp *.jpg s3://bucket/photos/", "Upload several files"),
            ("transfer cp -r --include '*.jpg' s3://bucket/2026 photos", "Download the JPEG files under a prefix"),
            ("transfer cp -r 's3://bucket/logs/*/a.gz' logs", "Download what matches, to logs/*/a.gz"),
            ("transfer cp -r --no-clobber photos s3://bucket/2026", "Upload only what is missing"),
            ("transfer cp -r --keys-from keys.txt s3://bucket/2026 photos", "Download the objects whose keys are in a file"),
            ("transfer cp s3://bucket/a s3://other/b", "Copy inside the store"),
            ("transfer cp -r --from-profile old --to-profile new s3://bucket s3://bucket", "Copy a bucket to another store"),
            ("tar c dir | transfer cp - s3://bucket/dir.tar", "Upload from a pipe, with parallel requests"),
            ("transfer cp s3://bucket/dir.tar - | tar x", "Download to a pipe"),
            ("transfer cp --range 0-99 s3://bucket/dir.tar -", "Write the first 100 bytes of an object"),
            ("transfer cp 'https://...?X-Amz-Signature=...' big.iso", "Download from a presigned URL, with parallel requests"),
            ("transfer cp --limit-rate 5MiB big.iso s3://bucket/iso/", "Transfer at most 5 MiB per second"),
            ("transfer cp --endpoint-url http://127.0.0.1:9000 a s3://bucket/a", "Use a store other than Amazon S3"),
        ];
        Notes =
        [
            "If some of many objects fail, the others are copied and the exit code is 1. Run the command again with --no-clobber to copy what is missing.",
            "Exit codes: 0 success, 1 failure, 2 usage or configuration error, 3 content mismatch, 5 archived objects are being restored, 7 a limit such as --max-requests was reached, 130 interrupted.",
        ];
    }

    private protected CopyCommand(CommandRunner runner, bool moves, string name, string summary, string description)
        : base(runner, name, group: "Copy and compare", summary, description)
    {
        _moves = moves;
        Uncommon = [_read.Range];
        _folder = new FolderOptions(moves);
        Add(_sources);
        Add(_target);
        _folder.AddTo(this);
        _transfer.AddTo(this);
        _transfer.AddLimitsTo(this);
        if (moves)
        {
            _read.AddMoveTo(this);
        }
        else
        {
            _read.AddTo(this);
        }

        _write.AddTo(this);
        this.AddGroup("Target object", moves ? [_through, _allowLoss] : [_through]);
        _stores.AddTo(this, $"to {Verb} from one store to another");
        Output.AddTo(this, reports: true, entriesWith: _transfer.DryRun);
    }

    private string Verb => _moves ? "move" : "copy";

    protected override Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        string[] sources = line.GetRequiredValue(_sources);
        string target = line.GetRequiredValue(_target);
        if (_moves)
        {
            CheckCanMove([.. sources, target]);
        }

        return (invocation.Values.IsOn(_folder.Recursive), sources) switch
        {
            (_, []) => throw new UsageException($"an argument is missing; {Name} needs a source and a target: transfer {Name} SRC... DST"),
            (false, [string source]) => RunOneAsync(source, target, invocation, cancellationToken),
            (false, _) => RunSeveralAsync(sources, target, invocation, cancellationToken),
            (true, [string source]) => RunFolderAsync(source, target, invocation, cancellationToken),
            _ => throw new UsageException($"{_folder.Recursive.Name} copies one folder or prefix, and {sources.Length} sources were given; run cp once for each of them, or copy the folder they are in with {_folder.Selection.Include.Name}"),
        };
    }

    private static void CheckCanMove(string[] arguments)
    {
        if (arguments.Contains("-"))
        {
            throw new UsageException("mv moves files and objects, and not standard input or output");
        }

        if (arguments.Length > 1 && Array.TrueForAll(arguments, static text => Location.Parse(text).Kind == LocationKind.Local))
        {
            throw new UsageException("mv does not move from this machine to itself; the source or the target must be in a store: s3://bucket/key");
        }
    }

    /// <summary>Leaves the last argument for the target.</summary>
    private static string[]? TakeAllButTheLast(ArgumentResult result)
    {
        string[] all = [.. result.Tokens.Select(token => token.Value)];
        if (all.Length == 0)
        {
            return all;
        }

        result.OnlyTake(all.Length - 1);
        return all[..^1];
    }

    private async Task RunOneAsync(string source, string target, Invocation invocation, CancellationToken cancellationToken)
    {
        SourceUrl? url = _moves ? null : SourceUrl.TryParse(source);
        CopyPlan plan = CopyPlan.Resolve(url?.Address ?? source, target, Directory.Exists);
        FolderSettings.RefuseForOne(invocation.Values, _folder);
        invocation.IsOutputTaken = plan.Target.Kind == LocationKind.Standard;
        CheckUrl(url, invocation);
        CopySettings copy = Resolve(invocation, [plan.Source], plan.Target, url is not null && plan.Uploads);
        CopyStores stores = PlanStores(invocation, copy, url: url, isToStore: plan.Uploads);
        await invocation.OpenReportAsync(copy.DryRun, cancellationToken).ConfigureAwait(false);
        await invocation.RunReportedAsync(
            ReportLines.Copy(plan.Source, plan.Target, copy.Moves), () => RunOneAsync(plan, copy, stores, invocation, cancellationToken), cancellationToken).ConfigureAwait(false);
    }

    private async Task RunOneAsync(CopyPlan plan, CopySettings copy, CopyStores stores, Invocation invocation, CancellationToken cancellationToken)
    {
        if (plan.Source.Kind == LocationKind.Local)
        {
            CheckFile(plan.Source.Text);
        }

        using CopyConnections connections = await CopyConnections.OpenAsync(stores, invocation, cancellationToken).ConfigureAwait(false);
        try
        {
            await new CopyRunner(plan, copy, connections, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (plan.Source.Kind == LocationKind.S3 && stores.Source.ObjectUrl is null && copy.AsOf is null && KeyAdvice.IsMissing(e))
        {
            KeyAdvice advice = new(connections.Source, invocation);
            throw await advice.ExplainAsync(
                plan.Source, _ => $"add {_folder.Recursive.Name} (-r) to {Verb} them", copy.RequesterPays, e, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task RunSeveralAsync(string[] sources, string target, Invocation invocation, CancellationToken cancellationToken)
    {
        IReadOnlyList<CopyPlan> plans = CopyPlan.ResolveAll(sources, target, Directory.Exists);
        FolderSettings folder = FolderSettings.ForSeveral(invocation.Values, _folder);
        CopySettings copy = Resolve(invocation, [.. plans.Select(plan => plan.Source)], plans[0].Target);
        CopyStores stores = PlanStores(invocation, copy, folder);
        await invocation.OpenReportAsync(copy.DryRun, cancellationToken).ConfigureAwait(false);
        using CopyConnections connections = await CopyConnections.OpenAsync(stores, invocation, cancellationToken).ConfigureAwait(false);
        await new SourcesRunner(target, plans, copy, folder, connections, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
    }

    private async Task RunFolderAsync(string source, string target, Invocation invocation, CancellationToken cancellationToken)
    {
        FolderPlan plan = FolderPlan.Resolve(source, target);
        FolderSettings folder = FolderSettings.Resolve(invocation.Values, _folder, plan.Uploads, plan.Downloads, invocation.Time.GetUtcNow());
        CopySettings copy = Resolve(invocation, [plan.Source], plan.Target);
        CopyStores stores = PlanStores(invocation, copy, folder);
        await invocation.OpenReportAsync(copy.DryRun, cancellationToken).ConfigureAwait(false);
        if (plan.Uploads)
        {
            CheckFolder(plan.Source.Text);
        }

        using CopyConnections connections = await CopyConnections.OpenAsync(stores, invocation, cancellationToken).ConfigureAwait(false);
        if (folder.Keys is null && KeyPattern.Find(Location.Parse(source)) is { } pattern && !await IsNameAsync(pattern, copy, connections.Source, invocation, cancellationToken).ConfigureAwait(false))
        {
            (plan, folder) = (plan with { Source = pattern.Folder }, folder.Expand(pattern));
        }

        await new FolderRunner(plan, copy, folder, connections, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
    }

    private static async Task<bool> IsNameAsync(KeyPattern pattern, CopySettings copy, Connection connection, Invocation invocation, CancellationToken cancellationToken)
    {
        TransferClient client = connection.CreateClient(invocation);
        await using (client.ConfigureAwait(false))
        {
            ListObjectsOptions options = new() { AsOf = copy.AsOf, RequesterPays = copy.RequesterPays };
            return await pattern.IsNameAsync(client, options, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Ends planning with the store, or with both stores if the command line has options for one of them.</summary>
    private CopyStores PlanStores(Invocation invocation, CopySettings copy, FolderSettings? folder = null, SourceUrl? url = null, bool isToStore = false)
    {
        CopyStores stores = url is null ? _stores.Resolve(invocation.Values) : _stores.ResolveUrl(invocation.Values, url, isToStore);
        invocation.EndPlanning(copy.Purpose, copy, folder, stores.Source, stores.Target);
        copy.WarnOfOwners(invocation);
        return stores;
    }

    /// <summary>Checks that no option of the source is given that a URL decides itself.</summary>
    private void CheckUrl(SourceUrl? url, Invocation invocation)
    {
        Option[] refused = [_read.VersionId, _read.AsOf, _read.RequesterPays, _read.CustomerKeyFile, _read.Archived, _read.RestoreDays, _through];
        if (url is not null && (_stores.HasTwoStores(invocation.Values) ? _stores.Examples : Array.Find(refused, invocation.Values.IsOnLine)?.Name) is { } given)
        {
            throw new UsageException($"a URL determines the object, its version, and the permission to read it; {given} can't be used with it");
        }
    }

    private CopySettings Resolve(Invocation invocation, IReadOnlyList<Location> sources, Location target, bool isFromUrlToStore = false)
    {
        bool isRecursive = invocation.Values.IsOn(_folder.Recursive);
        CopyCase of = new(isRecursive, !isRecursive && sources.Count > 1, isFromUrlToStore || _stores.HasTwoStores(invocation.Values), [.. sources.Select(source => source.Kind).Distinct()], target.Kind);
        if (of.HasTwoStores && (of.Uploads || of.Downloads))
        {
            throw new UsageException($"options such as {_stores.Examples} are for copies from one store to another, s3://... to s3://...; omit the prefix for one store");
        }

        CopySettings copy = CopySettings.Resolve(invocation.Values, new CopyOptionSet(_transfer, _read, _write, _through), of) with { Moves = _moves };
        if (_moves && of.CopiesObjects)
        {
            IReadOnlyList<string> losses = invocation.Values.Lines(_allowLoss);
            copy = copy with { Copy = copy.Copy with { AllowedLosses = losses }, StoreCopy = copy.StoreCopy with { AllowedLosses = losses } };
        }

        return of.Sources.Contains(LocationKind.S3) ? copy with { AsOf = new ReadSettings(invocation.Values, _read).AsOf(invocation.Time.GetUtcNow(), _folder.Keys) } : copy;
    }

    private void CheckFile(string path)
    {
        if (Directory.Exists(path))
        {
            throw new UsageException($"'{Printable.Text(path)}' is a folder; add -r to {Verb} its contents");
        }

        if (!File.Exists(path))
        {
            throw new FileNotFoundException($"'{path}': no such file", path);
        }
    }

    private static void CheckFolder(string path)
    {
        if (File.Exists(path))
        {
            throw new UsageException($"'{Printable.Text(path)}' is a file; omit -r to copy it");
        }

        if (!Directory.Exists(path))
        {
            throw new DirectoryNotFoundException($"'{path}': no such folder");
        }
    }
}
