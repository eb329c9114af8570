using System.Text;
using Transfer.S3.Cli;
using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;
using Transfer.S3.Cli.Telemetry;

namespace Transfer.S3.Tests.Cli;

public sealed class ObjectReportTests : IDisposable
{
    private const string Full = "No space left on device";
    private static readonly Location Source = Location.Parse("s3://b/p/");
    private static readonly Location Target = Location.Parse("s3://c/q/");
    private readonly TemporaryFolder _folder = new();
    private readonly StringWriter _error = new();
    private readonly FakeTimeProvider _time = new(DateTimeOffset.UnixEpoch);

    private string File => _folder.File("report.jsonl");

    private string[] Lines => ReadLines(File);

    public static TheoryData<string> Fields => [.. EventJsonContext.Instance.ReportJson.Properties.Select(property => property.Name)];

    public void Dispose()
    {
        _folder.Dispose();
        _error.Dispose();
    }

    [Theory]
    [MemberData(nameof(Fields))]
    public void Field_IsInTheDocumentation(string field)
        => Assert.Contains($"`{field}`", System.IO.File.ReadAllText(Path.Combine(MarkdownPages.Root, "docs", "report-json.md")), StringComparison.Ordinal);

    [Fact]
    public async Task Add_Line_IsInTheFileAfterASecond()
    {
        Invocation invocation = await OpenAsync();

        invocation.Report!.Add(ReportLines.Deleted(Source with { Key = "a\u202e" }, 5, "\"e\""));
        _time.Advance(TimeSpan.FromMilliseconds(999));
        Assert.Empty(Lines);
        _time.Advance(TimeSpan.FromMilliseconds(1));

        Assert.Equal(
            ["""{"time":"1970-01-01T00:00:00Z","command":"cp","operation":"delete","status":"done","target":"s3://b/a\u202e","bytes":5,"target_etag_before":"\"e\""}"""], Lines);
        invocation.Report.Add(ReportLines.Copy(Source, Target, moves: true), new CopyPlan(Source, Target).CreateOutcome(OutcomeStatus.Skipped));
        Assert.Equal(ExitCode.Done, invocation.EndReport(ExitCode.Done));
        Assert.Equal(
            """{"time":"1970-01-01T00:00:01Z","command":"cp","operation":"move","status":"skipped","source":"s3://b/p/","target":"s3://c/q/"}""", Lines[1]);
        Assert.Equal(string.Empty, _error.ToString());
    }

    [Fact]
    public async Task Add_ManyLines_AreWrittenBeforeTheSecondIsOver()
    {
        Invocation invocation = await OpenAsync();
        for (int i = 0; i < 1000; i++)
        {
            invocation.Report!.Add(ReportLines.Deleted(Source with { Key = $"{i}" }, i, null));
        }

        Assert.InRange(Lines.Length, 500, 999);
        invocation.EndReport(ExitCode.Done);
        Assert.Equal(Enumerable.Range(0, 1000), Lines.Select(line => int.Parse(line[(line.IndexOf("\"bytes\":", StringComparison.Ordinal) + 8)..^1], null)));
    }

    [Fact]
    public async Task OpenReportAsync_FileOfAKilledProcess_ContinuesOnANewLine()
    {
        await System.IO.File.WriteAllTextAsync(File, "{}\n{\"ti").Within();
        Invocation invocation = await OpenAsync();

        invocation.Report!.Add(ReportLines.Deleted(Source, null, null));
        invocation.EndReport(ExitCode.Done);

        Assert.Equal(["{}", "{\"ti"], Lines[..2]);
        Assert.StartsWith("{\"time\":", Assert.Single(Lines[2..]), StringComparison.Ordinal);
    }

    [Fact]
    public void Add_DiskIsFull_SaysSoOnceAndFailsTheCommandAtItsEnd()
    {
        Invocation invocation = Create("--quiet");
        ObjectReport report = new(new FullDisk(), "'file'", "cp", invocation);

        for (int i = 0; i < 3; i++)
        {
            report.Add(ReportLines.Deleted(Source, null, null));
            _time.Advance(TimeSpan.FromSeconds(1));
        }

        report.End();

        Assert.Equal($"transfer: warning: the report is incomplete: 'file' can no longer be written: {Full}; the command continues without it", _error.ToString().Trim());
        Assert.NotNull(report.Error);
    }

