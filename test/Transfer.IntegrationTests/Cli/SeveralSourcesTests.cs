using System.Text.Json;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Runs <c>cp</c> with several sources, as when a shell expands a pattern.</summary>
public sealed class SeveralSourcesTests : ToolTest
{
    [Theory]
    [InlineData($"s3://{Bucket}", "")]
    [InlineData($"s3://{Bucket}/x/", "x/")]
    public async Task Copy_SeveralFiles_AreUploadedUnderThePrefix(string target, string prefix)
    {
        string a = await WriteFileAsync("a.bin", Sample.Bytes(1000));
        string b = await WriteFileAsync("b.bin", Sample.Bytes((9 << 20) + 1, seed: 2));

        ToolOutcome outcome = (await RunAsync("cp", a, b, a, target)).Expect(0);

        Assert.Equal([prefix + "a.bin", prefix + "b.bin"], await KeysAsync());
        Assert.Equal(Sample.Bytes((9 << 20) + 1, seed: 2), await GetAsync(prefix + "b.bin"));
        Assert.StartsWith("2 objects, 9 MiB in ", outcome.Error, StringComparison.Ordinal);
        Assert.Contains(", all verified\n", outcome.Error, StringComparison.Ordinal);
        Assert.Matches("\nlimited by: [a-z]+\n$", outcome.Error);
    }

    [Theory]
    [InlineData("")]
    [InlineData("new/")]
    public async Task Copy_SeveralObjects_AreDownloadedToTheFolder(string folder)
    {
        await PutAsync("p/a", [1]);
        await PutAsync("q/b", [2, 3]);

        JsonElement json = (await RunAsync("cp", $"s3://{Bucket}/p/a", $"s3://{Bucket}/q/b", GetPath(folder), "--json", "-q")).Expect(0).Json;

        Assert.Equal([2, 3], await File.ReadAllBytesAsync(GetPath(folder + "b")).Within());
        Assert.EachEqual((2, 3, 0), (json.GetProperty("objects").GetInt32(), json.GetProperty("bytes").GetInt32(), json.GetProperty("failed").GetInt32()));
        Assert.Equal("verified", json.GetProperty("checksum").GetProperty("verdict").GetString());
        Assert.True(json.GetProperty("requests").GetInt32() >= 2);
        Assert.True(json.GetProperty("time").GetProperty("first_byte").GetDouble() > 0);
    }

    [Fact]
    public async Task Copy_FilesAndObjectsToAPrefix_AreUploadedAndCopiedInsideTheStore()
    {
        await PutAsync("p/a", [1]);
        string b = await WriteFileAsync("b", [2]);

        (await RunAsync("cp", $"s3://{Bucket}/p/a", b, $"s3://{Bucket}/x/")).Expect(0);

        Assert.Equal(["p/a", "x/a", "x/b"], await KeysAsync());
        Assert.Single(Server.Requests, request => request.Operation == "CopyObject");
        Assert.DoesNotContain(Server.Requests, request => request.Operation == "GetObject");
    }

    [Fact]
    public async Task Copy_SomeSourcesFail_OthersAreCopied()
    {
        string a = await WriteFileAsync("a", [1]);
        Directory.CreateDirectory(GetPath("folder"));
        string[] line = ["cp", GetPath("missing"), GetPath("folder"), GetPath("folder/"), $"s3://{Bucket}/none", a, $"s3://{Bucket}/x/"];

        ToolOutcome text = (await RunAsync(line)).Expect(1);
        ToolOutcome json = (await RunAsync([.. line, "--json"])).Expect(1);

        Assert.Equal(["x/a"], await KeysAsync());
        Assert.Contains($"transfer: '{GetPath("missing")}': no such file\n", text.Error, StringComparison.Ordinal);
        Assert.Contains($"transfer: '{GetPath("folder")}' is a folder and was not copied", text.Error, StringComparison.Ordinal);
        Assert.Contains($"transfer: s3://{Bucket}/none: ", text.Error, StringComparison.Ordinal);
        Assert.Contains("1 object, 1 B in ", text.Error, StringComparison.Ordinal);
        Assert.Contains(", 4 failed\n", text.Error, StringComparison.Ordinal);
        JsonElement result = ToolOutcome.Parse(Assert.Single(json.Lines));
        Assert.EachEqual((1, 4, 4), (result.GetProperty("objects").GetInt32(), result.GetProperty("failed").GetInt32(), result.GetProperty("errors").GetArrayLength()));
    }

