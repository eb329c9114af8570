using System.Globalization;
using System.Text.Json;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>
/// Kills the tool with SIGKILL at random moments and runs it again until it succeeds. The bytes must be correct, and completed data must not be
/// transferred again. <c>TRANSFER_KILLS</c> and <c>TRANSFER_SEED</c> set the number of kills and their moments.
/// </summary>
[LongRunning]
public sealed class KillTests : ToolTest
{
    private const int PartBytes = 5 << 20;
    private const int Parts = 9;
    private const int Size = (Parts * PartBytes) - 12_345;
    private static readonly int Kills = Number("TRANSFER_KILLS", LongTests.Choose(full: 25, quick: 5));
    private static readonly int Seed = Number("TRANSFER_SEED", 1);

    /// <summary>Limits the rate, so that a run takes long enough to be killed.</summary>
    protected override EmbeddedS3ServerOptions ServerOptions => new() { Buckets = [Bucket], LinkBytesPerSecond = 256 << 20 };

    [Fact]
    public async Task Upload_KilledAtRandomMoments_Resumes()
    {
        Random random = new(Seed);
        int kills = 0;
        for (int round = 0; kills < Kills; round++)
        {
            byte[] content = Sample.Bytes(Size, round + 1);
            string source = await WriteFileAsync("source", content);
            string[] arguments = ["cp", source, $"s3://{Bucket}/up", "--part-size", "5MiB", "--concurrency", "3", "--quiet"];
            bool isDone = false;
            while (!isDone)
            {
                Dictionary<int, string> there = await FinishedPartsAsync();
                Server.ClearRequests();
                isDone = await RunAndKillAsync(random, () => Server.Statistics.BytesReceived, kills < Kills ? Size - (there.Count * (long)PartBytes) : long.MaxValue, arguments);
                kills += isDone ? 0 : 1;

                int[] again = [.. Server.Requests.Where(r => r.Operation == "UploadPart").Select(r => r.PartNumber!.Value).Where(there.ContainsKey)];
                Assert.True(again.Length == 0, $"seed {Seed}, kill {kills}: parts {string.Join(", ", again)} were sent again");
            }

            Assert.True((await GetAsync("up")).AsSpan().SequenceEqual(content), $"seed {Seed}, round {round}: the bytes differ");
            Assert.Empty(await FinishedPartsAsync());
        }

        // A process that is killed before it receives the ID of its upload leaves that upload open, without parts.
        Assert.All(await OpenUploadsAsync(), upload => Assert.Equal(0, upload.Parts));
        Assert.Empty(Directory.EnumerateFiles(State, "*", SearchOption.AllDirectories));
    }

    [Fact]
    public async Task Download_KilledAtRandomMoments_Resumes()
    {
        Random random = new(Seed);
        int kills = 0;
        for (int round = 0; kills < Kills; round++)
        {
            byte[] content = Sample.Bytes(Size, round + 1);
            await PutAsync("down", content);
            string[] arguments = ["cp", $"s3://{Bucket}/down", GetPath("got/target"), "--part-size", "1MiB", "--concurrency", "3", "--quiet"];
            bool isDone = false;
            while (!isDone)
            {
                Dictionary<long, long> there = JournalOf(GetPath("got"));
                Server.ClearRequests();
                isDone = await RunAndKillAsync(random, () => Server.Statistics.BytesSent, kills < Kills ? Size - there.Values.Sum() : long.MaxValue, arguments);
                kills += isDone ? 0 : 1;

                string[] again = [.. Server.Requests.Where(r => r.Operation == "GetObject" && r.Range != "bytes=0-0").Select(r => r.Range!).Where(range => IsThere(range, there))];
                Assert.True(again.Length == 0, $"seed {Seed}, kill {kills}: {string.Join(", ", again)} were fetched again");
            }

            Assert.True((await File.ReadAllBytesAsync(GetPath("got/target")).Within()).AsSpan().SequenceEqual(content), $"seed {Seed}, round {round}: the bytes differ");
            Assert.Equal(["target"], Directory.EnumerateFiles(GetPath("got"), "*", new EnumerationOptions { AttributesToSkip = 0 }).Select(Path.GetFileName));
            File.Delete(GetPath("got/target"));
        }
    }

