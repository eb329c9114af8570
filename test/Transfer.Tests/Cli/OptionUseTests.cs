using System.CommandLine;
using System.CommandLine.Help;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Transfer.S3.Bench.Results;
using Transfer.S3.Cli;
using Transfer.S3.Cli.Rendering;
using Transfer.S3.Tests.Bench;

namespace Transfer.S3.Tests.Cli;

/// <summary>Gives every option of every command, in every case of the command: it changes what the command does, or it is refused.</summary>
public sealed class OptionUseTests : IDisposable
{
    private const string PathOfFile = "FILE";
    private const string PathOfFolder = "FOLDER";

    /// <summary>The cases of the commands. FILE and FOLDER exist.</summary>
    private static readonly string[] Cases =
    [
        "cp FILE s3://b/k", "cp - s3://b/k", "cp s3://b/k FOLDER/new", "cp s3://b/k -", "cp s3://b/k s3://c/k", "cp --through s3://b/k s3://c/k",
        "cp --from-region a --to-region b s3://b/k s3://c/k", "cp FILE FOLDER/a s3://b/", "cp s3://b/k s3://b/l FOLDER", "cp s3://b/k s3://b/l s3://c", "cp --content-type text/x s3://b/k s3://b/l s3://c", "cp --range 0-9 s3://b/k s3://c/k", "cp https://h/b/k FOLDER/new", "cp https://h/b/k -", "cp https://h/b/k s3://c/k", "cp FILE s3://b/l s3://c",
        "cp -r FOLDER s3://b", "cp -r s3://b FOLDER", "cp -r s3://b s3://c", "cp -r --from-region a --to-region b s3://b s3://c",
        "mv FILE s3://b/k", "mv s3://b/k FOLDER/new", "mv s3://b/k s3://c/k", "mv --through s3://b/k s3://c/k", "mv --from-region a --to-region b s3://b/k s3://c/k", "mv FILE FOLDER/a s3://b/",
        "mv s3://b/k s3://b/l FOLDER", "mv s3://b/k s3://b/l s3://c", "mv -r FOLDER s3://b", "mv -r s3://b FOLDER", "mv -r s3://b s3://c", "mv -r --from-region a --to-region b s3://b s3://c",
        "sync FOLDER s3://b", "sync s3://b FOLDER", "sync s3://b s3://c", "sync --from-region a --to-region b s3://b s3://c", "sync --delete FOLDER s3://b", "sync --dry-run s3://b FOLDER",
        "cat s3://b/k", "cat s3://b/k s3://b/l", "ls", "ls s3://b", "ls -r s3://b", "ls -r s3://b/p", "ls --uploads s3://b", "verify FILE s3://b/k", "verify FOLDER s3://b", "verify s3://b/k NEW", "verify s3://b/k s3://c/k", "verify -r s3://b s3://c", "verify --from-region a --to-region b s3://b/k s3://c/k", "verify -r --from-region a --to-region b s3://b s3://c", "stat s3://b/k", "du s3://b", "du s3://b/p",
        "mb s3://b", "rb s3://b", "rm s3://b/k", "rm -r s3://b", "rm -r s3://b/p", "rm -r --whole-bucket s3://b", "rm -r --keys-from=FILE --keys-format=csv:Bucket,Key,ETag s3://b/p", "tag s3://b/k", "tag --clear s3://b/k", "presign s3://b/k", "presign --method put s3://b/k", "abort s3://b", "whoami", "doctor s3://b",
        "bench --bucket b", "bench get", "bench get s3://b", "bench put s3://b", "bench head s3://b", "bench small s3://b", "bench get s3://b --engine sdk", "bench --workload WORKLOAD s3://b", "bench --workload WORKLOAD s3://b --engine sdk", "demo", "serve", "serve --fault slow-down=0.1",
        "plan FOLDER s3://b", "plan FOLDER s3://b --run s3://r/x", "plan s3://b FOLDER --run s3://r/x", "plan s3://b s3://c --run s3://r/x", "plan --from-region a --to-region b s3://b s3://c --run s3://r/x",
        "plan --sync FOLDER s3://b --run s3://r/x", "plan --sync --delete s3://b FOLDER --run s3://r/x", "run s3://r/x", "run s3://r/x --shard 1", "run FOLDER --shard 1",
        "run --from-region a --to-region b s3://r/x --shard 1", "finish s3://r/x", "finish --from-region a --to-region b s3://r/x", "status s3://r/x", "status FOLDER",
        "completion bash",
    ];

