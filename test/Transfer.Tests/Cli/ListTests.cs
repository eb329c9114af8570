using System.CommandLine;
using System.Text.Json;
using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Cli;

/// <summary>What <c>transfer ls</c> and <c>transfer du</c> select.</summary>
public sealed class ListTests : TransferTest
{
    private static readonly string[] Keys = ["photos", "photos-old/a.jpg", "photos/a.jpg", "photos/b.txt", "photos/raw/c.jpg"];

    [Theory]
    [InlineData("s3://bucket/photos", "", "photos/a.jpg photos/b.txt photos/raw/c.jpg")]
    [InlineData("s3://bucket/photos/", "", "photos/a.jpg photos/b.txt photos/raw/c.jpg")]
    [InlineData("s3://bucket/photos", "--any-prefix", "photos photos-old/a.jpg photos/a.jpg photos/b.txt photos/raw/c.jpg")]
    [InlineData("s3://bucket/photos", "--include *.jpg", "photos/a.jpg photos/raw/c.jpg")]
    [InlineData("s3://bucket/photos", "--any-prefix --include *.jpg", "photos-old/a.jpg photos/a.jpg photos/raw/c.jpg")]
    [InlineData("s3://bucket", "--include *.jpg --exclude raw", "photos-old/a.jpg photos/a.jpg")]
    [InlineData("s3://bucket", "--exclude * --include *.txt", "photos/b.txt")]
    [InlineData("s3://bucket", "--min-size 14", "photos-old/a.jpg photos/raw/c.jpg")]
    public async Task Folder_IsListedAndCounted(string address, string options, string expected)
    {
        PutAll();
        string[] keys = expected.Split(' ');

        string[] lines = await RunAsync(address, "-r --json " + options);
        string[] sum = await RunAsync(address, "--json --depth 0 " + options, counts: true);
        string[] text = await RunAsync(address, options, counts: true);

        Assert.Equal(keys, lines.Select(GetKey));
        Assert.Empty(sum);
        string shown = !address.EndsWith("photos", StringComparison.Ordinal) || options.Contains("any", StringComparison.Ordinal) ? address : address + "/";
        Assert.EndsWith($"{keys.Length} object{(keys.Length == 1 ? string.Empty : "s")}  {(address == "s3://bucket" ? "s3://bucket/" : shown)}", Assert.Single(text), StringComparison.Ordinal);
    }

    /// <summary>One level has the prefix as it is, so that an object can be listed by its key.</summary>
    [Theory]
    [InlineData("s3://bucket/photos", "", "photos photos-old/a.jpg photos/a.jpg photos/b.txt photos/raw/c.jpg")] // the fake store knows no delimiter
    [InlineData("s3://bucket/photos/a.jpg", "", "photos/a.jpg")]
    [InlineData("s3://bucket/photos/a", "--exclude b.txt", "photos/a.jpg")]
    public async Task OneLevel_HasThePrefixAsItIs(string address, string options, string expected)
    {
        PutAll();

        Assert.Equal(expected.Split(' '), (await RunAsync(address, "--json " + options)).Select(GetKey));
    }

    [Theory]
    [InlineData("s3://bucket/photos", "-r --include *.png", "s3://bucket/photos/: nothing matched --include '*.png'")]
    [InlineData("s3://bucket", "-r --min-size 1GiB", "s3://bucket/: nothing matched --min-size 1GiB")]
    [InlineData("s3://bucket/photos/", "--exclude *", "s3://bucket/photos/: nothing matched --exclude '*'")]
    [InlineData("s3://bucket/photos", "-r --include *.jpg --exclude *", "nothing matched: --exclude '*' also removes what --include selects before it")]
    [InlineData("s3://bucket/none", "-r --include *.png", "s3://bucket/none/: no objects found")]
    [InlineData("s3://bucket/pho", "-r", "s3://bucket/pho/: no objects found; there are objects whose keys begin with 'pho': omit -r to list the object of this name, or add --any-prefix to list all of them")]
    [InlineData("s3://bucket/photos/*.jpg", "-r", "wildcards in keys aren't expanded; use 'transfer ls -r --include '*.jpg' s3://bucket/photos/' to list what matches")]
    public async Task NothingListed_SaysWhy(string address, string options, string expected)
    {
        PutAll();

        Assert.Contains(expected, (await Assert.ThrowsAsync<TransferException>(() => RunAsync(address, options))).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("s3://bucket/pho", "", "s3://bucket/pho/: no objects found; there are objects whose keys begin with 'pho': add --any-prefix to count them")]
    [InlineData("s3://bucket", "--include *.png", "s3://bucket/: nothing matched --include '*.png'")]
    public async Task NothingCounted_SaysWhy(string address, string options, string expected)
    {
        PutAll();

        Assert.Contains(expected, (await Assert.ThrowsAsync<TransferException>(() => RunAsync(address, options, counts: true))).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task EmptyBucket_IsNoError_WithoutFilters()
    {
        Assert.Empty(await RunAsync("s3://bucket", "-r"));
        Assert.Empty(await RunAsync("s3://bucket", ""));
    }

    private static string GetKey(string line)
    {
        using JsonDocument document = JsonDocument.Parse(line);
        return document.RootElement.GetProperty("key").GetString()!;
    }

    private void PutAll() => Array.ForEach(Keys, key => S3.Put(key, key.Length));

    private async Task<string[]> RunAsync(string address, string line, bool counts = false)
    {
        (OutputOptions output, ListOptions list, Option<bool> recursive, Option<string?> depth) = (new(), new("list", hasRecursive: true), new("-r"), new("--depth"));
        OptionValues values = CliLine.Values(
            command =>
            {
                output.AddTo(command);
                command.AddGroup("Listing", [recursive, depth, .. list.All]);
            },
            line);
        using StringWriter lines = new();
        using StringWriter error = new();
        Invocation invocation = new(values, OutputSettings.Resolve(values, output), new ToolConsole(lines, error), Time);
        ListSettings settings = ListSettings.Resolve(Location.ParseS3(address), values, list, counts || values.Flag(recursive), Time.GetUtcNow());
        await (counts
            ? UsageCommand.SumAsync(NewClient(), settings, 0, invocation, CancellationToken.None)
            : ListCommand.ListObjectsAsync(NewClient(), settings, invocation, CancellationToken.None)).Within();
        return lines.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }
}
