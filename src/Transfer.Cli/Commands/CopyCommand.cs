using System.CommandLine;
using System.CommandLine.Parsing;
using Transfer.Cli.Connections;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Commands;

/// <summary><c>transfer cp</c>: copies objects to a store, from a store, or inside a store.</summary>
internal sealed class CopyCommand
{
    private readonly CommandRunner _runner;
    private readonly ConnectionOptions _connection = new();
    private readonly StoreSideOptions _from = new("from", "source");
    private readonly StoreSideOptions _to = new("to", "target");
    private readonly TransferOptions _transfer = new();
    private readonly ReadOptions _read = new();
    private readonly WriteOptions _write = new();
    private readonly FolderOptions _folder = new();
    private readonly OutputOptions _output = new();
    private readonly Option<bool> _through = new("--through")
    {
        Description = "Copy from store to store through this machine. Default: the store copies, unless an option needs the content here.",
    };

    private readonly Argument<string[]> _sources = new("SRC...")
    {
        Arity = ArgumentArity.OneOrMore,
        CustomParser = TakeAllButTheLast,
        Description = "Files or s3://bucket/key, or - for standard input. With -r, one folder, s3://bucket/prefix, or s3://bucket.",
    };

    private readonly Argument<string> _target = new("DST")
    {
        Description = "A file, s3://bucket/key, or - for standard output. In a folder, a bucket, or a prefix that ends with /, the target gets the source's name. "
            + "Several sources need such a target. With -r, the contents of SRC go directly under DST: cp -r photos s3://b/p creates p/1.jpg, not p/photos/1.jpg.",
    };

    private CopyCommand(CommandRunner runner) => _runner = runner;

    public static Command Create(CommandRunner runner)
    {
        CopyCommand command = new(runner);
        ToolCommand symbol = new("cp", "Copy files and objects: upload, download, or copy inside the store or to another one. Content is verified.")
        {
            Group = "Copy and compare",
            Summary = "Copy files and objects",
            Examples =
            [
                ("transfer cp big.iso s3://bucket/iso/", "Upload to s3://bucket/iso/big.iso"),
                ("transfer cp s3://bucket/iso/big.iso .", "Download to ./big.iso"),
                ("transfer cp *.jpg s3://bucket/photos/", "Upload several files"),
                ("transfer cp -r photos s3://bucket/2026", "Upload a folder: photos/a/1.jpg to s3://bucket/2026/a/1.jpg"),
                ("transfer cp -r --include '*.jpg' s3://bucket/2026 photos", "Download the JPEG files under a prefix"),
                ("transfer cp -r --no-clobber photos s3://bucket/2026", "Upload only what is missing"),
                ("transfer cp s3://bucket/a s3://other/b", "Copy inside the store"),
                ("transfer cp -r --from-profile old --to-profile new s3://bucket s3://bucket", "Copy a bucket to another store"),
                ("tar c dir | transfer cp - s3://bucket/dir.tar", "Upload from a pipe, with parallel requests"),
                ("transfer cp s3://bucket/dir.tar - | tar x", "Download to a pipe"),
                ("transfer cp --range 0-99 s3://bucket/dir.tar -", "Write the first 100 bytes of an object"),
                ("transfer cp --limit-rate 5MiB big.iso s3://bucket/iso/", "Transfer at most 5 MiB per second"),
                ("transfer cp --endpoint-url http://127.0.0.1:9000 a s3://bucket/a", "Use a store other than Amazon S3"),
            ],
            Notes =
            [
                "If some of many objects fail, the others are copied and the exit code is 1. Run the command again with --no-clobber to copy what is missing.",
                "Exit codes: 0 success, 1 failure, 2 usage or configuration error, 3 content mismatch, 130 interrupted.",
            ],
        };
        symbol.Add(command._sources);
        symbol.Add(command._target);
        command._folder.AddTo(symbol);
        command._transfer.AddTo(symbol);
        command._read.AddTo(symbol);
        command._write.AddTo(symbol);
        symbol.AddGroup("Target object", command._through);
        command._connection.AddTo(symbol);
        symbol.AddGroup("Connection of each store, to copy from one store to another", [.. command._from.All, .. command._to.All]);
        command._output.AddTo(symbol);
        symbol.SetAction((line, cancellationToken) => command._runner.RunAsync(
            line, command._output, (invocation, token) => command.RunAsync(line, invocation, token), cancellationToken));
        return symbol;
    }

    private Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        string[] sources = line.GetRequiredValue(_sources);
        string target = line.GetRequiredValue(_target);
        return (invocation.Values.IsOn(_folder.Recursive), sources) switch
        {
            (_, []) => throw new UsageException("an argument is missing; cp needs a source and a target: transfer cp SRC... DST"),
            (false, [string source]) => RunOneAsync(source, target, invocation, cancellationToken),
            (false, _) => RunSeveralAsync(sources, target, invocation, cancellationToken),
            (true, [string source]) => RunFolderAsync(source, target, invocation, cancellationToken),
            _ => throw new UsageException($"{_folder.Recursive.Name} copies one folder or prefix, and {sources.Length} sources were given; run cp once for each of them, or copy the folder they are in with {_folder.Include.Name}"),
        };
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
        CopyPlan plan = CopyPlan.Resolve(source, target, Directory.Exists);
        FolderSettings.RefuseForOne(invocation.Values, _folder);
        invocation.IsOutputTaken = plan.Target.Kind == LocationKind.Standard;
        CopySettings copy = Resolve(invocation, plan.Source.Kind == LocationKind.S3, plan.Target.Kind == LocationKind.S3);
        if (plan.Source.Kind == LocationKind.Local)
        {
            CheckFile(plan.Source.Text);
        }

