using System.CommandLine;
using System.Text.Json;
using Transfer.S3.Cli;
using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;
using Transfer.S3.Configuration;

namespace Transfer.S3.Tests.Cli;

/// <summary>Runs complete command lines that need no connection.</summary>
public sealed class ToolTests : IDisposable
{
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();

    public void Dispose()
    {
        _output.Dispose();
        _error.Dispose();
    }

    [Theory]
    [InlineData("cp a b", "cp does not copy from this machine to itself")]
    [InlineData("cp a", "argument")]
    [InlineData("cp a s3://b/k extra", "cp does not copy from this machine to itself")]
    [InlineData("cp a b s3://b/k", "'s3://b/k' does not end with '/', and 2 sources were given")]
    [InlineData("cp s3://b/k s3://b/l file", "'file' is not a folder, and 2 sources were given")]
    [InlineData("cp s3://b/k s3://b/l -", "standard output takes one object, and 2 sources were given")]
    [InlineData("cp a - s3://b/p/", "'-' can't be one of several sources")]
    [InlineData("cp d/a e/a s3://b/p/", "'e/a' and 'd/a' would both be copied to 's3://b/p/a'")]
    [InlineData("cp -r a b s3://b/p/", "--recursive copies one folder or prefix, and 2 sources were given")]
    [InlineData("cp a b s3://b/p/ --include x", "--include isn't used for an upload of several sources")]
    [InlineData("cp s3://b/k s3://b/l / --range 0-9", "--range isn't used for a download of several sources")]
    [InlineData("completion tcsh", "SHELL got 'tcsh'; it accepts bash, zsh, fish, powershell, or man")]
    [InlineData("cp --jsno a s3://b/k", "'--jsno' is not an option of cp")]
    [InlineData("cp - s3://b", "standard input has no name")]
    [InlineData("cp a s3://b/k --part-size 1MiB", "--part-size got '1MiB'")]
    [InlineData("cp a s3://b/k --progress dots", "--progress got 'dots'")]
    [InlineData("cp a s3://b/k --progress bar --events -", "--progress got 'bar'; it accepts none together with --events -")]
    [InlineData("cp a s3://b/k --events /there/is/no/such/folder/file", "--events got '/there/is/no/such/folder/file', which can't be written: there is no such folder")]
    [InlineData("cp a s3://b/k --metrics-address 127.0.0.1", "--metrics-address got '127.0.0.1'; it accepts a port from 0 to 65535")]
    [InlineData("cp a s3://b/k --metrics-address store.example:9464", "--metrics-address got 'store.example:9464'; it accepts a port")]
    [InlineData("rm s3://b/k --report /there/is/no/such/folder/file", "--report got '/there/is/no/such/folder/file', which can't be written: there is no such folder; it accepts a file")]
    [InlineData("rm s3://b/k --report -", "--report got '-'; it accepts a file")]
    [InlineData("rm s3://b/k --dry-run --report file", "--report lists what was done, and --dry-run does nothing; specify only one of them")]
    [InlineData("ls s3://b --report file", "'--report' is not an option of ls, but of cp")]
    [InlineData("ls s3://b -v --quiet", "--quiet and --verbose contradict each other")]
    [InlineData("ls s3://b --debug --quiet", "--quiet and --debug contradict each other")]
    [InlineData("cp / s3://b", "'/' is a folder; add -r to copy its contents")]
    [InlineData("cp s3://b a", "is a bucket; add -r to copy all objects in it")]
    [InlineData("cp s3://b/p/ a", "is a prefix; add -r to copy all objects under it")]
    [InlineData("cp --exclude x a s3://b/k", "--exclude is for many objects; use it with -r")]
    [InlineData("cp -r --version-id v s3://b a", "--version-id isn't used for a download with -r")]
    [InlineData("cp -r --range 0-9 s3://b a", "--range isn't used for a download with -r")]
    [InlineData("cp --recursive --through s3://b s3://c", "--through isn't used for a copy inside the store with -r")]
    [InlineData("cp -r --if-match x / s3://c", "--if-match isn't used for an upload with -r")]
    [InlineData("cp -r --links skip s3://b a", "--links isn't used for a download with -r")]
    [InlineData("cp -r --content-type x s3://b s3://c", "--content-type can't be used with it")]
    [InlineData("cp -r --checksum crc32c s3://b s3://c", "can't be used with it")]
    [InlineData("cp -r - s3://c", "standard input and output are one object")]
    [InlineData("rm s3://b", "is a bucket; add -r and --whole-bucket")]
    [InlineData("rm -r s3://b", "has no prefix; add --whole-bucket")]
    [InlineData("rm -r s3://b/", "has no prefix; add --whole-bucket")]
    [InlineData("rm -r s3://b/p --whole-bucket", "--whole-bucket isn't used for rm with -r")]
    [InlineData("rm -r s3://b/p --version-id v", "--version-id isn't used for rm with -r")]
    [InlineData("rm s3://b/k --include x", "--include is for many objects; use it with -r")]
    [InlineData("rm -r s3://b/p --max-delete 101%", "--max-delete got '101%'; it accepts a number such as 1000")]
    [InlineData("rm -r s3://b/p --max-delete -1", "--max-delete got '-1'")]
    [InlineData("rm s3://b/k --keys-from /", "--keys-from is for many objects; use it with -r")]
    [InlineData("rm -r s3://b/p --keys-from /", "--keys-from got '/'; it accepts a file or -, and this is a folder")]
    [InlineData("rm -r s3://b/p --keys-from /nothing", "--keys-from got '/nothing'; it accepts a file or -, and there is no such file")]
    [InlineData("rm -r s3://b/p --keys-from - --keys-format json", "--keys-format got 'json'; it accepts lines, nul, csv")]
    [InlineData("rm -r s3://b/p --keys-from - --min-size 1", "--keys-from can't be combined with filters by size")]
    [InlineData("rm -r s3://b/p --keys-from - --max-delete 5", "--max-delete isn't used for rm with -r and --keys-from")]
    [InlineData("rm -r s3://b/p --keys-from - --even-if-changed", "--even-if-changed isn't used for rm with -r and --keys-from")]
    [InlineData("rm -r s3://b/p --even-if-changed", "--even-if-changed isn't used for rm with -r")]
    [InlineData("mv s3://b/k . --allow-loss tags", "--allow-loss isn't used for a download")]
    [InlineData("rm -r s3://b --keys-from - --whole-bucket", "--whole-bucket isn't used for rm with -r and --keys-from")]
    [InlineData("rm -r s3://b/p --keys-format csv", "--keys-format isn't used for rm with -r")]
    [InlineData("cp -r / s3://b --keys-from -", "--keys-from isn't used for an upload with -r")]
    [InlineData("cp s3://b/k s3://c/k --keys-from -", "--keys-from is for many objects; use it with -r")]
    [InlineData("rm file", "not an address in a store")]
    [InlineData("ls bucket", "s3://bucket")]
    [InlineData("ls --uploads", "--uploads needs a bucket")]
    [InlineData("verify a b", "verify compares a file with an object")]
    [InlineData("verify a s3://b/k --to-region b", "are for two stores")]
    [InlineData("verify s3://b/k s3://c/k --sse-c-key-file a", "--sse-c-key-file isn't used for two objects")]
    [InlineData("verify - s3://b/k", "does not read standard input")]
    [InlineData("verify / s3://b/k --version-id 1", "--version-id isn't used for a folder and a prefix")]
    [InlineData("verify a s3://b/k --include *.txt", "--include isn't used for a file and an object")]
    [InlineData("verify a s3://b/k --exclude *.txt", "--exclude isn't used for a file and an object")]
    [InlineData("verify a s3://", "has no bucket")]
    [InlineData("abort s3://", "abort needs a bucket")]
    [InlineData("abort", "argument")]
    [InlineData("abort s3://b --older-than soon", "--older-than got 'soon'")]
    [InlineData("cat", "argument")]
    [InlineData("cat s3://b/k s3://b/p/ s3://b", "cat needs the key of an object")]
    [InlineData("cat s3://b/k s3://b/l --range 0-9", "--range isn't used for several objects")]
    [InlineData("du s3://", "du needs a bucket")]
    [InlineData("du s3://b --depth -1", "--depth got '-1'; it accepts a number from 0 to 1024")]
    [InlineData("mb s3://", "mb needs a bucket")]
    [InlineData("mb s3://b/k", "mb needs a bucket without a key")]
    [InlineData("rb s3://b/k", "rb needs a bucket without a key")]
    [InlineData("tag s3://b", "tag needs the key of an object")]
    [InlineData("tag s3://b/k --set a", "--set got 'a'; it accepts KEY=VALUE")]
    [InlineData("tag s3://b/k --set a=1 --set a=2", "--set got 'a=2'; it accepts KEY=VALUE, each key once")]
    [InlineData("tag s3://b/k --set a=1 --remove a", "--set and --remove contradict each other: both have 'a'")]
    [InlineData("stat s3://b", "stat needs the key of an object")]
    [InlineData("presign s3://b", "presign needs the key of an object")]
    [InlineData("presign s3://b/k --expires 8d", "--expires got '8d'; it accepts a time from 1s to 7d")]
    [InlineData("presign s3://b/k --expires 0", "--expires got '0'")]
    [InlineData("presign s3://b/k --method delete", "--method got 'delete'; it accepts get or put")]
    [InlineData("presign s3://b/k --method put --version-id v", "--version-id is for a URL to download")]
    [InlineData("presign s3://b/k --no-sign-request --region r", "--no-sign-request has no credentials to sign it with")]
    [InlineData("serve --port 70000", "--port got '70000'")]
    [InlineData("serve --port 0 --bucket b", "--bucket is 'b'; allowed: ")]
    [InlineData("serve --fault nonsense=0.1", "--fault got 'nonsense=0.1'; it accepts NAME=PROBABILITY")]
    [InlineData("serve --fault nonsense=0.1", "slow-down-retry-after, internal-error,")]
    [InlineData("serve --fault slow-down=1.1", "--fault got 'slow-down=1.1'")]
    [InlineData("serve --fault slow-down=0.6 --fault lose-reply=0.5", "--fault got 'lose-reply=0.5'; it accepts probabilities whose sum is at most 1")]
    [InlineData("serve --fault fail-handshake=0.1", "together with --certificate")]
    [InlineData("serve --fault slow-down=0.1 --fault-seed x", "--fault-seed got 'x'")]
    [InlineData("serve --certificate no-such-file", "--certificate got 'no-such-file'")]
    [InlineData("serve --ttfb 40", "--ttfb got '40'")]
    [InlineData("demo --size big", "--size got 'big'")]
    [InlineData("bench", "argument")]
    [InlineData("bench get", "bench needs a bucket")]
    [InlineData("bench get s3://b --part-size huge", "--part-size got 'huge'")]
    [InlineData("bench get s3://b --runs 0", "--runs got '0'")]
    [InlineData("bench get s3://b --generate 1MiBx2 --part-size 2MiB", "a range can't be larger than the object")]
    [InlineData("bench get s3://b --access-key-id id", "--access-key-id is specified and --secret-access-key is not")]
    [InlineData("bench get s3://b --secret-access-key hush", "--secret-access-key is specified and --access-key-id is not")]
    [InlineData("bench get s3://b --access-key-id id --secret-access-key hush --no-sign-request", "each selects the credentials")]
    [InlineData("frobnicate", "'frobnicate' is not a command")]
    [InlineData("frobnicate --help", "'frobnicate' is not a command")]
    [InlineData("--help frobnicate", "'frobnicate' is not a command")]
    [InlineData("frobnicate s3://b/k -h", "'frobnicate' is not a command")]
    [InlineData("--frobnicate --help", "'--frobnicate' is not a command")]
    [InlineData("cpp a s3://b/k", "'cpp' is not a command; did you mean 'transfer cp'?")]
    [InlineData("vreify a s3://b/k", "did you mean 'transfer verify'?")]
    [InlineData("sync /nothing s3://b", "'/nothing': no such folder")]
    [InlineData("sync a b", "sync doesn't copy from this machine to itself")]
    [InlineData("sync - s3://b", "it can't read standard input")]
    [InlineData("sync s3://b/a s3://b/a/b --compare newer", "--compare got 'newer'; it accepts auto, size, time, or content")]
    [InlineData("sync --max-delete 5 / s3://b", "--max-delete isn't used for a sync to the store without --delete and --dry-run")]
    [InlineData("sync --delete --max-delete 101% / s3://b", "--max-delete got '101%'")]
    [InlineData("sync --delete-excluded / s3://b", "--delete-excluded isn't used for a sync to the store without --delete and --dry-run")]
    [InlineData("sync --exit-code / s3://b", "--exit-code isn't used for a sync to the store without --delete and --dry-run")]
    [InlineData("sync --modify-window 1s / s3://b", "--modify-window isn't used for")]
    [InlineData("sync --no-clobber / s3://b", "'--no-clobber' is not an option of sync")]
    [InlineData("sync --from-region r / s3://b", "are for two stores")]
    [InlineData("del s3://b/k", "'del' is not a command; use 'transfer rm'")]
    [InlineData("mv a b", "mv does not move from this machine to itself")]
    [InlineData("mv - s3://b/k", "mv moves files and objects, and not standard input or output")]
    [InlineData("mv s3://b/k s3://b/k2 --range 0-9", "'--range' is not an option of mv")]
    [InlineData("head s3://b/k", "use 'transfer stat'")]
    [InlineData("help nonsense", "'nonsense' is not a command")]
    [InlineData("cp --concurency 4 a s3://b/k", "'--concurency' is not an option of cp; did you mean --concurrency?")]
    [InlineData("cp --concurency=4 a s3://b/k", "did you mean --concurrency?")]
    [InlineData("ls --query x s3://b", "'--query' is not an option of ls; use --json, and a tool such as jq")]
    [InlineData("ls --metadata-directive REPLACE s3://b", "'--metadata-directive' is not an option of ls\n")]
    [InlineData("cp --metadata-directive REPLACE s3://a/k s3://b/k", "'--metadata-directive' is not an option of cp; metadata is copied, and replaced if --metadata is given")]
    [InlineData("cp --endpoint http://h a s3://b/k", "'--endpoint' is not an option of cp; did you mean --endpoint-url?")]
    [InlineData("ls --no-clobber s3://b", "'--no-clobber' is not an option of ls, but of cp")]
    [InlineData("ls --part-size 8MiB s3://b", "'--part-size' is not an option of ls, but of cp, mv, and ")]
    [InlineData("s3 ls", "'s3' is not a command; omit it, as in 'transfer ls'")]
    [InlineData("cp --sse-c AES256 a s3://b/k", "use --sse-c-key-file")]
    [InlineData("mb --request-payer s3://b", "'--request-payer' is not an option of mb, and neither is --requester-pays, which has the same meaning")]
    [InlineData("--dry-run ls s3://b", "'--dry-run' is not an option of ls")]
    [InlineData("cp", "an argument is missing; cp needs SRC... and DST\n")]
    [InlineData("bench", "an argument is missing; bench needs OPERATION or --workload\n")]
    [InlineData("rb s3://a s3://b", "'s3://b' is one argument too many for rb")]
    [InlineData("cp a s3://b/k --sse", "--sse needs a value: AES256, aws:kms, or aws:kms:dsse")]
    [InlineData("cp a s3://b/k --region r --region q", "--region is specified more than once")]
    [InlineData("cp - s3://b/k --metadata a=b,c=d", "--metadata got 'a=b,c=d'; it accepts one NAME=VALUE; repeat --metadata for each pair")]
    [InlineData("cat s3://b/k --dry-run", "'--dry-run' is not an option of cat")]
    [InlineData("cp --keep-time s3://b/a s3://b/c", "--keep-time isn't used for a copy inside the store")]
    [InlineData("cp --limit-rate 1MiB s3://b/a s3://b/c", "--limit-rate isn't used for a copy inside the store")]
    [InlineData("cp --fsync / s3://b/c", "--fsync isn't used for an upload")]
    [InlineData("cp --content-type x s3://b/a b", "--content-type isn't used for a download")]
    [InlineData("ls --recursive", "--recursive isn't used for the buckets")]
    [InlineData("serve --fault-seed 7", "--fault-seed isn't used for a server without --fault")]
    [InlineData("ls --any-prefix s3://b/p", "--any-prefix isn't used for a listing of one level")]
    [InlineData("ls -r --any-prefix s3://b", "--any-prefix isn't used for a whole bucket")]
    [InlineData("du --any-prefix s3://b", "--any-prefix isn't used for a whole bucket")]
    [InlineData("ls --include *", "--include isn't used for the buckets")]
    [InlineData("ls --uploads --requester-pays s3://b", "--requester-pays isn't used for uploads")]
    [InlineData("ls --as-of tomorrow s3://b", "--as-of got 'tomorrow'; it accepts a time ago such as 12h or 7d, or a date such as")]
    [InlineData("ls --as-of 9999-01-31 s3://b", "--as-of got '9999-01-31'; it accepts a time that has passed")]
    [InlineData("ls --as-of 1d", "--as-of isn't used for the buckets")]
    [InlineData("ls --uploads --as-of 1d s3://b", "--as-of isn't used for uploads")]
    [InlineData("cp --as-of 1d --version-id v s3://b/k -", "--as-of finds the versions itself; omit --version-id")]
    [InlineData("cp -r --as-of 1d --keys-from - s3://b/k s3://c", "--as-of finds the objects of that time by a listing; omit --keys-from")]
    [InlineData("cp --as-of 1d - s3://b/k", "--as-of isn't used for an upload")]
    [InlineData("plan --sync --as-of 1d s3://b/k s3://c --run s3://r/x", "--sync has to know what is in SRC when the job ends; omit --as-of")]
    [InlineData("cp --as-of 1d https://h/b/k -", "a URL determines the object, its version")]
    [InlineData("cp -r s3://b/p a --restore-days 3", "--restore-days")]
    [InlineData("cp -r s3://b/p a --archived later", "--archived got 'later'")]
    [InlineData("verify s3://b/k s3://c/k --keys-from keys", "--keys-from")]
    [InlineData("frobnicate --version", "'frobnicate' is not a command")]
    public async Task RunAsync_InvalidCommandLine_ExitsWithUsageErrorAndReason(string line, string expected)
    {
        Assert.Equal(ExitCode.Usage, await RunAsync(line));
        Assert.Contains(expected, _error.ToString(), StringComparison.Ordinal);
        Assert.StartsWith("transfer: ", _error.ToString(), StringComparison.Ordinal);
        Assert.Empty(_output.ToString());
    }

