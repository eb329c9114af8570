using Transfer.S3.Files;

namespace Transfer.S3.Tests.Files;

/// <summary>Folders that are kept open, so that no link can redirect a write to the outside.</summary>
public sealed class LocalFolderTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly TemporaryFolder _outside = new();

    [Fact]
    public void Open_CreatesMissingFoldersAndFollowsTheCallersLinks()
    {
        Directory.CreateSymbolicLink(_folder.File("link"), _outside.Path);

        using LocalFolder folder = LocalFolder.Open(_folder.File("link/a/b"));

        Assert.True(Directory.Exists(_outside.File("a/b")));
    }

    [Fact]
    public void OpenChild_CreatesItOnce()
    {
        using LocalFolder folder = LocalFolder.Open(_folder.Path);
        using LocalFolder first = folder.OpenChild("a");
        using LocalFolder again = folder.OpenChild("a");

        Assert.EachEqual((true, false), (first.IsNew, again.IsNew));
        Assert.Equal(_folder.File("a"), first.Path);
    }

    [Fact]
    public void OpenChild_Link_IsRejected()
    {
        Directory.CreateDirectory(_folder.File("inside"));
        Directory.CreateSymbolicLink(_folder.File("out"), _outside.Path);
        Directory.CreateSymbolicLink(_folder.File("in"), "inside");
        Directory.CreateSymbolicLink(_folder.File("nowhere"), "missing");
        File.CreateSymbolicLink(_folder.File("circle"), "circle");
        using LocalFolder folder = LocalFolder.Open(_folder.Path);

        foreach (string name in (string[])["out", "in", "nowhere", "circle"])
        {
            IOException e = Assert.Throws<IOException>(() => folder.OpenChild(name));
            Assert.Contains($"'{_folder.File(name)}' is a symbolic link", e.Message, StringComparison.Ordinal);
        }

        Assert.Empty(Directory.EnumerateFileSystemEntries(_outside.Path));
        Assert.False(Directory.Exists(_folder.File("missing")));
    }

    [Fact]
    public void OpenChild_File_IsRejected()
    {
        _folder.File("file", [1]);
        using LocalFolder folder = LocalFolder.Open(_folder.Path);

        IOException e = Assert.Throws<IOException>(() => folder.OpenChild("file"));

        Assert.Contains("is a file", e.Message, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Folder_ReplacedByALink_KeepsTheWrittenFiles()
    {
        using LocalFolder root = LocalFolder.Open(_folder.Path);
        using LocalFolder folder = root.OpenChild("a");
        Directory.Move(_folder.File("a"), _folder.File("moved"));
        Directory.CreateSymbolicLink(_folder.File("a"), _outside.Path);

        using LocalFolder child = folder.OpenChild("b");
        foreach (Func<LocalFolder, AtomicFile> create in (Func<LocalFolder, AtomicFile>[])[f => AtomicFile.Create(f, "named", 10), f => AtomicFile.CreateUnnamed(f, "unnamed")])
        {
            using AtomicFile file = create(child);
            file.Publish(overwrite: true, default, null);
        }

        Assert.Empty(Directory.EnumerateFileSystemEntries(_outside.Path));
        Assert.True(File.Exists(_folder.File("moved/b/named")) && File.Exists(_folder.File("moved/b/unnamed")));
    }

    public void Dispose()
    {
        _folder.Dispose();
        _outside.Dispose();
    }
}