    /// <summary>Options that say what is so without them, and one that a command can only refuse.</summary>
    private static readonly string[] SayWhatIsSo =
    [
        "verify FOLDER s3://b --recursive", "bench --discard", "bench get s3://b --discard", "bench put s3://b --discard", "bench head s3://b --discard",
        "bench small s3://b --discard", "cp --range 0-9 s3://b/k s3://c/k --through", "bench get s3://b --engine sdk --discard", "presign --no-sign-request",
        "presign --expected-bucket-owner", "mb --expected-bucket-owner", "rm -r --keys-from=FILE --keys-format=csv:Bucket,Key,ETag s3://b/p --if-unchanged",
    ];

    /// <summary>A value for each option that changes the default, and what the option needs beside it.</summary>
    private static readonly Dictionary<string, (string? Value, string Beside)> Samples = new()
    {
        ["--endpoint-url"] = ("https://127.0.0.1:2", ""),
        ["--region"] = ("r2", ""),
        ["--profile"] = ("nobody", ""),
        ["--path-style"] = ("false", ""),
        ["--expected-bucket-owner"] = ("123456789012", ""),
        ["--retry-for"] = ("7s", ""),
        ["--ca-bundle"] = (PathOfFile, ""),
        ["--access-key-id"] = ("id", "--secret-access-key hush"),
        ["--secret-access-key"] = ("hush", "--access-key-id id"),
        ["--include"] = ("*.a", ""),
        ["--exclude"] = ("*.b", ""),
        ["--filter-from"] = ("RULES", ""),
        ["--min-size"] = ("1MiB", ""),
        ["--max-size"] = ("1MiB", ""),
        ["--newer-than"] = ("2026-01-31", ""),
        ["rm --older-than"] = ("2026-01-31", ""),
        ["mv --older-than"] = ("2026-01-31", ""),
        ["sync --older-than"] = ("2026-01-31", ""),
        ["cp --older-than"] = ("2026-01-31", ""),
        ["verify --older-than"] = ("2026-01-31", ""),
        ["--in-storage-class"] = ("GLACIER", ""),
        ["--on-failure"] = ("abort", ""),
        ["--links"] = ("skip", ""),
        ["--checksum"] = ("none", ""),
        ["--concurrency"] = ("7", ""),
        ["--part-size"] = ("16MiB", ""),
        ["--memory"] = ("64MiB", ""),
        ["--limit-rate"] = ("1MiB", ""),
        ["--version-id"] = ("v", ""),
        ["--as-of"] = ("2020-01-31", ""),
        ["--range"] = ("0-9", ""),
        ["--sse-c-key-file"] = ("KEY", ""),
        ["--attributes"] = ("mtime,mode", ""),
        ["--archived"] = ("skip", ""),
        ["--restore-days"] = ("3", "--archived restore"),
        ["--content-type"] = ("text/x", ""),
        ["--metadata"] = ("a=b", ""),
        ["--tag"] = ("a=b", ""),
        ["--cache-control"] = ("no-cache", ""),
        ["--content-disposition"] = ("inline", ""),
        ["--content-encoding"] = ("gzip", ""),
        ["--content-language"] = ("en", ""),
        ["--storage-class"] = ("GLACIER_IR", ""),
        ["--acl"] = ("private", ""),
        ["--object-lock-mode"] = ("compliance", "--object-lock-until 2030-01-31"),
        ["--object-lock-until"] = ("2030-01-31", ""),
        ["--sse"] = ("AES256", ""),
        ["--sse-kms-key-id"] = ("k", "--sse aws:kms"),
        ["--if-match"] = ("e", ""),
        ["--expires"] = ("2030-01-31", ""),
        ["presign --expires"] = ("2h", ""),
        ["--progress"] = ("plain", ""),
        ["--events"] = ("FOLDER/events", ""),
        ["--trace"] = ("FOLDER/trace", ""),
        ["--report"] = ("FOLDER/report", ""),
        ["--metrics-address"] = ("0", ""),
        ["--older-than"] = ("1d", ""),
        ["--depth"] = ("2", ""),
        ["--set"] = ("a=b", ""),
        ["--remove"] = ("c", ""),
        ["--method"] = ("put", ""),
        ["--engine"] = ("sdk", ""),
        ["--runs"] = ("2", ""),
        ["--count"] = ("5", ""),
        ["--duration"] = ("10s", ""),
        ["--rate"] = ("5/s", ""),
        ["--generate"] = ("64MiBx2", ""),
        ["bench --part-size"] = ("32MiB", ""),
        ["--bucket"] = ("bucket2", ""),
        ["--prefix"] = ("p", ""),
        ["--key"] = ("k", ""),
        ["--keys"] = (PathOfFile, ""),
        ["--allow-loss"] = ("tags", ""),
        ["--keys-from"] = (PathOfFile, ""),
        ["--keys-format"] = ("nul", "--keys-from FILE"),
        ["--output"] = (PathOfFolder, ""),
        ["--workload"] = ("WORKLOAD", ""),
        ["--html"] = ("FOLDER/report.html", ""),
        ["--compare"] = ("REPORT", ""),
        ["sync --compare"] = ("size", ""),
        ["--modify-window"] = ("5s", "--compare time"),
        ["--max-delete"] = ("5%", ""),
        ["--publish-last"] = ("*.js", "--publish"),
        ["--backup"] = ("s3://b2/old", ""),
        ["--size"] = ("1MiB", ""),
        ["--host"] = ("127.0.0.2", ""),
        ["--port"] = ("0", ""),
        ["--certificate"] = ("CERTIFICATE", ""),
        ["--dir"] = (PathOfFolder, ""),
        ["--access-key"] = ("id", ""),
        ["--secret-key"] = ("hush", ""),
        ["--ttfb"] = ("40ms", ""),
        ["--connection-rate"] = ("1MiB", ""),
        ["--link-rate"] = ("1MiB", ""),
        ["--max-requests"] = ("5", ""),
        ["--max-bytes"] = ("1GiB", ""),
        ["--max-time"] = ("1h", ""),
        ["--max-cost"] = ("2.50", "--prices PRICES"),
        ["--prices"] = ("PRICES", ""),
        ["--restore-time"] = ("1m", ""),
        ["--fault"] = ("lose-reply=0.1", ""),
        ["--replay"] = ("FOLDER/replay", ""),
        ["--refuse"] = ("tags", ""),
        ["--ignore"] = ("tag-count", ""),
        ["--fault-seed"] = ("3", ""),
        ["--run"] = ("s3://r/y", ""),
        ["--shard"] = ("2", ""),
        ["--shards"] = ("5", ""),
        ["run --shards"] = ("0-9", ""),
        ["--workers"] = ("3", ""),
        ["--split"] = ("16MiB", ""),
        ["--grace"] = ("5s", ""),
        ["--retry"] = ("s3://r/y", ""),
        ["plan --older-than"] = ("2026-01-31", ""),
        ["plan --compare"] = ("size", ""),
    };

