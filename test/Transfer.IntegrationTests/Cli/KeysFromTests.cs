using System.Text;
using Amazon.S3.Model;

namespace Transfer.IntegrationTests.Cli;

/// <summary>Copies and deletes the objects in a list of keys with the tool.</summary>
public sealed class KeysFromTests : ToolTest
{
    private readonly byte[] _content = [1, 2, 3];

    private string Prefix { get; } = $"s3://{Bucket}/p";

    [Fact]
    public async Task Remove_KeysInAFile_AreDeletedWithoutAListing()
    {
        await PutManyAsync("p/a b", "p/c", "p/d");
        string file = await WriteListAsync("p/a b\r\np/c\n");

        ToolOutcome dry = (await RunAsync("rm", "-r", "--dry-run", "--keys-from", file, Prefix)).Expect(0);
        Assert.Equal([$"s3://{Bucket}/p/a b", $"s3://{Bucket}/p/c"], dry.Lines);
        Assert.Equal("would delete 2 objects\n", dry.Error);
        Assert.Equal(["PutObject"], Operations());

        Assert.StartsWith("deleted 2 objects in ", (await RunAsync("rm", "-r", "-y", "--progress", "none", "--keys-from", file, Prefix)).Expect(0).Error, StringComparison.Ordinal);
        Assert.Equal(["DeleteObjects", "PutObject"], Operations());
        Assert.Equal(["p/d"], await KeysAsync());
    }

    [Fact]
    public async Task Remove_EmptyList_IsNoError()
    {
        Assert.StartsWith("deleted 0 objects", (await RunAsync("rm", "-r", "-y", "--keys-from", "-", Prefix)).Expect(0).Error, StringComparison.Ordinal);
        Assert.Empty(Server.Requests);
    }

    [Fact]
    public async Task Remove_StandardInput_IsUsedUpToItsFirstWrongLine()
    {
        await PutManyAsync("p/a", "p/b", "p/c");
        using ToolProcess tool = ToolProcess.Start(Environment, "rm", "-r", "-y", "--progress", "none", "--keys-format", "csv", "--keys-from", "-", $"s3://{Bucket}");
        await tool.Input.WriteAsync(Encoding.UTF8.GetBytes($"{Bucket},p%2Fa\n{Bucket},p/b\nother,p/c\n{Bucket},p/c\n"));
        tool.CloseInput();

        ToolOutcome outcome = (await tool.EndAsync()).Expect(1);

        Assert.Contains("deleted 2 objects in ", outcome.Error, StringComparison.Ordinal);
        Assert.Contains("line 3 of standard input: its bucket is 'other' instead of 'bucket'; the list was used up to this line", outcome.Error, StringComparison.Ordinal);
        Assert.Equal(["p/c"], await KeysAsync());
    }

    [Fact]
    public async Task Copy_KeysInAFile_AreDownloadedAndCopiedWithoutAListing()
    {
        await PutManyAsync("p/d/a", "p/b", "p/c");
        string file = await WriteListAsync("p/d/a\np/missing\np/b\n");

        ToolOutcome outcome = (await RunAsync("cp", "-r", "--keys-from", file, Prefix, PathOf("new"))).Expect(1);
        Assert.Contains("p/missing", outcome.Error, StringComparison.Ordinal);
        Assert.Contains("2 objects, 6 B in ", outcome.Error, StringComparison.Ordinal);
        Assert.Equal(_content, await File.ReadAllBytesAsync(PathOf("new/d/a")));
        Assert.Equal(2, Directory.GetFiles(PathOf("new"), "*", SearchOption.AllDirectories).Length);
        Assert.Equal(["GetObject", "PutObject"], Operations());

        (await RunAsync("cp", "-r", "--keys-from", file, "--exclude", "missing", Prefix, $"s3://{Bucket}/q")).Expect(0);
        Assert.DoesNotContain("ListObjectsV2", Operations());
        Assert.Equal(["p/b", "p/c", "p/d/a", "q/b", "q/d/a"], await KeysAsync());
    }

    private string[] Operations() => [.. Server.Requests.Select(request => request.Operation).Distinct().Order(StringComparer.Ordinal)];

    private Task<string> WriteListAsync(string text) => WriteFileAsync("keys.txt", Encoding.UTF8.GetBytes(text));

    private async Task PutManyAsync(params string[] keys)
    {
        foreach (string key in keys)
        {
            await PutAsync(key, _content);
        }
    }

    private async Task<string[]> KeysAsync() => [.. (await S3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = Bucket })).S3Objects.Select(item => item.Key)];
}