        using CopyConnections connections = await ConnectAsync(invocation, copy, plan.Source, plan.Target, cancellationToken).ConfigureAwait(false);
        await new CopyRunner(plan, copy, connections, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
    }

    private async Task RunSeveralAsync(string[] sources, string target, Invocation invocation, CancellationToken cancellationToken)
    {
        IReadOnlyList<CopyPlan> plans = CopyPlan.ResolveAll(sources, target, Directory.Exists);
        FolderSettings.RefuseForSeveral(invocation.Values, _folder, _read.VersionId, _read.Range, _write.IfMatch);
        FolderSettings folder = FolderSettings.Resolve(invocation.Values, _folder, uploads: true);
        CopySettings copy = Resolve(invocation, plans.Any(plan => plan.Source.Kind == LocationKind.S3), plans[0].Uploads);
        Location odd = plans.Select(plan => plan.Source).FirstOrDefault(from => from.Kind != LocationKind.S3, plans[0].Source);
        using CopyConnections connections = await ConnectAsync(invocation, copy, odd, plans[0].Target, cancellationToken).ConfigureAwait(false);
        await new SourcesRunner(target, plans, copy, folder, connections, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
    }

    private async Task RunFolderAsync(string source, string target, Invocation invocation, CancellationToken cancellationToken)
    {
        FolderPlan plan = FolderPlan.Resolve(source, target);
        FolderSettings.RefuseForMany(invocation.Values, _read.VersionId, _read.Range, _write.IfMatch, _through);
        FolderSettings folder = FolderSettings.Resolve(invocation.Values, _folder, plan.Uploads);
        CopySettings copy = Resolve(invocation, plan.Source.Kind == LocationKind.S3, plan.Target.Kind == LocationKind.S3);
        if (plan.IsInsideTheStore && !copy.IsInsideTheStore && !HasTwoStores(invocation))
        {
            throw new UsageException($"a copy inside the store with -r copies each object unchanged; {_transfer.Checksum.Name}, {_read.CustomerKeyFile.Name}, "
                + $"{_read.AlignParts.Name}, and options of the target object, such as {_write.ContentType.Name}, can't be used with it");
        }

        if (plan.Uploads)
        {
            CheckFolder(plan.Source.Text);
        }

        using CopyConnections connections = await ConnectAsync(invocation, copy, plan.Source, plan.Target, cancellationToken).ConfigureAwait(false);
        await new FolderRunner(plan, copy, folder, connections, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
    }

    private bool HasTwoStores(Invocation invocation) => _from.All.Concat(_to.All).Any(invocation.Values.IsOnLine);

    /// <summary>Connects to the store, or to both stores if the command line has options for one of them.</summary>
    private async Task<CopyConnections> ConnectAsync(Invocation invocation, CopySettings copy, Location source, Location target, CancellationToken cancellationToken)
    {
        if (!HasTwoStores(invocation))
        {
            ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find);
            invocation.Use(store);
            return new CopyConnections(await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false), null);
        }

        if (source.Kind != LocationKind.S3 || target.Kind != LocationKind.S3)
        {
            throw new UsageException($"options such as {_from.Profile.Name} and {_to.Profile.Name} are for copies from one store to another, s3://... to s3://...; omit the prefix for one store");
        }

        if (copy.Through || copy.Read.Range is not null || copy.Read.AlignToStoredParts)
        {
            throw new UsageException($"{_through.Name}, {_read.Range.Name}, and {_read.AlignParts.Name} can't be used for a copy from one store to another");
        }

        ConnectionSettings from = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find, side: _from);
        ConnectionSettings to = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find, side: _to);
        invocation.Use(from, to);
        Connection reading = await Connection.OpenAsync(from, cancellationToken).ConfigureAwait(false);
        try
        {
            return new CopyConnections(reading, await Connection.OpenAsync(to, cancellationToken).ConfigureAwait(false));
        }
        catch
        {
            reading.Dispose();
            throw;
        }
    }

    private CopySettings Resolve(Invocation invocation, bool downloads, bool uploads) => new(
        TransferSettings.Resolve(invocation.Values, _transfer, uploads),
        ReadSettings.Resolve(invocation.Values, _read, downloads),
        WriteSettings.Resolve(invocation.Values, _write, uploads),
        invocation.Values.IsOn(_through));

    private static void CheckFile(string path)
    {
        if (Directory.Exists(path))
        {
            throw new UsageException($"'{Printable.Text(path)}' is a folder; add -r to copy its contents");
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
