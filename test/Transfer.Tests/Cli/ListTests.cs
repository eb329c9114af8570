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
        Assert.Contains($"\"objects\":{keys.Length},", Assert.Single(sum), StringComparison.Ordinal);
        string shown = !address.EndsWith("photos", StringComparison.Ordinal) || options.Contains("any", StringComparison.Ordinal) ? address : address + "/";
        Assert.EndsWith($"{keys.Length} object{(keys.Length == 1 ? string.Empty : "s")}  {(address == "s3://bucket" ? "s3://bucket/" : shown)}", Assert.Single(text), StringComparison.Ordinal);
    }

    /// <summary>Without -r, whole keys match, and nothing in folders. With -r, what is in folders that match is selected, too.</summary>
    [Theory]
    [InlineData("*", "-r", "photos photos-old/a.jpg photos/a.jpg photos/b.txt photos/raw/c.jpg")]
    [InlineData("photos/*.jpg", "-r", "photos/a.jpg")]
    [InlineData("photos/r*", "-r", "photos/raw/c.jpg")]
    [InlineData("photos/*/", "-r", "photos/raw/c.jpg")]
    [InlineData("photos/*/*", "", "photos/raw/c.jpg")]
    [InlineData("photo*/a.jpg", "", "photos-old/a.jpg photos/a.jpg")]
    [InlineData("photo*/?.jpg", "--min-size 14", "photos-old/a.jpg")]
    [InlineData("**/*.jpg", "-r", "photos-old/a.jpg photos/a.jpg photos/raw/c.jpg")]
    [InlineData("photos/**/c.jpg", "-r", "photos/raw/c.jpg")]
    [InlineData("photos/**", "-r --exclude raw", "photos/a.jpg photos/b.txt")]
    [InlineData("*", "-r --exclude photos", "photos-old/a.jpg")]
    public async Task Wildcards_SelectWhatMatches(string key, string options, string expected)
    {
        PutAll();

        Assert.Equal(expected.Split(' '), (await RunAsync("s3://bucket/" + key, "--json " + options)).Select(GetKey));
        if (options.StartsWith("-r", StringComparison.Ordinal))
        {
            string sum = Assert.Single(await RunAsync("s3://bucket/" + key, options, counts: true));
            Assert.Contains($"{expected.Split(' ').Length} object", sum, StringComparison.Ordinal);
            Assert.EndsWith("  s3://bucket/" + key, sum, StringComparison.Ordinal);
        }
    }

    /// <summary>The empty name between two slashes is matched by what matches an empty name, and by nothing else.</summary>
    [Theory]
    [InlineData("p/*.log", "-r", "p/a.log p/x.log/b")]
    [InlineData("p/*", "-r", "p//c.log p/a.log p/x.log/b")]
    [InlineData("p/?*", "-r", "p/a.log p/x.log/b")]
    public async Task Wildcards_OfOneName_MatchNoOther(string key, string options, string expected)
    {
        Array.ForEach<string>(["p//c.log", "p/a.log", "p/x.log/b", "pa.log", "q/p/a.log"], one => S3.Put(one, 1));

        Assert.Equal(expected.Split(' '), (await RunAsync("s3://bucket/" + key, "--json " + options)).Select(GetKey));
    }

    /// <summary>An object or a folder that has the address as its name is meant.</summary>
    [Theory]
    [InlineData("a*", "", "a* a*b/c")]
    [InlineData("a*b", "-r", "a*b/c")]
    [InlineData("x?b", "-r", "xxb/c")]
    public async Task Wildcards_InANameThatExists_AreNotExpanded(string key, string options, string expected)
    {
        Array.ForEach<string>(["a*", "a*b/c", "axb/c", "axx", "xxb/c"], one => S3.Put(one, 1));

        Assert.Equal(expected.Split(' '), (await RunAsync("s3://bucket/" + key, "--json " + options)).Select(GetKey));
    }

    [Theory]
    [InlineData("photos/*", "--include *.jpg", "'s3://bucket/photos/*' has wildcards, which can be combined with --exclude, but not with --include; use --include with 's3://bucket/photos/'")]
    [InlineData("photos/*/", "", "'s3://bucket/photos/*/' selects what is in folders; add -r")]
    [InlineData("photos/**/a", "", "'s3://bucket/photos/**/a' selects what is in folders; add -r")]
    public async Task Wildcards_ThatCannotBeUsed_AreRefused(string key, string options, string expected)
    {
        PutAll();

        Assert.Equal(expected, (await Assert.ThrowsAsync<UsageException>(() => RunAsync("s3://bucket/" + key, options))).Message);
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
    [InlineData("s3://bucket/photos/*.png", "-r", "s3://bucket/photos/*.png: nothing matches; * and ? don't match a /")]
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