    private readonly TemporaryFolder _folder = new();
    private readonly StringWriter _error = new();

    public static TheoryData<string> Commands
        => [.. new Tool(new ToolConsole(TextWriter.Null, TextWriter.Null), CliLine.Environment(), TimeProvider.System).CreateRoot().Subcommands.Select(command => command.Name)];

    public void Dispose()
    {
        _folder.Dispose();
        _error.Dispose();
    }

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task RunAsync_AnyOption_ChangesThePlanOrIsRefused(string name)
    {
        CreateFiles();
        List<string> wrong = [];
        Command command = Create(null).CreateRoot().Subcommands.Single(one => one.Name == name);
        string[] cases = [.. Cases.Where(line => line.Split(' ')[0] == name)];
        Assert.NotEmpty(cases);
        foreach (Option option in command.Options.Where(option => option is not HelpOption))
        {
            bool isUsed = false;
            foreach (string line in cases.Where(line => !line.Split(' ').Any(word => word == option.Name || option.Aliases.Contains(word))))
            {
                (string given, string beside) = SampleOf(name, option);
                (string? before, _) = await PlanAsync($"{line} {beside}");
                (string? after, int code) = await PlanAsync($"{line} {given} {beside}");
                string error = _error.ToString();
                isUsed |= (after is not null && after != before) || (after is null && error.Contains($"{option.Name} got '", StringComparison.Ordinal));
                bool isRight = after is null ? code == ExitCode.Usage : after != before || SayWhatIsSo.Contains($"{line} {given}");
                if (!isRight)
                {
                    wrong.Add($"{line} {given}: {(after is null ? $"exit code {code}, {error}" : "changes nothing")}");
                }
            }

            if (!isUsed && !SayWhatIsSo.Contains($"{name} {option.Name}"))
            {
                wrong.Add($"{name} {option.Name}: no case uses it");
            }
        }

        Assert.True(wrong.Count == 0, string.Join(Environment.NewLine, wrong));
    }

