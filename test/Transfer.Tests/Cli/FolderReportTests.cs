using Microsoft.Extensions.Logging;
using Transfer.S3.Cli;
using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;
using Transfer.S3.Cli.Telemetry;

namespace Transfer.S3.Tests.Cli;

public sealed class FolderReportTests : IDisposable
{
    private static readonly ChecksumVerdict Verified = ChecksumVerdict.Verified(ChecksumAlgorithm.Crc64Nvme, "AAAAAAAAAAA=");
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly FakeTimeProvider _time = new();
    private Invocation? _invocation;

    private Tally Tally => _invocation!.Tally;

    private string[] ErrorLines => _error.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);

    public void Dispose()
    {
        _output.Dispose();
        _error.Dispose();
        _stop.Dispose();
        _invocation?.Dispose();
    }

    [Fact]
    public void Summarize_AllCounts_AreInOneLine()
    {
        FolderReport report = Create();
        Move(report, 2000, Verified);
        Move(report, 1, ChecksumVerdict.Unverified("why"));
        report.Ended(new Outcome { Status = OutcomeStatus.Skipped, Name = "p/k", Bytes = 5 });
        Fail(report, new TransferException("text") { Key = "p/k" });
        _time.Advance(TimeSpan.FromSeconds(2));

        report.Finish();
        report.Summarize();

        Assert.Equal(
            "2,001 objects, 195 KiB in 2.0 s (1,000 objects/s), 2,000 verified and 1 unverified, 1 skipped (target exists), 1 failed",
            ErrorLines[^1]);
        Assert.EachEqual((2001, 200_100, 1, "unverified"), (Tally.Objects, Tally.Bytes, Tally.Failed, Tally.Checksum.Verdict));
        Assert.Equal(ExitCode.Failed, _invocation!.ExitCode);
    }

    [Theory]
    [InlineData("", 2, Bottleneck.Network, "limited by: network")]
    [InlineData("", 1, Bottleneck.None, null)]
    [InlineData("", 0, Bottleneck.Latency, null)]
    [InlineData("--quiet", 1, Bottleneck.Network, null)]
    public void Summarize_Bottleneck_IsTheLastLine(string line, int objects, Bottleneck bottleneck, string? expected)
    {
        FolderReport report = Create(line);
        Move(report, objects, Verified);
        Tally.Times = new TransferTimes { Bottleneck = bottleneck };

        report.Finish();
        report.Summarize();

        Assert.Equal(expected, ErrorLines.SingleOrDefault(text => text.StartsWith("limited by", StringComparison.Ordinal)));
        Assert.Equal(expected is not null, ErrorLines.LastOrDefault() == expected && expected is not null);
    }

    [Fact]
    public void Ended_ManyFailures_OnlyTheFirstAreWritten()
    {
        FolderReport report = Create();
        for (int i = 0; i < 1500; i++)
        {
            Fail(report, new TransferException($"s3://b/p/{i}\u001b: no") { Key = $"p/{i}" });
        }

        report.Finish();

        Assert.Equal(21, ErrorLines.Length);
        Assert.Equal("transfer: s3://b/p/0\\u001b: no", ErrorLines[0]);
        Assert.Contains("further failures are only counted", ErrorLines[20], StringComparison.Ordinal);
        Assert.EachEqual((1500, 1000), (Tally.Failed, Tally.Errors.Count));
        Assert.Null(report.Fatal);
    }

    [Fact]
    public void Ended_FailuresWithJson_AreOnlyInTheResult()
    {
        FolderReport report = Create("--json");
        Fail(report, new TransferException("text") { Key = "p/k", RequestId = "R" });
        Assert.Empty(ErrorLines);
        Assert.Equal(new ErrorJson("p/k", "text (request id R)", "R"), Assert.Single(Tally.Errors));
    }

    [Fact]
    public void Finish_OneMismatchAmongFailures_HasItsOwnExitCode()
    {
        FolderReport report = Create();
        Move(report, 1, Verified);
        Fail(report, new ChecksumMismatchException("differs"));
        Fail(report, new TransferException("text"));
        report.Finish();
        Assert.EachEqual((ExitCode.Mismatch, "mismatch"), (_invocation!.ExitCode, Tally.Checksum.Verdict));
    }

    [Fact]
    public async Task Ended_FatalFailure_StopsTheCopy()
    {
        FolderReport report = Create();
        TransferException error = new("text") { ErrorCode = "NoSuchBucket" };
        Fail(report, error);
        Fail(report, new TransferException("text") { ErrorCode = "NoSuchBucket" });
        await Deadline.Until(() => _stop.IsCancellationRequested);
        report.Summarize();

        Assert.Same(error, report.Fatal);
        Assert.Equal(2, Tally.Failed);
        Assert.EndsWith("2 failed, stopped because every object would fail with the same error", Assert.Single(ErrorLines), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", false, true)]
    [InlineData("", true, false)]
    [InlineData("--on-failure continue", false, false)]
    public void Ended_SameFailureFromTheStart_StopsTheCopyUnlessAllMustBeTried(string line, bool skipsOne, bool stops)
    {
        FolderReport report = Create(line);
        if (skipsOne)
        {
            report.Ended(new Outcome { Status = OutcomeStatus.Skipped, Name = "p/k", Bytes = 5 });
        }

        for (int i = 0; i < FatalErrorDetector.MaxAlike; i++)
        {
            Fail(report, new TransferException("text") { ErrorCode = "InvalidObjectState", StatusCode = System.Net.HttpStatusCode.Forbidden });
        }

        Assert.Equal(stops, report.Fatal is not null);
    }

    [Fact]
    public void Ended_DryRun_WritesSourceAndTarget()
    {
        FolderReport report = Create("--dry-run");
        report.Ended(Planned("a\u001b") with { Usage = new StoreUsage { Writes = 1200, Reads = 1, BytesSent = 5 } });
        report.Finish();
        report.Summarize();
        Assert.Equal("s3://b/p/a\\u001b → /d/a\\u001b\n", _output.ToString());
        Assert.Equal(["would copy 1 object, 5 B", "would send 1,201 requests: 1,200 writes, 0 lists, 1 read, 0 deletes; 5 B up, 0 B down"], ErrorLines);
        Assert.EachEqual((1, 5, false), (Tally.Objects, Tally.Bytes, Tally.HasRate));
    }

    [Theory]
    [InlineData("--dry-run --json", "{\"action\":\"copy\",\"source\":\"s3://b/p/a\",\"target\":\"/d/a\",\"bytes\":5}\n")]
    [InlineData("--dry-run --json --keys-from -", "{\"action\":\"copy\",\"source\":\"s3://b/p/a\",\"target\":\"/d/a\"}\n")] // a list has no sizes
    public void Ended_DryRunWithJson_WritesALineForEachObject(string line, string expected)
    {
        FolderReport report = Create(line);
        report.Ended(Planned("a"));
        Assert.Equal(expected, _output.ToString());
        Assert.Empty(ErrorLines);
    }

    [Theory]
    [InlineData("")]
    [InlineData("--quiet")]
    public void LostProperties_AreCountedAndNamed(string line)
    {
        FolderReport report = Create(line);
        Move(report, 1, Verified);
        foreach (string[] lost in (string[][])[["tags"], ["tags", "x-amz-storage-class"]])
        {
            report.Ended(new Outcome { Status = OutcomeStatus.Done, Name = "p/k", Bytes = 100, Verdict = Verified, LostProperties = lost });
        }

        report.Finish();
        report.Summarize();

        Assert.Contains(ErrorLines, text => text.EndsWith("2 objects do not have all properties of the source: tags (2), x-amz-storage-class (1); -v names the objects", StringComparison.Ordinal));
        Assert.Equal(line.Length == 0, ErrorLines.Any(text => text.EndsWith("all verified, 2 of 3 without all properties", StringComparison.Ordinal)));
        Assert.EachEqual((2, "tags x-amz-storage-class"), (Tally.Lost.ToJson()!.Objects, string.Join(' ', Tally.Lost.ToJson()!.Properties)));
    }

    /// <summary>The summary only counts what was not verified.</summary>
    [Theory]
    [InlineData(LogLevel.Information, 1)]
    [InlineData(LogLevel.Warning, 0)]
    public void Ended_Unverified_IsLoggedWithTheReason(LogLevel level, int lines)
    {
        FolderReport report = Create();
        _invocation!.Telemetry = new CommandTelemetry(level);
        Move(report, 1, Verified);
        Move(report, 1, ChecksumVerdict.Unverified("the store has no checksum"));
        Assert.Equal(lines, ErrorLines.Count(text => text.Contains("p/k is not verified: the store has no checksum", StringComparison.Ordinal)));
    }

    /// <summary>Nothing limits what transfers nothing.</summary>
    [Theory]
    [InlineData(0, null)]
    [InlineData(1, "latency")]
    public void LimitedBy_IsPresentOnlyIfSomethingWasTransferred(int objects, string? expected)
    {
        FolderReport report = Create();
        Move(report, objects, Verified);
        Tally.Times = new TransferTimes { Bottleneck = Bottleneck.Latency };
        report.Finish();
        Assert.Equal(expected, Tally.LimitedBy);
    }

    private static Outcome Planned(string name)
        => new() { Status = OutcomeStatus.Planned, Name = name, Bytes = 5, From = Place.InBucket("b", "p/"), To = Place.InDirectory("/d") };

    private static void Move(FolderReport report, int times, ChecksumVerdict verdict)
    {
        for (int i = 0; i < times; i++)
        {
            report.Ended(new Outcome { Status = OutcomeStatus.Done, Name = "p/k", Bytes = 100, Verdict = verdict });
        }
    }

    private static void Fail(FolderReport report, Exception error) => report.Ended(new Outcome { Status = OutcomeStatus.Failed, Name = "p/k", Bytes = 100, Error = error });

    private FolderReport Create(string line = "")
    {
        (OutputOptions output, TransferOptions transfer, FolderOptions folder) = (new(), new(), new());
        OptionValues values = CliLine.Values(
            command =>
            {
                output.AddTo(command);
                transfer.AddTo(command);
                folder.AddTo(command);
            },
            line);
        _invocation = new Invocation(values, OutputSettings.Resolve(values, output), new ToolConsole(_output, _error), _time);
        CopySettings copy = new() { Purpose = "a download with -r", DryRun = values.IsOn(transfer.DryRun) };
        return new FolderReport(copy, FolderSettings.Resolve(values, folder, uploads: false, downloads: true, DateTimeOffset.UnixEpoch), _invocation, NoProgress.Instance, _stop);
    }
}