    [Fact]
    public async Task Copy_OnFailureAbort_StopsAtTheFirstFailure()
    {
        string a = await WriteFileAsync("a", [1]);
        ToolOutcome outcome = (await RunAsync("cp", "--on-failure", "abort", "--concurrency", "1", GetPath("missing"), a, $"s3://{Bucket}/x/", "--json")).Expect(1);
        Assert.Empty(await KeysAsync());
        Assert.Contains("no such file", outcome.Error, StringComparison.Ordinal);
        Assert.EachEqual((0, 1), (outcome.Json.GetProperty("objects").GetInt32(), outcome.Json.GetProperty("failed").GetInt32()));
    }

    [Fact]
    public async Task Copy_NoClobber_SkipsExistingTargets()
    {
        string a = await WriteFileAsync("a", [1]);
        string b = await WriteFileAsync("b", [2]);
        await PutAsync("x/a", [9]);

        ToolOutcome outcome = (await RunAsync("cp", "--no-clobber", a, b, $"s3://{Bucket}/x/")).Expect(0);

        Assert.Equal([9], await GetAsync("x/a"));
        Assert.Equal([2], await GetAsync("x/b"));
        Assert.Contains("1 skipped (target exists)", outcome.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--dry-run")]
    [InlineData("--dryrun")]
    public async Task Copy_DryRun_ShowsEveryCopyAndTransfersNothing(string option)
    {
        string a = await WriteFileAsync("a", [1]);
        await PutAsync("k", [1, 2]);

        ToolOutcome outcome = (await RunAsync("cp", option, a, $"s3://{Bucket}/k", $"s3://{Bucket}/x/")).Expect(0);

        Assert.Equal([$"{a} → s3://{Bucket}/x/a", $"s3://{Bucket}/k → s3://{Bucket}/x/k"], outcome.Lines.Order(StringComparer.Ordinal));
        Assert.Equal("would copy 2 objects, 3 B\n", outcome.Error);
        Assert.Equal(["k"], await KeysAsync());
    }

    [Fact]
    public async Task Copy_ToAMissingBucket_StopsEarly()
    {
        string[] files = [.. await Task.WhenAll(Enumerable.Range(0, 300).Select(i => WriteFileAsync($"f{i}", [1])))];
        ToolOutcome outcome = (await RunAsync(["cp", .. files, "s3://nobucket/p/", "--json"])).Expect(1);
        Assert.InRange(outcome.Json.GetProperty("failed").GetInt32(), 1, 100);
        Assert.Contains("stopped because every object would fail with the same error", outcome.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Copy_ManyFiles_CopiesAll()
    {
        string[] files = [.. await Task.WhenAll(Enumerable.Range(0, 2000).Select(i => WriteFileAsync($"f{i:d4}", BitConverter.GetBytes(i))))];

        ToolOutcome outcome = (await RunAsync(["cp", .. files, $"s3://{Bucket}/p/", "--json", "--progress", "bar"])).Expect(0);

        Assert.Equal(2000, outcome.Json.GetProperty("objects").GetInt32());
        Assert.Equal(8000, outcome.Json.GetProperty("bytes").GetInt32());
        Assert.Equal(BitConverter.GetBytes(1234), await GetAsync("p/f1234"));
        Assert.Contains("of 2,000 objects", outcome.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("\e[3", outcome.Error, StringComparison.Ordinal); // a file or a pipe gets no colors
    }

    [Fact]
    public async Task Copy_Interrupted_ReportsCompletedObjectsAndLeavesNoUpload()
    {
        await using EmbeddedS3Server slow = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket], FirstByteDelay = TimeSpan.FromMilliseconds(200) });
        Environment["AWS_ENDPOINT_URL_S3"] = slow.Endpoint.ToString();
        string[] files = [.. await Task.WhenAll(Enumerable.Range(0, 500).Select(i => WriteFileAsync($"f{i}", [1])))];

        using ToolProcess tool = ToolProcess.Start(Environment, ["cp", "--concurrency", "1", .. files, $"s3://{Bucket}/p/", "--json"]);
        await Deadline.Until(() => slow.Requests.Count >= 5);
        await tool.SignalAsync("INT");

        ToolOutcome outcome = (await tool.EndAsync()).Expect(130);
        Assert.InRange(outcome.Json.GetProperty("objects").GetInt32(), 3, 499);
        Assert.EndsWith("transfer: interrupted\n", outcome.Error, StringComparison.Ordinal);
        Assert.Contains(" objects, ", outcome.Error, StringComparison.Ordinal);
    }
}
