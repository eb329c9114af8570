using System.Text.Json;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary><c>transfer tag</c>.</summary>
public sealed class TagTests
{
    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task Tag_SetRemoveAndClear_ChangeTheTags(string store)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);
        await tool.PutAsync("dir/a b", [1, 2, 3]);
        string address = $"s3://{tool.Bucket}/dir/a b";

        Assert.Empty((await tool.RunAsync("tag", address)).Expect(0).Text);
        Assert.Equal(["a=1", "b=x=y z"], (await tool.RunAsync("tag", address, "--set", "b=x=y z", "--set", "a=1")).Expect(0).Lines);
        Assert.Equal(["a=2", "c="], (await tool.RunAsync("tag", address, "--set", "a=2", "--set", "c=", "--remove", "b", "--remove", "none")).Expect(0).Lines);
        Assert.Equal(["a=2", "c="], (await tool.RunAsync("tag", address)).Expect(0).Lines);
        Assert.Equal(["d=4"], (await tool.RunAsync("tag", address, "--clear", "--set", "d=4")).Expect(0).Lines);
        Assert.Empty((await tool.RunAsync("tag", address, "--remove", "d")).Expect(0).Text);
        Assert.Empty((await tool.RunAsync("tag", address)).Expect(0).Text);
        Assert.Equal([1, 2, 3], (await tool.RunAsync("cat", address)).Expect(0).Output);
    }

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task Tag_Json_WritesALineForEachTagAndTheResult(string store)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);
        await tool.PutAsync("k", [1]);

        ToolOutcome outcome = (await tool.RunAsync("tag", "--set", "a=1", $"s3://{tool.Bucket}/k", "--json")).Expect(0);

        Assert.Single(outcome.Lines);
        JsonElement tag = ToolOutcome.Parse(outcome.Lines[0]);
        Assert.EachEqual(("a", "1"), (tag.GetProperty("tag").GetString(), tag.GetProperty("value").GetString()));
        Assert.EachEqual(("tag", 1, 2), (outcome.Json.GetProperty("operation").GetString(), outcome.Json.GetProperty("objects").GetInt32(), outcome.Json.GetProperty("requests").GetInt32()));
    }

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task Tag_DryRun_ShowsTheTagsAndChangesNothing(string store)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);
        await tool.PutAsync("k", [1]);
        string address = $"s3://{tool.Bucket}/k";
        (await tool.RunAsync("tag", "--set", "a=1", address)).Expect(0);

        ToolOutcome changed = (await tool.RunAsync("tag", "--dry-run", "--set", "b=2", "--remove", "a", address)).Expect(0);
        ToolOutcome same = (await tool.RunAsync("tag", "--dry-run", "--set", "a=1", address)).Expect(0);
        ToolOutcome cleared = (await tool.RunAsync("tag", "--dry-run", "--clear", address)).Expect(0);
        ToolOutcome missing = (await tool.RunAsync("tag", "--dry-run", "--clear", $"s3://{tool.Bucket}/none")).Expect(1);

        Assert.EachEqual(("b=2\n", $"would change the tags of {address}\n"), (changed.Text, changed.Error));
        Assert.EachEqual(("a=1\n", $"would not change the tags of {address}\n"), (same.Text, same.Error));
        Assert.EachEqual((string.Empty, $"would change the tags of {address}\n"), (cleared.Text, cleared.Error));
        Assert.Contains("none", missing.Error, StringComparison.Ordinal);
        Assert.Equal(["a=1"], (await tool.RunAsync("tag", address)).Expect(0).Lines);
    }

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task Tag_MoreThanTenTags_ChangesNothing(string store)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);
        await tool.PutAsync("k", [1]);
        string[] ten = [.. Enumerable.Range(0, 10).SelectMany(number => (string[])["--set", $"k{number}=v"])];
        (await tool.RunAsync(["tag", $"s3://{tool.Bucket}/k", .. ten])).Expect(0);

        ToolOutcome outcome = (await tool.RunAsync("tag", $"s3://{tool.Bucket}/k", "--set", "more=v")).Expect(2);

        Assert.Contains("the object would have 11 tags; S3 allows at most 10", outcome.Error, StringComparison.Ordinal);
        Assert.Equal(10, (await tool.RunAsync("tag", $"s3://{tool.Bucket}/k")).Expect(0).Lines.Length);
    }

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task Tag_MissingObject_Fails(string store)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);
        Assert.Contains("there is no such key", (await tool.RunAsync("tag", $"s3://{tool.Bucket}/nothing")).Expect(1).Error, StringComparison.Ordinal);
        Assert.Contains("there is no such key", (await tool.RunAsync("tag", $"s3://{tool.Bucket}/nothing", "--clear", "--set", "a=1")).Expect(1).Error, StringComparison.Ordinal);
    }
}
