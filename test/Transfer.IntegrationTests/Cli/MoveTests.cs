namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Moves files and objects with the tool.</summary>
public sealed class MoveTests : ToolTest
{
    private static readonly byte[] Content = Sample.Bytes(10_001);

    [Fact]
    public async Task OneFile_GoesToTheStoreAndBack()
    {
        string file = await WriteFileAsync("a", Content);

        (await RunAsync("mv", file, $"s3://{Bucket}/p/")).Expect(0);
        Assert.False(File.Exists(file));
        Assert.Equal(Content, await GetAsync("p/a"));

        (await RunAsync("mv", $"s3://{Bucket}/p/a", $"s3://{Bucket}/q")).Expect(0);
        Assert.Equal(["q"], await KeysAsync());

        (await RunAsync("mv", $"s3://{Bucket}/q", GetPath("b"))).Expect(0);
        Assert.Empty(await KeysAsync());
        Assert.Equal(Content, await File.ReadAllBytesAsync(GetPath("b")));
    }

    [Fact]
    public async Task Folder_GoesToTheStoreAndBack()
    {
        Directory.CreateDirectory(GetPath("d/e"));
        await WriteFileAsync("d/a", Content);
        await WriteFileAsync("d/e/b", Content);
        await WriteFileAsync("d/keep.tmp", Content);

        Assert.StartsWith("would move 2 objects", (await RunAsync("mv", "-r", "--dry-run", "--exclude", "*.tmp", GetPath("d"), $"s3://{Bucket}/p")).Expect(0).Error, StringComparison.Ordinal);
        (await RunAsync("mv", "-r", "--exclude", "*.tmp", GetPath("d"), $"s3://{Bucket}/p")).Expect(0);
        Assert.Equal([GetPath("d/keep.tmp")], Directory.GetFiles(GetPath("d"), "*", SearchOption.AllDirectories));

        (await RunAsync("mv", "-r", $"s3://{Bucket}/p", $"s3://{Bucket}/q")).Expect(0);
        Assert.Equal(["q/a", "q/e/b"], await KeysAsync());

        (await RunAsync("mv", "-r", $"s3://{Bucket}/q", GetPath("out"))).Expect(0);
        Assert.Empty(await KeysAsync());
        Assert.Equal(Content, await File.ReadAllBytesAsync(GetPath("out/e/b")));
    }

    [Fact]
    public async Task SeveralSources_GoToOneFolder()
    {
        string[] files = [await WriteFileAsync("a", Content), await WriteFileAsync("b", Content)];

        (await RunAsync("mv", files[0], files[1], $"s3://{Bucket}/p/")).Expect(0);

        Assert.Equal(["p/a", "p/b"], await KeysAsync());
        Assert.DoesNotContain(files, File.Exists);
    }

    [Fact]
    public async Task NoClobber_KeepsBoth()
    {
        string file = await WriteFileAsync("a", Content);
        await PutAsync("p/a", [1]);

        (await RunAsync("mv", "--no-clobber", file, $"s3://{Bucket}/p/a")).Expect(0);

        Assert.True(File.Exists(file));
        Assert.Equal([1], await GetAsync("p/a"));
    }

    [Theory]
    [InlineData("mv s3://bucket/a s3://bucket/a", "can't be moved to itself")]
    [InlineData("mv s3://bucket/a -", "mv moves files and objects, and not standard input or output")]
    [InlineData("mv --checksum none s3://bucket/a b", "only a verified copy replaces its source")]
    public async Task WhatCannotBeMoved_IsAUsageError(string line, string message)
    {
        await PutAsync("a", Content);

        Assert.Contains(message, (await RunAsync(line.Split(' '))).Expect(2).Error, StringComparison.Ordinal);

        Assert.Equal(["a"], await KeysAsync());
    }
}
