using System.Globalization;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Reads objects as they were at a time with the tool.</summary>
public sealed class AsOfTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task Objects_OfATime_AreListedCopiedAndVerified(string storeName)
    {
        await using ToolStore tool = await ToolStore.StartAsync(storeName);
        VersionedTree tree = await VersionedTree.CreateAsync(tool.Store);
        string time = tree.Time.ToString("yyyy-MM-dd'T'HH:mm:ss.FFFFFFFK", CultureInfo.InvariantCulture);
        string prefix = $"s3://{tool.Bucket}/p";

        string[] listed = (await tool.RunAsync("ls", "--as-of", time, $"{prefix}/")).Expect(0).Lines;
        Assert.Equal(["0", "a", "b c", "d/", "e/", "large"], listed.Select(line => line.Split("  ")[^1]));
        string json = (await tool.RunAsync("ls", "-r", "--as-of", time, "--json", $"{prefix}/")).Expect(0).Text;
        Assert.Contains("\"version_id\":\"null\"", json, StringComparison.Ordinal);
        Assert.Equal(6, json.Split("\"version_id\":").Length - 1);
        Assert.DoesNotContain("version_id", (await tool.RunAsync("ls", "-r", "--json", $"{prefix}/")).Expect(0).Text, StringComparison.Ordinal);

        (await tool.RunAsync("cp", "-r", "--as-of", time, prefix, _folder.File("all"))).Expect(0);
        Assert.All(VersionedTree.Before, one => Assert.Equal(one.Value, File.ReadAllText(Path.Combine(_folder.File("all"), one.Key))));
        (await tool.RunAsync("verify", "-r", "--as-of", time, _folder.File("all"), prefix)).Expect(0);
        (await tool.RunAsync("verify", "-r", _folder.File("all"), prefix)).Expect(3);

        (await tool.RunAsync("cp", "--as-of", time, $"{prefix}/b c", _folder.File("one"))).Expect(0);
        Assert.Equal("two", await File.ReadAllTextAsync(_folder.File("one")));
        (await tool.RunAsync("verify", "--as-of", time, _folder.File("one"), $"{prefix}/b c")).Expect(0);
        (await tool.RunAsync("cp", "--as-of", time, $"{prefix}/0", $"{prefix}/a", _folder.File("all") + "/")).Expect(0);
        Assert.Contains("would copy", (await tool.RunAsync("cp", "--dry-run", "--as-of", time, $"{prefix}/b c", _folder.File("two"))).Expect(0).Text, StringComparison.Ordinal);

        (await tool.RunAsync("cp", "--as-of", time, $"{prefix}/a", $"s3://{tool.Bucket}/q/a")).Expect(0);
        (await tool.RunAsync("cp", "--as-of", time, "--through", $"{prefix}/a", $"s3://{tool.Bucket}/q/b")).Expect(0);
        (await tool.RunAsync("verify", "--as-of", time, $"{prefix}/a", $"s3://{tool.Bucket}/q/a")).Expect(0);
        (await tool.RunAsync("verify", "--as-of", time, $"{prefix}/a", $"s3://{tool.Bucket}/q/b")).Expect(0);
        (await tool.RunAsync("verify", $"{prefix}/a", $"s3://{tool.Bucket}/q/a")).Expect(3);

        (await tool.RunAsync("plan", "--as-of", time, prefix, $"s3://{tool.Bucket}/job", "--run", $"s3://{tool.Bucket}/run", "--shards", "1")).Expect(0);
        (await tool.RunAsync("run", $"s3://{tool.Bucket}/run", "--shard", "0")).Expect(0);
        (await tool.RunAsync("finish", $"s3://{tool.Bucket}/run")).Expect(0);
        (await tool.RunAsync("verify", "-r", "--as-of", time, prefix, $"s3://{tool.Bucket}/job")).Expect(0);

        Assert.Contains("1 skipped (target exists or has that version)", (await tool.RunAsync("cp", "-r", "--as-of", time, prefix, prefix)).Expect(0).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Object_ThatWasNotThere_IsAFailureThatSaysWhy()
    {
        await using ToolStore tool = await ToolStore.StartAsync(Store.Embedded);
        await VersionedTree.CreateAsync(tool.Store);
        await File.WriteAllTextAsync(_folder.File("a"), "one");

        string error = (await tool.RunAsync("cp", "--as-of", "2d", $"s3://{tool.Bucket}/p/a", _folder.File("b"))).Expect(1).Error;
        Assert.Contains("did not exist at", error, StringComparison.Ordinal);
        Assert.Contains("its oldest version is from", error, StringComparison.Ordinal);
        Assert.Contains("no objects found", (await tool.RunAsync("cp", "-r", "--as-of", "2d", $"s3://{tool.Bucket}/p", _folder.File("all"))).Expect(1).Error, StringComparison.Ordinal);
        Assert.Contains("no objects found", (await tool.RunAsync("ls", "--as-of", "2d", $"s3://{tool.Bucket}/p")).Expect(1).Error, StringComparison.Ordinal);
        Assert.Contains("did not exist at", (await tool.RunAsync("verify", "--as-of", "2d", _folder.File("a"), $"s3://{tool.Bucket}/p/a")).Expect(1).Error, StringComparison.Ordinal);
    }
}
