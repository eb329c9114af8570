using System.CommandLine;
using Transfer.Cli.Connections;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Commands;

/// <summary><c>transfer cp</c>: one object, or with -r those of a folder or a prefix, to or from a store.</summary>
internal sealed class CopyCommand
{
    private readonly CommandRunner _runner;
    private readonly ConnectionOptions _connection = new();
    private readonly TransferOptions _transfer = new();
    private readonly ReadOptions _read = new();
    private readonly WriteOptions _write = new();
    private readonly FolderOptions _folder = new();
    private readonly OutputOptions _output = new();
    private readonly Option<bool> _through = new("--through")
    {
        Description = "Copy from store to store through this machine. Default: inside the store, unless an option needs the bytes here.",
    };

    private readonly Argument<string> _source = new("SRC") { Description = "A file, s3://bucket/key, or - for standard input. With -r a folder, s3://bucket/prefix, or s3://bucket for all of it." };
    private readonly Argument<string> _target = new("DST")
    {
        Description = "A file or a folder, s3://bucket/key, or - for standard output. What ends in / takes the source's name. "
            + "With -r a folder or s3://bucket/prefix, which the content of SRC goes under: cp -r photos s3://b/p makes p/1.jpg, not p/photos/1.jpg.",
    };

    private CopyCommand(CommandRunner runner) => _runner = runner;

    public static Command Create(CommandRunner runner)
    {
        CopyCommand command = new(runner);
        ToolCommand symbol = new("cp", "Copies one object, or with -r many: from this machine to a store, from a store to here, or inside the store.")
        {
            Examples =
            [
                ("transfer cp big.iso s3://bucket/iso/", "to s3://bucket/iso/big.iso"),
                ("transfer cp s3://bucket/iso/big.iso .", "to ./big.iso"),
                ("tar c dir | transfer cp - s3://bucket/dir.tar", "from a pipe, in parallel all the same"),
                ("transfer cp s3://bucket/dir.tar - | tar x", "to a pipe"),
                ("transfer cp s3://bucket/a s3://other/b", "inside the store: no byte comes here"),
                ("transfer cp --range 0-99 s3://bucket/dir.tar -", "the first 100 bytes of an object"),
                ("transfer cp -r photos s3://bucket/2026", "what is in the folder: photos/a/1.jpg to s3://bucket/2026/a/1.jpg"),
                ("transfer cp -r --include '*.jpg' --exclude raw/ s3://bucket/2026 photos", "back, some of it, to photos/a/1.jpg"),
                ("transfer cp -r --no-clobber s3://bucket/2026 s3://other", "inside the store; run again, it copies only what is missing"),
                ("transfer cp --limit-rate 5MiB big.iso s3://bucket/iso/", "at most 5 MiB/s"),
                ("transfer cp --endpoint-url http://127.0.0.1:9000 a s3://bucket/a", "another store than Amazon S3"),
            ],
            Notes =
            [
                "A copy with -r that fails for some objects copies the others and ends with 1; run again with --no-clobber, it copies what is missing.",
                "Exit codes: 0 done, 1 failed, 2 usage or configuration, 3 content does not match, 130 interrupted.",
            ],
        };
        symbol.Add(command._source);
        symbol.Add(command._target);
        command._folder.AddTo(symbol);
        command._transfer.AddTo(symbol);
        command._read.AddTo(symbol);
        command._write.AddTo(symbol);
        symbol.Add(command._through);
        command._connection.AddTo(symbol);
        command._output.AddTo(symbol);
        symbol.SetAction((line, cancellationToken) => command._runner.RunAsync(
            line, command._output, (invocation, token) => command.RunAsync(line, invocation, token), cancellationToken));
        return symbol;
    }

    private Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        (string source, string target) = (line.GetRequiredValue(_source), line.GetRequiredValue(_target));
        return invocation.Values.IsOn(_folder.Recursive) ? RunFolderAsync(source, target, invocation, cancellationToken) : RunOneAsync(source, target, invocation, cancellationToken);
    }

    private async Task RunOneAsync(string source, string target, Invocation invocation, CancellationToken cancellationToken)
    {
        CopyPlan plan = CopyPlan.Resolve(source, target, Directory.Exists);
        FolderSettings.RefuseForOne(invocation.Values, _folder);
        invocation.IsOutputTaken = plan.Target.Kind == LocationKind.Standard;
        CopySettings copy = Resolve(invocation, plan.Source, plan.Target);
        if (plan.Source.Kind == LocationKind.Local)
        {
            CheckFile(plan.Source.Text);
        }

        ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find);
        invocation.Use(store);

        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        await new CopyRunner(plan, copy, connection, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
    }

    private async Task RunFolderAsync(string source, string target, Invocation invocation, CancellationToken cancellationToken)
    {
        FolderPlan plan = FolderPlan.Resolve(source, target);
        FolderSettings.RefuseForMany(invocation.Values, _read.VersionId, _read.Range, _write.IfMatch, _through);
        FolderSettings folder = FolderSettings.Resolve(invocation.Values, _folder, plan.Uploads);
        CopySettings copy = Resolve(invocation, plan.Source, plan.Target);
        if (plan.IsInsideTheStore && !copy.IsInsideTheStore)
        {
            throw new UsageException($"from store to store, -r copies objects inside the store, each as it is: {_transfer.Checksum.Name}, {_read.CustomerKeyFile.Name}, "
                + $"{_read.AlignParts.Name} and what describes a new object, such as {_write.ContentType.Name}, do not go with that");
        }

        if (plan.Uploads)
        {
            CheckFolder(plan.Source.Text);
        }

        ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find);
        invocation.Use(store);

        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        await new FolderRunner(plan, copy, folder, connection, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
    }

    private CopySettings Resolve(Invocation invocation, Location source, Location target)
    {
        bool uploads = target.Kind == LocationKind.S3;
        return new CopySettings(
            TransferSettings.Resolve(invocation.Values, _transfer, uploads),
            ReadSettings.Resolve(invocation.Values, _read, source.Kind == LocationKind.S3),
            WriteSettings.Resolve(invocation.Values, _write, uploads),
            invocation.Values.IsOn(_through));
    }

    private static void CheckFile(string path)
    {
        if (Directory.Exists(path))
        {
            throw new UsageException($"'{Printable.Text(path)}' is a folder; for all that is in it, add -r");
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
            throw new UsageException($"'{Printable.Text(path)}' is a file; leave -r out to copy it");
        }

        if (!Directory.Exists(path))
        {
            throw new DirectoryNotFoundException($"'{path}': no such folder");
        }
    }
}
