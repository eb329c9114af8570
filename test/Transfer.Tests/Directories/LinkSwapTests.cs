using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Directories;

/// <summary>Replaces parts of a tree with links while it is written or read. No data may leave the tree, and none from outside may be read.</summary>
public sealed class LinkSwapTests : TransferTest
{
    private const int Rounds = 25;
    private const int Part = 64 * 1024;
    private const byte Outside = 0xEE;

    private static readonly string[] Names = [.. from a in Enumerable.Range(0, 4) from b in Enumerable.Range(0, 3) from c in Enumerable.Range(0, 4) select $"d{a}/s{b}/f{c}"];

    [LinuxTheory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Download_WritesNothingOutside(int seed)
    {
        using TemporaryFolder outside = new();
        outside.File("f0", [Outside]);
        foreach (string name in Names)
        {
            S3.Put(name, name.EndsWith("f3", StringComparison.Ordinal) ? (2 * Part) + 1 : 10); // in one write, and in parts
        }

        TransferClient client = NewClient();
        long transferred = 0;
        int swaps = 0;
        for (int round = 0; round < Rounds; round++)
        {
            string target = Folder.File($"t{round}");
            await using LinkSwaps hostile = new(Folders(target), outside.Path, seed + round);
            DirectoryResult result = await client.DownloadDirectoryAsync(
                FakeS3.Bucket, string.Empty, target, new DirectoryOptions { OnFailure = FailurePolicy.Continue, SkipExisting = round % 2 == 1 }).Within();
            transferred += result.Counts.Copied;
            Assert.Equal(Names.Length, result.Counts.Copied + result.Failures.Count + result.Counts.Skipped);
            swaps += hostile.Done;
        }

        Assert.Equal(["f0"], outside.Files);
        Assert.Empty(Directory.GetDirectories(outside.Path));
        Assert.Equal(Outside, Assert.Single(await File.ReadAllBytesAsync(outside.File("f0"))));
        Assert.True(transferred > 0 && swaps > 0, $"{transferred} files were written during {swaps} swaps");
    }

    [LinuxTheory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Upload_WithoutLinks_ReadsNothingOutside(int seed)
    {
        using TemporaryFolder outside = new();
        foreach (string name in (string[])["f0", "f1", "f2", "f3", "secret"])
        {
            outside.File(name, [Outside, Outside, Outside]);
        }

        foreach (string name in Names)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Folder.File(name))!);
            Folder.File(name, [1, 2, 3]);
        }

        TransferClient client = NewClient();
        DirectoryOptions options = new() { OnFailure = FailurePolicy.Continue, SymbolicLinks = SymbolicLinks.Skip };
        long transferred = 0;
        await using LinkSwaps hostile = new([.. Folders(Folder.Path), .. Names.Select(Folder.File)], outside.Path, seed);
        for (int round = 0; round < Rounds; round++)
        {
            transferred += (await client.UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, $"r{round}", options).Within()).Counts.Copied;
            await client.VerifyTreeAsync(Place.InDirectory(Folder.Path), Place.InBucket(FakeS3.Bucket, $"r{round}"), new VerifyDirectoryOptions { SymbolicLinks = SymbolicLinks.Skip }).Within();
        }

        Assert.DoesNotContain(S3.Objects, item => item.Value.Content.Contains(Outside) || item.Key.Contains("secret", StringComparison.Ordinal));
        Assert.True(transferred > 0 && hostile.Done > 0, $"{transferred} files were read during {hostile.Done} swaps");
    }

    private static IEnumerable<string> Folders(string root)
        => Names.Select(name => Path.GetDirectoryName(name)!).Distinct().SelectMany(name => (string[])[name, Path.GetDirectoryName(name)!]).Distinct().Select(name => Path.Combine(root, name));
}