    private void CreateFiles()
    {
        Directory.CreateDirectory(Full(PathOfFolder));
        File.WriteAllText(Full(PathOfFile), "content");
        File.WriteAllText(Full("FOLDER/a"), "content");
        File.WriteAllBytes(Full("KEY"), new byte[32]);
        File.WriteAllText(Full("RULES"), "- *.b");
        File.WriteAllText(Full("PRICES"), """{"writes_per_1000": 0.005}""");
        File.WriteAllText(Full("REPORT"), JsonSerializer.Serialize(SampleReports.Sweep([null], [1, 2]), BenchJsonContext.Instance.BenchReport));
        File.WriteAllText(Full("WORKLOAD"), """{"version": 2, "comment": "", "filesOnDisk": true, "checksum": null, "maxRepeatCount": 1, "maxRepeatSecs": 1, "tasks": [{"action": "upload", "key": "a", "size": 5}]}""");
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using X509Certificate2 certificate = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256).CreateSelfSigned(DateTimeOffset.UnixEpoch, DateTimeOffset.UnixEpoch.AddYears(1));
        File.WriteAllText(Full("CERTIFICATE"), certificate.ExportCertificatePem() + "\n" + key.ExportPkcs8PrivateKeyPem());
    }

    private static (string Given, string Beside) SampleOf(string command, Option option)
    {
        string name = option.Name.Replace("--from-", "--", StringComparison.Ordinal).Replace("--to-", "--", StringComparison.Ordinal);
        (string? value, string beside) = Samples.TryGetValue($"{command} {name}", out (string? Value, string Beside) own) ? own
            : Samples.TryGetValue(name, out (string? Value, string Beside) general) ? general
            : (null, string.Empty);
        Assert.True(value is not null || option.ValueType == typeof(bool), $"{option.Name} needs a sample");
        return (value is null ? option.Name : $"{option.Name}={value}", beside);
    }

    private async Task<(string? Plan, int Code)> PlanAsync(string line)
    {
        _error.GetStringBuilder().Clear();
        string? plan = null;
        Tool tool = Create(settings =>
        {
            plan = PlanText.Of(settings);
            throw new OperationCanceledException("the plan is complete");
        });
        int code = await tool.RunAsync([.. line.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(Full)], CancellationToken.None);
        return (plan, code);
    }

    /// <summary>Replaces the names of files.</summary>
    private string Full(string word)
    {
        int equals = word.IndexOf('=', StringComparison.Ordinal) + 1;
        string text = word[equals..];
        return text.Split('/')[0] is PathOfFile or PathOfFolder or "KEY" or "RULES" or "PRICES" or "CERTIFICATE" or "REPORT" or "WORKLOAD" ? word[..equals] + Path.Combine(_folder.Path, text) : word;
    }

    private Tool Create(Action<IReadOnlyList<object?>>? planned) => new(
        new ToolConsole(TextWriter.Null, _error),
        CliLine.Environment(("AWS_REGION", "r"), ("AWS_ENDPOINT_URL", "https://127.0.0.1:1"), ("AWS_ACCESS_KEY_ID", "id"), ("AWS_SECRET_ACCESS_KEY", "hush")),
        TimeProvider.System,
        planned);
}