    /// <summary>Runs the tool, and kills it after a random number of bytes, up to slightly more than are missing.</summary>
    /// <returns><c>true</c> if the tool completed successfully before; otherwise, <c>false</c>.</returns>
    private async Task<bool> RunAndKillAsync(Random random, Func<long> moved, long missing, string[] arguments)
    {
        // A tenth of the kills are at the very start, and a few while the tool ends.
        long at = moved() + (missing == long.MaxValue ? long.MaxValue / 2 : random.Next(10) == 0 ? 0 : (long)(random.NextDouble() * missing * 1.1));
        int steps = random.Next(4);
        long requests = Server.Statistics.TotalRequests + steps;
        using ToolProcess tool = ToolProcess.Start(Environment, arguments);
        tool.CloseInput();
        await Deadline.Until(() => tool.HasExited || (moved() >= at && Server.Statistics.TotalRequests >= requests));
        bool isDone = !tool.Kill();
        ToolOutcome outcome = await tool.EndAsync();
        await Deadline.Until(() => Server.Statistics.ActiveRequests == 0);
        if (isDone)
        {
            outcome.Expect(0);
        }

        return isDone;
    }

    private async Task<List<(string Id, int Parts)>> OpenUploadsAsync()
    {
        List<(string, int)> uploads = [];
        foreach (MultipartUpload upload in (await S3.ListMultipartUploadsAsync(Bucket).Within()).MultipartUploads ?? [])
        {
            ListPartsResponse parts = await S3.ListPartsAsync(Bucket, upload.Key, upload.UploadId).Within();
            uploads.Add((upload.UploadId, parts.Parts?.Count ?? 0));
        }

        return uploads;
    }

    private async Task<Dictionary<int, string>> FinishedPartsAsync()
    {
        Dictionary<int, string> finished = [];
        foreach ((string id, _) in await OpenUploadsAsync())
        {
            foreach (PartDetail part in (await S3.ListPartsAsync(Bucket, "up", id).Within()).Parts ?? [])
            {
                finished.Add(part.PartNumber!.Value, part.ETag);
            }
        }

        return finished;
    }

    /// <summary>
    /// Returns the offsets and lengths of the parts in the journal in a folder. Returns none if the file already has its name. The tool was then
    /// killed after everything except the deletion of the journal, and the next run copies the file again, like any existing file.
    /// </summary>
    private static Dictionary<long, long> JournalOf(string folder)
    {
        Dictionary<long, long> parts = [];
        EnumerationOptions hidden = new() { AttributesToSkip = 0 };
        string? journal = Directory.Exists(folder) && Directory.EnumerateFiles(folder, "*.transfer", hidden).Any()
            ? Directory.EnumerateFiles(folder, "*.transfer-journal", hidden).Single()
            : null;
        foreach (string line in journal is null ? [] : File.ReadAllLines(journal).Skip(1))
        {
            JsonElement part = ToolOutcome.Parse(line[9..]);
            parts[part.GetProperty("at").GetInt64()] = part.GetProperty("bytes").GetInt64();
        }

        return parts;
    }

    private static bool IsThere(string range, Dictionary<long, long> there)
    {
        long first = long.Parse(range["bytes=".Length..range.IndexOf('-', StringComparison.Ordinal)], CultureInfo.InvariantCulture);
        return there.Any(part => first >= part.Key && first < part.Key + part.Value);
    }

    private static int Number(string variable, int otherwise)
        => int.TryParse(System.Environment.GetEnvironmentVariable(variable), CultureInfo.InvariantCulture, out int number) ? number : otherwise;
}