    [LinuxFact]
    public async Task EndReport_ReportIsIncomplete_SucceedsOnlyIfNothingWasReported()
    {
        Invocation invocation = Create("--report /dev/full");
        await invocation.OpenReportAsync(isDryRun: false, CancellationToken.None).Within();
        invocation.Report!.Add(ReportLines.Deleted(Source, null, null));

        Assert.Equal(ExitCode.Failed, invocation.EndReport(ExitCode.Done));
        Assert.Equal(ExitCode.Interrupted, invocation.EndReport(ExitCode.Interrupted));
        Assert.Contains(Full, invocation.Tally.Errors[0].Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task RunReportedAsync_Failure_IsALineUnlessItSaysNothingOfTheObject()
    {
        Invocation invocation = await OpenAsync();
        using CancellationTokenSource canceled = new();
        await canceled.CancelAsync();
        ReportJson line = ReportLines.Copy(Source, Target, moves: false);

        await Assert.ThrowsAsync<TransferException>(() => RunAsync(new TransferException("s3://b/p/: it broke.") { Key = "p/", RequestId = "id" }, CancellationToken.None));
        await Assert.ThrowsAsync<UsageException>(() => RunAsync(new UsageException("no"), CancellationToken.None));
        await Assert.ThrowsAsync<OperationCanceledException>(() => RunAsync(new OperationCanceledException(canceled.Token), canceled.Token));
        invocation.EndReport(ExitCode.Failed);

        Assert.Equal(
            """{"time":"1970-01-01T00:00:00Z","command":"cp","operation":"copy","status":"failed","source":"s3://b/p/","target":"s3://c/q/","error":"s3://b/p/: it broke (request id id)","request_id":"id"}""",
            Assert.Single(Lines));

        Task RunAsync(Exception e, CancellationToken token) => invocation.RunReportedAsync(line, () => Task.FromException(e), token);
    }

    [Fact]
    public async Task AddCopies_EachOutcome_HasWhatIsKnown()
    {
        Invocation invocation = await OpenAsync();
        ChecksumVerdict verdict = ChecksumVerdict.Verified(ChecksumAlgorithm.Crc64Nvme, "AAAAAAAAAAA=");
        Outcome done = new()
        {
            Operation = ObjectOperation.Copy,
            Status = OutcomeStatus.Done,
            Name = "k",
            Bytes = 7,
            Verdict = verdict,
            TargetETag = "\"e\"",
            SourceETag = "\"s\"",
            LostProperties = ["tags"],
            From = new Place { Bucket = "b", Prefix = "p/" },
            To = new Place { Bucket = "c", Prefix = "q/" },
        };

        ReportLines.Add(invocation.Report!, done, moves: false);
        ReportLines.Add(invocation.Report!, done with { LostProperties = [], TargetETag = null, To = Place.InDirectory("/d") }, moves: true);
        ReportLines.Add(invocation.Report!, new Outcome { Operation = ObjectOperation.Copy, Status = OutcomeStatus.Failed, Name = "x", Bytes = 0, Error = new IOException("no"), From = done.From }, moves: false);
        invocation.EndReport(ExitCode.Done);

        const string Begin = """{"time":"1970-01-01T00:00:00Z","command":"cp",""";
        Assert.Equal(
            [
                Begin + """ "operation":"copy","status":"done","source":"s3://b/p/k","target":"s3://c/q/k","bytes":7,"source_etag":"\"s\"","target_etag":"\"e\"","checksum":{"algorithm":"crc64nvme","verdict":"verified","value":"AAAAAAAAAAA="},"lost":["tags"]}""".TrimStart(),
                Begin + """ "operation":"move","status":"done","source":"s3://b/p/k","target":"/d/k","bytes":7,"source_etag":"\"s\"","checksum":{"algorithm":"crc64nvme","verdict":"verified","value":"AAAAAAAAAAA="}}""".TrimStart(),
                Begin + """ "operation":"copy","status":"failed","source":"s3://b/p/x","error":"no"}""".TrimStart(),
            ],
            Lines);
    }

    [Fact]
    public async Task Add_EachOutcome_HasItsOperationAndStatus()
    {
        Invocation invocation = await OpenAsync();
        IOException error = new("no");
        Outcome[] outcomes =
        [
            new() { Operation = ObjectOperation.Replace, Status = OutcomeStatus.Done, Name = "d/a", Bytes = 7, Reason = "size 5 → 7", TargetETagBefore = "\"old\"", TargetETag = "\"new\"" },
            new() { Operation = ObjectOperation.Copy, Status = OutcomeStatus.Conflict, Name = "a", Bytes = 7, Reason = "missing", Error = new TransferException("changed") { Error = TransferError.PreconditionFailed } },
            new() { Operation = ObjectOperation.Delete, Status = OutcomeStatus.Done, Name = "a", Bytes = 7, Reason = "not at the source" },
            new() { Operation = ObjectOperation.Delete, Status = OutcomeStatus.Shielded, Name = "a", Bytes = 7, Reason = "excluded" },
            new() { Status = OutcomeStatus.Conflict, Name = "a", Bytes = 7, Reason = "no", Error = error },
            new() { Status = OutcomeStatus.Failed, Name = "a", Bytes = 7, Reason = "no", Error = error },
        ];

        foreach (Outcome outcome in outcomes)
        {
            ReportLines.Add(invocation.Report!, outcome with { From = Place.InDirectory(_folder.Path), To = new Place { Bucket = "c", Prefix = "q/" } }, moves: false);
        }

        invocation.EndReport(ExitCode.Done);
        string from = $"\"source\":\"{_folder.Path}/a\",\"target\":\"s3://c/q/a\",\"bytes\":7";
        Assert.Equal(
            [
                $"\"operation\":\"replace\",\"status\":\"done\",\"source\":\"{_folder.Path}/d/a\",\"target\":\"s3://c/q/d/a\",\"bytes\":7,\"target_etag_before\":\"\\\"old\\\"\",\"target_etag\":\"\\\"new\\\"\",\"reason\":\"size 5 → 7\"}}",
                $"\"operation\":\"copy\",\"status\":\"conflict\",{from},\"reason\":\"missing\",\"error\":\"changed\"}}",
                "\"operation\":\"delete\",\"status\":\"done\",\"target\":\"s3://c/q/a\",\"bytes\":7,\"reason\":\"not at the source\"}",
                "\"operation\":\"delete\",\"status\":\"skipped\",\"target\":\"s3://c/q/a\",\"bytes\":7,\"reason\":\"excluded\"}",
                $"\"status\":\"conflict\",{from},\"error\":\"no\"}}",
                $"\"status\":\"failed\",{from},\"error\":\"no\"}}",
            ],
            Lines.Select(line => line["""{"time":"1970-01-01T00:00:00Z","command":"cp",""".Length..]));
    }

    private async Task<Invocation> OpenAsync()
    {
        Invocation invocation = Create($"--report {File}");
        await invocation.OpenReportAsync(isDryRun: false, CancellationToken.None).Within();
        return invocation;
    }

    private Invocation Create(string line)
    {
        OutputOptions output = new();
        System.CommandLine.Command? copy = null;
        OptionValues values = CliLine.Values(
            root =>
            {
                copy = new System.CommandLine.Command("cp");
                output.AddTo(copy, reports: true);
                root.Add(copy);
            },
            $"cp {line}");
        return new Invocation(values, OutputSettings.Resolve(values, output), new ToolConsole(TextWriter.Null, _error), _time);
    }

    private static string[] ReadLines(string path)
    {
        using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        using StreamReader reader = new(file, Encoding.UTF8);
        return reader.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }

    private sealed class FullDisk : MemoryStream
    {
        public override void Write(ReadOnlySpan<byte> buffer) => throw new IOException(Full);
    }
}
