using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using Transfer.S3.Jobs;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Sync;

namespace Transfer.S3.Tests.Jobs;

/// <summary>The end of a job tells whether targets are still as they were written.</summary>
public sealed partial class TargetReviewTests : TransferTest
{
    private static readonly Dictionary<string, string> Source = new() { ["a"] = "right", ["d/b"] = "other", ["empty"] = string.Empty };

    private static JobOptions One => new() { Shards = 1 };

    public static TheoryData<string, bool> Changes => new()
    {
        { "rewritten", true },
        { "rewritten in place with its time", true },
        { "replaced with its time", true },
        { "another size", true },
        { "deleted", true },
        { "nothing", false },
        { "other time", false },
        { "other mode", false },
        { "same content in another file", false },
    };

    /// <summary>A file must be in the state in which it got its name. If it isn't, its content counts.</summary>
    [UnixTheory]
    [MemberData(nameof(Changes))]
    public async Task LocalTarget_ChangedAfterTheRun(string change, bool counts)
    {
        foreach (bool isOld in new[] { false, true })
        {
            using JobPair pair = NewPair(SyncDirection.Download);
            await pair.RunAllAsync(await pair.PlanAsync(One));
            if (isOld)
            {
                RemoveStates(pair);
            }

            Change(pair.Sides.Folder.File("a"), change);
            int before = pair.Store.Calls.Count;

            JobSummary summary = await pair.Job.FinishAsync().Within();

            Assert.True((counts ? 1 : 0, !counts) == (summary.Changed, summary.IsComplete), $"{change}, old {isOld}: {summary} {string.Join(", ", summary.Failures)}");
            bool compares = pair.Store.Calls.Skip(before).Any(static call => call.Key?.StartsWith(SyncPair.SourcePrefix, StringComparison.Ordinal) == true);
            Assert.Equal(isOld || change is not ("nothing" or "deleted"), compares);
            Assert.DoesNotContain("\"file\"", Encoding.UTF8.GetString((await pair.Folder.ReadAllAsync(JobNames.Report, CancellationToken.None))!), StringComparison.Ordinal);
        }
    }

    [UnixFact]
    public async Task LocalTarget_CannotBeCompared_SaysWhy()
    {
        using JobPair pair = NewPair(SyncDirection.Download);
        await pair.RunAllAsync(await pair.PlanAsync(One));
        Change(pair.Sides.Folder.File("a"), "other time");
        pair.Sides.SetSource(new Dictionary<string, string> { ["a"] = "newer" });
        Assert.Contains("can't be compared, because s3://bucket/s/a was replaced", Assert.Single((await pair.Job.FinishAsync().Within()).Failures).Message, StringComparison.Ordinal);

        pair.Before(static call =>
        {
            if (call.Key == SyncPair.SourcePrefix + "a")
            {
                throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");
            }
        });
        Assert.Contains("can't be compared: ", Assert.Single((await pair.Job.FinishAsync().Within()).Failures).Message, StringComparison.Ordinal);
    }

    /// <summary>Whatever the outcome of an object is, its line has the ETag of the source that the job has planned.</summary>
    [Fact]
    public async Task Report_EveryLineOfAnObjectHasTheETagOfTheSource()
    {
        using JobPair pair = NewPair(SyncDirection.Download);
        pair.Sides.Store.Put(SyncPair.SourcePrefix + "x/../../escaped", "x"u8.ToArray());
        JobPlan plan = await pair.PlanAsync(One with { Transfer = new DirectoryOptions { OnFailure = FailurePolicy.Continue } });
        Assert.Equal(["failed", "missing", "missing", "missing"], await StatusesAsync(pair));
        pair.Sides.SetSource(new Dictionary<string, string> { ["a"] = "newer" });
        pair.Before(static call =>
        {
            if (call.Key == SyncPair.SourcePrefix + "d/b")
            {
                throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");
            }
        });
        await pair.RunAllAsync(plan);
        pair.Before(null);
        Assert.Equal(["conflict", "done", "failed", "failed"], await StatusesAsync(pair));
        foreach (string key in pair.Store.Objects.Keys.Where(static key => key.StartsWith("runs/1/results/", StringComparison.Ordinal)).ToArray())
        {
            pair.Store.Objects.TryRemove(key, out _);
        }

        await pair.RunAllAsync(plan);
        Assert.Equal(["already", "conflict", "done", "failed"], await StatusesAsync(pair));
    }

    private static async Task<IEnumerable<string>> StatusesAsync(JobPair pair)
    {
        await pair.Job.FinishAsync().Within();
        string report = Encoding.UTF8.GetString((await pair.Folder.ReadAllAsync(JobNames.Report, CancellationToken.None))!);
        JsonElement[] lines = [.. report.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(static line => JsonDocument.Parse(line).RootElement)];
        Assert.All(lines, static line => Assert.StartsWith("\"", line.GetProperty("source_etag").GetString(), StringComparison.Ordinal));
        return lines.Select(static line => line.GetProperty("status").GetString()!).Order(StringComparer.Ordinal);
    }

    private static void Change(string path, string change)
    {
        switch (change)
        {
            case "rewritten":
                File.WriteAllText(path, "wrong");
                File.SetLastWriteTimeUtc(path, new DateTime(2001, 1, 1, 0, 0, 0, DateTimeKind.Utc));
                break;
            case "rewritten in place with its time":
                FileChange.Rewrite(path, "wrong"u8);
                break;
            case "replaced with its time":
                FileChange.Replace(path, "wrong"u8);
                break;
            case "another size":
                File.WriteAllText(path, "longer content");
                break;
            case "deleted":
                File.Delete(path);
                break;
            case "other time":
                File.SetLastWriteTimeUtc(path, DateTime.UnixEpoch);
                break;
            case "other mode" when !OperatingSystem.IsWindows():
                File.SetUnixFileMode(path, UnixFileMode.UserRead);
                break;
            case "same content in another file":
                FileChange.Replace(path, "right"u8);
                break;
        }
    }

    /// <summary>Makes the results those of a version that didn't write the states of files.</summary>
    private static void RemoveStates(JobPair pair)
    {
        int removed = 0;
        foreach (string key in pair.Store.Objects.Keys.Where(static key => key.StartsWith("runs/1/results/", StringComparison.Ordinal) && key.EndsWith(".jsonl", StringComparison.Ordinal)).ToArray())
        {
            StringBuilder old = new();
            foreach (string line in Encoding.UTF8.GetString(pair.Store.Objects[key].Content).Split('\n', StringSplitOptions.RemoveEmptyEntries))
            {
                string text = State().Replace(line[9..], string.Empty);
                removed += text.Length < line.Length - 9 ? 1 : 0;
                old.Append(CultureInfo.InvariantCulture, $"{Crc.Crc32C.Compute(Encoding.UTF8.GetBytes(text)):x8} {text}\n");
            }

            pair.Store.Put(key, Encoding.UTF8.GetBytes(old.ToString()));
        }

        Assert.Equal(Source.Count, removed);
    }

    [GeneratedRegex(",\"file\":\\{[^}]*\\}", RegexOptions.None, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex State();

    private JobPair NewPair(SyncDirection direction)
    {
        JobPair pair = new(direction, s3 => NewClient(s3.Client, options => options.MaxAttempts = 2));
        pair.Sides.SetSource(Source);
        return pair;
    }
}
