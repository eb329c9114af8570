using System.Globalization;
using System.IO.Compression;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Cli;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Samples;

/// <summary>Runs the samples as their users do: without arguments, and with a store of the user.</summary>
[LongRunning]
public sealed class SampleTests
{
    private const string Bucket = "bucket";
    private static readonly Dictionary<string, string> NoStore = [];

    [Fact]
    public async Task ParseStream_WithoutArguments_ParsesALargeObjectInLittleMemory()
    {
        ToolOutcome outcome = await SampleProcess.RunAsync("ParseStream", NoStore);

        Assert.StartsWith("500,000 readings of 100 stations in ", outcome.Lines[0], StringComparison.Ordinal);
        Assert.Equal(["station-99: 25.00 °C on average", "station-98: 24.75 °C on average", "station-97: 24.50 °C on average"], outcome.Lines[1..4]);
        Assert.StartsWith("Content: verified (crc64nvme ", outcome.Lines[4], StringComparison.Ordinal);
        long objectBytes = NumbersIn(outcome.Lines[0])[2];
        long[] buffers = NumbersIn(outcome.Lines[5]);
        Assert.InRange(buffers[0], 1, buffers[1]);
        Assert.InRange(buffers[1], 1, objectBytes / 2);
    }

    [Fact]
    public async Task ParseStream_OwnObject_IsParsed()
    {
        await using EmbeddedS3Server server = await StartAsync();
        await PutAsync(server, "own.jsonl", """
            {"station":"a","time":"2026-01-01T00:00:00Z","celsius":1}
            {"station":"b","time":"2026-01-01T00:00:00Z","celsius":7}
            {"station":"a","time":"2026-01-01T00:00:01Z","celsius":2}
            """);

        ToolOutcome outcome = await SampleProcess.RunAsync("ParseStream", SampleProcess.EnvironmentOf(server, Bucket), "own.jsonl");

        Assert.StartsWith("3 readings of 2 stations in ", outcome.Lines[0], StringComparison.Ordinal);
        Assert.Equal(["b: 7.00 °C on average", "a: 1.50 °C on average"], outcome.Lines[1..3]);
    }

