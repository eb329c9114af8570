using System.Text.Json;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Copies archived objects with the tool.</summary>
public sealed class ArchiveTests : ToolTest
{
    protected override EmbeddedS3ServerOptions ServerOptions => new() { Buckets = [Bucket], RestoreTime = TimeSpan.FromHours(1) };

    [Fact]
    public async Task Copy_OneObject_FailsSkipsOrRestores()
    {
        await PutAsync("old", S3StorageClass.DeepArchive);
        string target = GetPath("old");

        ToolOutcome fails = (await RunAsync("cp", $"s3://{Bucket}/old", target)).Expect(1);
        ToolOutcome skips = (await RunAsync("cp", "--archived", "skip", $"s3://{Bucket}/old", target)).Expect(0);
        ToolOutcome restores = (await RunAsync("cp", "--archived", "restore", "--restore-days", "2", $"s3://{Bucket}/old", target)).Expect(5);
        ToolOutcome again = (await RunAsync("cp", "--json", "--archived", "restore", $"s3://{Bucket}/old", target)).Expect(5);

        Assert.Contains("the object is archived and can't be read; cp --archived restore requests its restoration", fails.Error, StringComparison.Ordinal);
        Assert.Equal($"skipped: s3://{Bucket}/old is archived (--archived skip)\n", skips.Error);
        Assert.Equal($"s3://{Bucket}/old is archived and is being restored; run the same command again when 'transfer stat' shows that it can be read\n", restores.Error);
        Assert.EachEqual((0, 0, 1), (again.Json.GetProperty("objects").GetInt32(), again.Json.GetProperty("failed").GetInt32(), again.Json.GetProperty("restoring").GetInt32()));
        Assert.False(File.Exists(target));
        Assert.Equal([202, 409], Server.Requests.Where(request => request.Operation == "RestoreObject").Select(request => request.StatusCode));
    }

    [Fact]
    public async Task Copy_ManyObjects_TellsAndReportsWhichAreArchived()
    {
        await PutAsync("p/old", S3StorageClass.Glacier);
        await PutAsync("p/new", S3StorageClass.Standard);
        string report = GetPath("report.jsonl");

        ToolOutcome fails = (await RunAsync("cp", "-r", $"s3://{Bucket}/p", GetPath("a"))).Expect(1);
        ToolOutcome skips = (await RunAsync("cp", "-r", "--archived", "skip", $"s3://{Bucket}/p", GetPath("b"), "--report", report)).Expect(0);
        ToolOutcome restores = (await RunAsync("cp", "-r", "--archived", "restore", $"s3://{Bucket}/p", $"s3://{Bucket}/q/", "--report", report)).Expect(5);
        ToolOutcome several = (await RunAsync("cp", "--archived", "restore", $"s3://{Bucket}/p/old", $"s3://{Bucket}/p/new", GetPath("c/"))).Expect(5);

        Assert.Contains($"transfer: s3://{Bucket}/p/old: the object is archived", fails.Error, StringComparison.Ordinal);
        Assert.Contains("1 object, ", skips.Error, StringComparison.Ordinal);
        Assert.Contains(", 1 skipped (archived)\n", skips.Error, StringComparison.Ordinal);
        Assert.Contains(", 1 archived and being restored; run the same command again when they can be read\n", restores.Error, StringComparison.Ordinal);
        Assert.Contains(", 1 archived and being restored; ", several.Error, StringComparison.Ordinal);
        Assert.Equal(["done ", "done ", "restoring archived", "skipped archived"], (await File.ReadAllLinesAsync(report).Within()).Select(StatusOf).Order(StringComparer.Ordinal));
        Assert.DoesNotContain(Server.Requests, request => request is { Operation: "GetObject", Key: "p/old" } && request.StatusCode != 403);
    }

    [Fact]
    public async Task DryRun_TellsWhichAreArchived()
    {
        await PutAsync("p/old", S3StorageClass.Glacier);
        await PutAsync("p/new", S3StorageClass.Standard);

        ToolOutcome fails = (await RunAsync("cp", "-r", "--dry-run", $"s3://{Bucket}/p", GetPath("a"))).Expect(1);
        ToolOutcome skips = (await RunAsync("cp", "-r", "--dry-run", "--archived", "skip", $"s3://{Bucket}/p", GetPath("a"))).Expect(0);
        ToolOutcome restores = (await RunAsync("cp", "-r", "--dry-run", "--archived", "restore", $"s3://{Bucket}/p", $"s3://{Bucket}/q/")).Expect(0);

        Assert.Contains($"transfer: s3://{Bucket}/p/old: the object is archived", fails.Error, StringComparison.Ordinal);
        Assert.Contains("would copy 1 object, 5 B, 1 skipped (archived)\n", skips.Error, StringComparison.Ordinal);
        Assert.Contains("would copy 1 object, 5 B, 1 archived and to be restored first\n", restores.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("p/old", skips.Text + restores.Text, StringComparison.Ordinal);
        Assert.DoesNotContain(Server.Requests, request => request.Operation == "RestoreObject");
    }

    private static string StatusOf(string line)
    {
        JsonElement json = ToolOutcome.Parse(line);
        return $"{json.GetProperty("status").GetString()} {(json.TryGetProperty("reason", out JsonElement reason) ? reason.GetString() : null)}";
    }

    private async Task PutAsync(string key, S3StorageClass storageClass)
        => await S3.PutObjectAsync(new PutObjectRequest { BucketName = Bucket, Key = key, ContentBody = key, StorageClass = storageClass }).Within();
}