    [Theory]
    [InlineData("mv https://host/bucket/key?X-Amz-Signature=hush a")]
    [InlineData("cp a https://user:hush@host/bucket/key")]
    [InlineData("ls https://user:hush@host/bucket?X-Amz-Signature=hush")]
    [InlineData("verify a https://host/bucket/key?X-Amz-Signature=hush --json")]
    [InlineData("ls s3://b --endpoint-url http://user:hush@host --json")]
    public async Task RunAsync_AddressWithSecrets_DoesNotShowThem(string line)
    {
        Assert.Equal(ExitCode.Usage, await RunAsync(line));
        Assert.Contains("host", _error.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("hush", _error.ToString() + _output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("cp a b --json")]
    [InlineData("cp a --json")]
    [InlineData("cp a s3://b/k --part-size 1 --json")]
    public async Task RunAsync_InvalidCommandLineWithJson_StillWritesTheResult(string line)
    {
        Assert.Equal(ExitCode.Usage, await RunAsync(line));
        using JsonDocument json = JsonDocument.Parse(_output.ToString());
        Assert.Equal("cp", json.RootElement.GetProperty("operation").GetString());
        Assert.Equal(1, json.RootElement.GetProperty("errors").GetArrayLength());
    }

    [Theory]
    [InlineData("presign s3://b/k --page-size 5 --no-progress", "transfer: note: --page-size has no effect here: pages always have the size that the store prefers\ntransfer: note: --no-progress has no effect here: this command shows no progress\n")]
    [InlineData("presign s3://b/k --page-size 5 --quiet", "")]
    [InlineData("presign s3://b/k --page-size 5 --only-show-errors", "")]
    public async Task RunAsync_OptionOfAnotherToolWithoutEffect_IsNotedAndIgnored(string line, string expected)
    {
        Tool tool = new(new ToolConsole(_output, _error), CliLine.Environment(("AWS_REGION", "r")), TimeProvider.System, _ => throw new OperationCanceledException("the plan is complete"));
        await tool.RunAsync(line.Split(' '), CancellationToken.None);
        Assert.StartsWith(expected + "transfer: unexpected error: the plan is complete", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task RunAsync_TwoResultsForOneOutput_AreRejected()
    {
        Assert.Equal(ExitCode.Usage, await RunAsync("bench get s3://b --json --csv"));
        Assert.Contains("--csv and --json both go to standard output", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task RunAsync_SourceIsMissing_Fails()
    {
        Assert.Equal(ExitCode.Failed, await RunAsync("cp /there/is/no/such/file s3://b/k --endpoint-url http://127.0.0.1:1"));
        Assert.Contains("no such file", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task RunAsync_FolderIsMissing_Fails()
    {
        Assert.Equal(ExitCode.Failed, await RunAsync("cp -r /there/is/no/such/folder s3://b --endpoint-url http://127.0.0.1:1"));
        Assert.Contains("no such folder", _error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("--help")]
    [InlineData("help")]
    [InlineData("help cp")]
    [InlineData("version")]
    [InlineData("cp --help")]
    [InlineData("cp --help-all")]
    [InlineData("help cp --all")]
    [InlineData("--help-all")]
    [InlineData("cp --nonsense --help")]
    [InlineData("cp --nonsense --help-all")]
    [InlineData("--version")]
    public async Task RunAsync_Help_WritesToStandardOutput(string line)
    {
        Assert.Equal(ExitCode.Done, await RunAsync(line));
        Assert.Contains("transfer", _output.ToString(), StringComparison.Ordinal);
        Assert.Empty(_error.ToString());
    }

    /// <summary>One line is left for the prompt.</summary>
    [Theory]
    [InlineData("")]
    [InlineData("--help")]
    public async Task RunAsync_HelpOfTheTool_FitsATerminal(string line)
    {
        Assert.Equal(ExitCode.Done, await RunAsync(line));
        string[] lines = _output.ToString().TrimEnd('\n').Split('\n');
        Assert.InRange(lines.Length, 1, 23);
        Assert.All(lines, text => Assert.InRange(text.Length, 0, 80));
        Assert.All(Create().CreateRoot().Subcommands, command => Assert.Contains($"  {command.Name} ", _output.ToString(), StringComparison.Ordinal));
    }

    [Fact]
    public async Task RunAsync_HelpOfACommand_StartsWithExamplesAndShortNames()
    {
        Assert.Equal(ExitCode.Done, await RunAsync("cp --help-all"));
        string help = _output.ToString();
        Assert.Contains("Usage: transfer cp SRC... DST [options]\n\nExamples:\n  transfer cp ", help, StringComparison.Ordinal);
        Assert.Contains("\nMany objects:\n  -r, --recursive ", help, StringComparison.Ordinal);
        Assert.Contains("\n  -q, --quiet ", help, StringComparison.Ordinal);
        Assert.All(help.Split('\n').Where(text => !text.StartsWith("  transfer", StringComparison.Ordinal)), text => Assert.InRange(text.Length, 0, 80));
    }

    /// <summary>One line is left for the prompt.</summary>
    [Fact]
    public async Task RunAsync_ShortHelpOfEachCommand_FitsAScreen()
    {
        foreach (Command command in Create().CreateRoot().Subcommands)
        {
            _output.GetStringBuilder().Clear();
            Assert.Equal(ExitCode.Done, await RunAsync($"help {command.Name}"));
            string[] lines = _output.ToString().TrimEnd('\n').Split('\n');
            Assert.True(lines.Length <= 23, $"{command.Name} has {lines.Length} lines. Use RareOption for options that few people need.\n{_output}");
            Assert.All(lines.Where(text => !text.StartsWith("  transfer", StringComparison.Ordinal)), text => Assert.InRange(text.Length, 0, 80));
            Assert.Contains($"Usage: transfer {command.Name}", _output.ToString(), StringComparison.Ordinal);
            Assert.Contains("\nExamples:\n  ", _output.ToString(), StringComparison.Ordinal);
            Assert.True(lines[^1].Contains("--help-all", StringComparison.Ordinal) || command.Options.All(option => option.Hidden || _output.ToString().Contains(option.Name, StringComparison.Ordinal)));
        }
    }

    [Fact]
    public async Task RunAsync_ShortHelp_LeavesOutRareOptionsAndDetails()
    {
        Assert.Equal(ExitCode.Done, await RunAsync("help cp"));
        string help = _output.ToString();
        Assert.Contains("  --limit-rate RATES     Maximum transfer rate per second, 1 KiB to 1 TiB.\n", help, StringComparison.Ordinal);
        Assert.Equal(3, help.Split("\n  transfer cp ").Length - 1);
        Assert.Contains("\n  Also: --json, -q, --progress, ", help.Replace("--endpoint-url, --region, --profile, ", string.Empty, StringComparison.Ordinal), StringComparison.Ordinal);
        Assert.DoesNotContain("--empty-folders", help, StringComparison.Ordinal);
        Assert.EndsWith("Run 'transfer cp --help-all' for all options, with exit codes.\n", help, StringComparison.Ordinal);
    }

    [Fact]
    public async Task RunAsync_ShortHelpOfBench_NamesWorkloads()
    {
        Assert.Equal(ExitCode.Done, await RunAsync("bench --help"));
        Assert.Contains("\n  --workload FILE ", _output.ToString(), StringComparison.Ordinal);
    }

    /// <summary>A result that nobody gets is a failure, except when its reader has read enough.</summary>
    [Theory]
    [InlineData("--help", "transfer: the result could not be written to standard output: no space left on device\n")]
    [InlineData("--version", "transfer: the result could not be written to standard output: no space left on device\n")]
    [InlineData("", "transfer: the result could not be written to standard output: no space left on device\n")]
    public async Task RunAsync_OutputIsFull_Fails(string line, string expected)
    {
        using FullWriter full = new();
        Assert.Equal(ExitCode.Failed, await new Tool(new ToolConsole(full, _error), CliLine.Environment(), TimeProvider.System).RunAsync(line.Split(' ', StringSplitOptions.RemoveEmptyEntries), CancellationToken.None));
        Assert.Equal(expected, _error.ToString());
    }

    /// <summary>A variable with a misspelled name would be ignored silently. One of another program isn't similar to any.</summary>
    [Fact]
    public async Task RunAsync_MisspelledVariable_IsAWarning()
    {
        string[] names = ["TRANSFER_CONCURENCY", "TRANSFER_CONCURRENCY", "TRANSFER_URL", "TRANSFER_SHARD", "TRANSFER_DEBUG", "TRANSFER_BUILD_NUMBER", "TRANSFER_MEMORRY"];
        ToolEnvironment environment = new(name => name switch { "TRANSFER_CONCURRENCY" => "4", "TRANSFER_MEMORRY" => string.Empty, _ => names.Contains(name) ? "1" : null }, () => names);
        await new Tool(new ToolConsole(_output, _error), environment, TimeProvider.System).RunAsync(["cp", "a", "b"], CancellationToken.None);
        Assert.StartsWith("transfer: warning: TRANSFER_CONCURENCY is not a variable of this tool; did you mean TRANSFER_CONCURRENCY?\n", _error.ToString(), StringComparison.Ordinal);
        Assert.Single(_error.ToString().Split('\n'), line => line.Contains("warning", StringComparison.Ordinal));
    }

    /// <summary>The library reads variables, too.</summary>
    [Fact]
    public void FindMisspelled_VariablesOfTheLibrary_AreKnown()
    {
        string[] names = [.. ClientOptionTable.All.Select(option => option.Variable).OfType<string>(), .. ToolEnvironment.Others];
        ToolEnvironment environment = new(_ => "1", () => names);
        Assert.All(Create().CreateRoot(["--help"]).Subcommands, command => Assert.Empty(environment.FindMisspelled(command)));
    }

    [Fact]
    public async Task RunAsync_CompleteHelp_HasAllOptionsOfTheCommand()
    {
        foreach (Command command in Create().CreateRoot().Subcommands)
        {
            _output.GetStringBuilder().Clear();
            Assert.Equal(ExitCode.Done, await RunAsync($"{command.Name} --help-all"));
            Assert.All(command.Options, option => Assert.Contains(option.Name, _output.ToString(), StringComparison.Ordinal));
        }
    }

    /// <summary>All commands together have hundreds of options, and a process that runs one of them would pay for each.</summary>
    [Theory]
    [InlineData("--version")]
    [InlineData("version")]
    [InlineData("ls s3://b", "ls")]
    [InlineData("mv --nonsense", "mv")]
    [InlineData("help cp", "cp")]
    [InlineData("completion man", "completion")]
    public void CreateRoot_LineThatBeginsWithACommand_BuildsNoOther(string line, params string[] expected)
        => Assert.Equal(expected, Create().CreateRoot(line.Split(' ')).Subcommands.Select(command => command.Name));

    [Theory]
    [InlineData("--help")]
    [InlineData("--version cp")]
    [InlineData("help")]
    [InlineData("help nonsense")]
    [InlineData("nonsense")]
    [InlineData("--region r ls")]
    [InlineData("[suggest] l")]
    public void CreateRoot_OtherLine_BuildsAllCommandsInTheOrderOfTheHelp(string line)
        => Assert.Equal(Create().CreateRoot().Subcommands.Select(command => command.Name), Create().CreateRoot(line.Split(' ')).Subcommands.Select(command => command.Name));

    /// <summary>The names by which commands are found are also their own.</summary>
    [Fact]
    public void CreateRoot_NameOfEachCommand_BuildsIt()
        => Assert.All(Create().CreateRoot().Subcommands, command => Assert.Equal(command.Name, Assert.Single(Create().CreateRoot([command.Name]).Subcommands).Name));

    [Fact]
    public void BuildAll_AfterOneCommand_AddsTheOthersInTheirPlaces()
    {
        ToolRoot root = Create().CreateRoot(["ls"]);
        Command list = root.Subcommands[0];
        Assert.Equal(Create().CreateRoot().Subcommands.Select(command => command.Name), root.BuildAll().Select(command => command.Name));
        Assert.Same(list, root.Subcommands.Single(command => command.Name == "ls"));
    }

    [Fact]
    public void CreateRoot_EveryCommand_HasExamplesThatParse()
    {
        RootCommand root = Create().CreateRoot();
        foreach (ToolCommand command in root.Subcommands.Cast<ToolCommand>())
        {
            Assert.NotEmpty(command.Examples);
            foreach ((string line, _) in command.Examples)
            {
                string own = line[(line.IndexOf("transfer ", StringComparison.Ordinal) + "transfer ".Length)..].Split('|', '>', ')')[0];
                Assert.StartsWith(command.Name, own, StringComparison.Ordinal);
                ParseResult parsed = root.Parse(own.Replace("--html report.html", string.Empty, StringComparison.Ordinal));
                Assert.Empty(parsed.Errors);
                CommandLineErrors.Check(parsed);
            }
        }
    }

    [Fact]
    public async Task RunAsync_ThousandsOfSources_AreAccepted()
    {
        string[] line = ["cp", .. Enumerable.Range(0, 10_000).Select(i => $"f{i}"), "s3://b/k"];
        Assert.Equal(ExitCode.Usage, await Create().RunAsync(line, CancellationToken.None));
        Assert.Contains("'s3://b/k' does not end with '/', and 10000 sources were given", _error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("ver", "verify")]
    [InlineData("cp --check", "--checksum")]
    [InlineData("cp --dry", "--dryrun")]
    [InlineData("cp a s3://b/k --progress ", "plain")]
    [InlineData("cp -r --on-failure ", "continue")]
    [InlineData("completion ", "fish")]
    [InlineData("presign --method ", "put")]
    [InlineData("cp --checksum ", "crc64nvme")]
    [InlineData("cp --storage-class ", "GLACIER_IR")]
    [InlineData("cp --acl ", "private")]
    [InlineData("cp --acl=pri", "--acl=private")]
    [InlineData("cp --checksum=", "--checksum=crc32c")]
    [InlineData("bench ", "mixed")]
    [InlineData("verify --metrics", "--metrics-address")]
    public async Task RunAsync_Suggest_WritesThePossibleWords(string line, string expected)
    {
        Assert.Equal(ExitCode.Done, await Create().RunAsync(["[suggest]", line], CancellationToken.None));
        Assert.Contains(expected, _output.ToString().Split('\n'));
        Assert.Empty(_error.ToString());
    }

    [Theory]
    [InlineData("cp ")]
    [InlineData("cp -r dir")]
    [InlineData("cp -r dir ")]
    public async Task RunAsync_SuggestForAPath_LeavesItToTheShell(string line)
    {
        Assert.Equal(ExitCode.Done, await Create().RunAsync(["[suggest]", line], CancellationToken.None));
        Assert.Empty(_output.ToString());
    }

    /// <summary>Nothing listens on the port, and there are no credentials.</summary>
    [Theory]
    [InlineData("ls --endpoint-url http://127.0.0.1:1 s3://b")]
    [InlineData("ls --endpoint-url nonsense s3://b/k")]
    [InlineData("ls --profile there-is-no-such-profile s3://b/k")]
    [InlineData("cp --endpoint-url http://127.0.0.1:1 --no-sign-request a s3://")]
    public async Task RunAsync_SuggestAddressWithoutAnswer_IsSilent(string line)
    {
        SteppedClock time = new() { SkipDelaysBelow = TimeSpan.FromSeconds(10) };
        Tool tool = new(new ToolConsole(_output, _error), CliLine.Environment(("AWS_REGION", "r"), ("AWS_EC2_METADATA_DISABLED", "true")), time);
        Assert.Equal(ExitCode.Done, await tool.RunAsync(["[suggest]", line], CancellationToken.None).WaitAsync(TimeSpan.FromSeconds(30)));
        Assert.Empty(_output.ToString() + _error);
    }

    [Theory]
    [InlineData("s3://b/photos/1.jpg", true)]
    [InlineData("s3://b/文.txt", true)]
    [InlineData("s3://b/$(reboot)", false)]
    [InlineData("s3://b/a b", false)]
    [InlineData("s3://b/a;b", false)]
    [InlineData("s3://b/`a`", false)]
    [InlineData("s3://b/a\u001b", false)]
    public void IsPlain_NameThatAShellWouldRun_IsNotOffered(string name, bool expected) => Assert.Equal(expected, AddressCompletion.IsPlain(name));

    [Fact]
    public async Task RunAsync_Manual_HasEveryCommandAndOption()
    {
        Assert.Equal(ExitCode.Done, await RunAsync("completion man"));
        string page = _output.ToString();
        Assert.StartsWith(".TH TRANSFER 1 ", page, StringComparison.Ordinal);
        Assert.All(page, letter => Assert.InRange(letter, '\n', '~'));
        Assert.All(page.Split('\n').Where(text => text is ['.', ..]), text => Assert.Contains(text.Split(' ')[0], (string[])[".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".I"]));
        foreach (Command command in Create().CreateRoot().Subcommands)
        {
            Assert.Contains($".SH \"TRANSFER {command.Name.ToUpperInvariant()}\"\n", page, StringComparison.Ordinal);
            Assert.All(command.Options, option => Assert.Contains(option.Name.Replace("-", "\\-", StringComparison.Ordinal), page, StringComparison.Ordinal));
        }
    }

    [Theory]
    [InlineData("bash", "complete -o default -F _transfer transfer")]
    [InlineData("zsh", "then _transfer; else compdef _transfer transfer; fi")]
    [InlineData("fish", "complete -c transfer ")]
    [InlineData("powershell", "Register-ArgumentCompleter -Native -CommandName transfer ")]
    public async Task RunAsync_Completion_WritesAScriptThatCallsTheTool(string shell, string expected)
    {
        Assert.Equal(ExitCode.Done, await RunAsync($"completion {shell}"));
        Assert.Contains(expected, _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("transfer '[suggest]' ", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void CreateRoot_EveryOptionAndArgument_HasADescription()
    {
        foreach (Command command in Create().CreateRoot().Subcommands)
        {
            Assert.All(command.Options, option => Assert.False(string.IsNullOrEmpty(option.Description), option.Name));
            Assert.All(command.Arguments, argument => Assert.False(string.IsNullOrEmpty(argument.Description), argument.Name));
        }
    }

    private Tool Create() => new(new ToolConsole(_output, _error), CliLine.Environment(("AWS_REGION", "r")), TimeProvider.System);

    private Task<int> RunAsync(string line) => Create().RunAsync(line.Split(' ', StringSplitOptions.RemoveEmptyEntries), CancellationToken.None);
}