    [Fact]
    public async Task ParseStream_MissingObject_FailsWithItsName()
    {
        await using EmbeddedS3Server server = await StartAsync();
        using SampleProcess process = SampleProcess.Start("ParseStream", SampleProcess.EnvironmentOf(server, Bucket), "none.jsonl");

        ToolOutcome outcome = (await process.EndAsync()).Expect(1);

        Assert.Contains("none.jsonl", outcome.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task StreamingArchive_PublishesTheWholeArchiveAndNothingOfTheBrokenOne()
    {
        await using EmbeddedS3Server server = await StartAsync();

        ToolOutcome outcome = await SampleProcess.RunAsync("StreamingArchive", SampleProcess.EnvironmentOf(server, Bucket));

        Assert.Matches(@"^samples/reports\.zip: [\d,]+ bytes in [2-9] parts, verified \(crc64nvme ", outcome.Lines[0]);
        Assert.Equal("samples/broken.zip: The connection to the database of month 12 was lost.", outcome.Lines[1]);
        Assert.Equal("samples/broken.zip: exists: False, incomplete uploads: 0", outcome.Lines[2]);
        Assert.Contains(server.Requests, request => request is { Operation: "AbortMultipartUpload", Key: "samples/broken.zip" });
        Assert.Equal(0, server.Statistics.OpenMultipartUploads);

        using MemoryStream content = new(await GetAsync(server, "samples/reports.zip"));
        using ZipArchive archive = new(content);
        Assert.Equal(Enumerable.Range(1, 12).Select(month => $"2026-{month:00}.csv"), archive.Entries.Select(entry => entry.FullName));
        using StreamReader last = new(archive.Entries[^1].Open());
        string[] lines = (await last.ReadToEndAsync()).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(100_001, lines.Length);
        Assert.StartsWith("12-100000,", lines[^1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task StreamingArchive_InterruptedWithCtrlC_LeavesNothing()
    {
        await using EmbeddedS3Server server = await StartAsync();
        server.LinkBytesPerSecond = 1 << 20; // the archive would take 20 seconds
        using SampleProcess process = SampleProcess.Start("StreamingArchive", SampleProcess.EnvironmentOf(server, Bucket));
        await Deadline.Until(() => server.Requests.Any(request => request.Operation == "CreateMultipartUpload"));

        await process.InterruptAsync();
        ToolOutcome outcome = (await process.EndAsync()).Expect(130);

        Assert.Contains("Canceled.", outcome.Error, StringComparison.Ordinal);
        Assert.Equal(0, server.Statistics.OpenMultipartUploads);
        Assert.DoesNotContain(server.Requests, request => request.Operation == "CompleteMultipartUpload");
    }

    [Fact]
    public async Task ReadArchive_ReadsOneEntryAndLittleMore()
    {
        await using EmbeddedS3Server server = await StartAsync();

        ToolOutcome outcome = await SampleProcess.RunAsync("ReadArchive", SampleProcess.EnvironmentOf(server, Bucket), "16");

        byte[] content = await GetAsync(server, "samples/photos.zip");
        using MemoryStream stream = new(content);
        using ZipArchive archive = new(stream);
        ZipArchiveEntry entry = archive.GetEntry("photos/0500.raw")!;
        string hash = Convert.ToHexStringLower(await SHA256.HashDataAsync(entry.Open()));
        Assert.Equal($"samples/photos.zip: 1,000 entries in {content.Length:N0} bytes", outcome.Lines[0]);
        Assert.Equal($"photos/0500.raw: {entry.Length:N0} bytes, SHA-256 {hash}", outcome.Lines[2]);
        AssertFewRequests(outcome.Lines[1], "Requests to list: ", 3, 1 << 20);
        AssertFewRequests(outcome.Lines[3], "Requests to read: ", 2, 9 << 20); // a request ahead has at most 4 MiB, which depends on the link
    }

    [Fact]
    public async Task ReadArchive_OwnArchive_ReadsTheEntryThatIsNamed()
    {
        await using EmbeddedS3Server server = await StartAsync();
        using MemoryStream content = new();
        using (ZipArchive archive = new(content, ZipArchiveMode.Create, leaveOpen: true))
        {
            using StreamWriter writer = new(archive.CreateEntry("a/b.txt").Open());
            writer.Write("content");
        }

        using AmazonS3Client s3 = server.CreateClient();
        await s3.PutObjectAsync(new PutObjectRequest { BucketName = Bucket, Key = "own.zip", InputStream = content }).Within();

        ToolOutcome outcome = await SampleProcess.RunAsync("ReadArchive", SampleProcess.EnvironmentOf(server, Bucket), "own.zip", "a/b.txt");
        using SampleProcess process = SampleProcess.Start("ReadArchive", SampleProcess.EnvironmentOf(server, Bucket), "own.zip", "none.txt");
        ToolOutcome missing = (await process.EndAsync()).Expect(1);

        Assert.Equal($"a/b.txt: 7 bytes, SHA-256 {Convert.ToHexStringLower(SHA256.HashData("content"u8))}", outcome.Lines[2]);
        Assert.Contains("none.txt", missing.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ReadParquet_ReadsOneColumnAndLittleMore()
    {
        await using EmbeddedS3Server server = await StartAsync();
        ToolOutcome outcome = await SampleProcess.RunAsync("ReadParquet", SampleProcess.EnvironmentOf(server, Bucket));

        Assert.Matches(@"^samples/weather\.parquet: [\d,]+ bytes, 4 row groups of station, time, celsius, humidity, pressure, wind$", outcome.Lines[0]);
        Assert.Equal("celsius: 800,000 values, 19.98 on average", outcome.Lines[2]);
        long columnBytes = NumbersIn(outcome.Lines[3])[2];
        Assert.InRange(columnBytes, 800_000 * sizeof(double), 801_000 * sizeof(double));
        AssertFewRequests(outcome.Lines[1], "Requests for the footer: ", 3, 3 * 64 << 10);
        AssertFewRequests(outcome.Lines[3], "Requests for the column: ", 16, columnBytes * 11 / 10);

        // The server counts the same, with the footer and everything.
        string[] ranges = [.. server.Requests.Where(request => request is { Operation: "GetObject", Key: "samples/weather.parquet" }).Select(request => request.Range!)];
        Assert.InRange(ranges.Length, 3, 20);
        Assert.InRange(ranges.Sum(BytesOf), columnBytes, columnBytes * 11 / 10);
    }

    [Fact]
    public async Task FromTransferUtility_AllApisDoTheSame()
    {
        ToolOutcome outcome = await SampleProcess.RunAsync("FromTransferUtility", NoStore);

        foreach (string api in (string[])["TransferUtility", "TransferUtilityAdapter", "TransferClient"])
        {
            int first = Array.IndexOf(outcome.Lines, api + ":");
            Assert.True(first >= 0, outcome.Text);
            string[] lines = outcome.Lines[first..(first + 6)];
            long bytes = Encoding.UTF8.GetByteCount(string.Concat(Enumerable.Range(1, 500_000).Select(i => $"line {i} was written by {api}{Environment.NewLine}")));
            Assert.StartsWith($"  saved {bytes:N0} bytes", lines[1], StringComparison.Ordinal);
            Assert.StartsWith($"  restored {bytes:N0} bytes", lines[2], StringComparison.Ordinal);
            Assert.Equal(["  equal: True", "  500,000 lines"], lines[3..5]);
            Assert.StartsWith("  saved 2 files", lines[5], StringComparison.Ordinal);
        }

        Assert.Equal(2, outcome.Lines.Count(line => line.Contains(", verified (crc64nvme ", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task HostedTransfers_WithoutArguments_ResumesInTheSecondRun()
    {
        using TemporaryFolder state = new();

        ToolOutcome outcome = await SampleProcess.RunAsync("HostedTransfers", new Dictionary<string, string> { ["XDG_STATE_HOME"] = state.Path });

        long kept = NumbersIn(Assert.Single(outcome.Lines, line => line.Contains("backup.bin: interrupted, ", StringComparison.Ordinal)).Split("interrupted")[1])[0];
        long[] uploaded = NumbersIn(Assert.Single(outcome.Lines, line => line.Contains("backup.bin: uploaded ", StringComparison.Ordinal)).Split("uploaded")[1]);
        Assert.Equal(64 << 20, uploaded[0]);
        Assert.InRange(kept, 5 << 20, (64 << 20) - 1);
        Assert.InRange(uploaded[1], kept, (64 << 20) - 1); // or more, if the store has received parts whose responses were not read
    }

    [Fact]
    public async Task HostedTransfers_InterruptedWithCtrlC_ResumesAtTheNextStart()
    {
        using TemporaryFolder folder = new();
        byte[] content = Sample.Bytes(40 << 20);
        string file = Path.Combine(Directory.CreateDirectory(folder.File("outbox")).FullName, "backup.bin");
        await File.WriteAllBytesAsync(file, content);
        await using EmbeddedS3Server server = await StartAsync();
        Dictionary<string, string> environment = SampleProcess.EnvironmentOf(server, Bucket);
        environment["XDG_STATE_HOME"] = folder.File("state");

        server.LinkBytesPerSecond = 4 << 20; // 10 seconds, which is enough to interrupt it
        using SampleProcess first = SampleProcess.Start("HostedTransfers", environment, folder.File("outbox"));
        await first.ReadLineWithAsync(line => Regex.IsMatch(line, @"backup\.bin: [\d,]+ of 41,943,040 bytes, [1-9][\d,]+ confirmed", RegexOptions.NonBacktracking));
        await first.InterruptAsync();
        ToolOutcome interrupted = (await first.EndAsync()).Expect(0);

        Assert.Contains("backup.bin: interrupted, ", interrupted.Text, StringComparison.Ordinal);
        Assert.True(File.Exists(file));
        Assert.Equal(1, server.Statistics.OpenMultipartUploads);

        server.LinkBytesPerSecond = null;
        using SampleProcess second = SampleProcess.Start("HostedTransfers", environment, folder.File("outbox"));
        string uploaded = await second.ReadLineWithAsync(line => line.Contains("backup.bin: uploaded ", StringComparison.Ordinal));
        await second.InterruptAsync();
        (await second.EndAsync()).Expect(0);

        Assert.InRange(NumbersIn(uploaded.Split("uploaded")[1])[1], 5 << 20, content.Length - 1);
        Assert.False(File.Exists(file));
        Assert.Equal(0, server.Statistics.OpenMultipartUploads);
        Assert.Equal(content, await GetAsync(server, "samples/outbox/backup.bin"));
    }

    [Fact]
    public async Task HostedTransfers_OutboxInUse_Fails()
    {
        using TemporaryFolder folder = new();
        await using EmbeddedS3Server server = await StartAsync();
        Dictionary<string, string> environment = SampleProcess.EnvironmentOf(server, Bucket);
        using SampleProcess first = SampleProcess.Start("HostedTransfers", environment, folder.Path);
        await first.ReadLineWithAsync(line => line.Contains("Application started", StringComparison.Ordinal));

        using SampleProcess second = SampleProcess.Start("HostedTransfers", environment, folder.Path);
        ToolOutcome outcome = (await second.EndAsync()).Expect(1);

        Assert.Contains(folder.Path, outcome.Error, StringComparison.Ordinal);
    }

    private static Task<EmbeddedS3Server> StartAsync() => EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket] });

    private static long[] NumbersIn(string text)
        => [.. Regex.Matches(text, @"[\d,]*\d", RegexOptions.NonBacktracking).Select(number => long.Parse(number.Value, NumberStyles.AllowThousands, CultureInfo.InvariantCulture))];

    /// <summary>Gets the number of bytes of a Range header: <c>bytes=0-99</c>, or <c>bytes=-100</c>.</summary>
    private static long BytesOf(string range)
    {
        string[] ends = range["bytes=".Length..].Split('-');
        long last = long.Parse(ends[1], CultureInfo.InvariantCulture);
        return ends[0].Length == 0 ? last : last + 1 - long.Parse(ends[0], CultureInfo.InvariantCulture);
    }

    private static void AssertFewRequests(string line, string start, long mostRequests, long mostBytes)
    {
        Assert.StartsWith(start, line, StringComparison.Ordinal);
        long[] numbers = NumbersIn(line);
        Assert.InRange(numbers[0], 0, mostRequests); // none if what was requested before contains it
        Assert.InRange(numbers[1], 0, mostBytes);
    }

    private static async Task PutAsync(EmbeddedS3Server server, string key, string content)
    {
        using AmazonS3Client s3 = server.CreateClient();
        await s3.PutObjectAsync(new PutObjectRequest { BucketName = Bucket, Key = key, ContentBody = content }).Within();
    }

    private static async Task<byte[]> GetAsync(EmbeddedS3Server server, string key)
    {
        using AmazonS3Client s3 = server.CreateClient();
        using GetObjectResponse response = await s3.GetObjectAsync(Bucket, key).Within();
        using MemoryStream body = new();
        await response.ResponseStream.CopyToAsync(body).Within();
        return body.ToArray();
    }
}
