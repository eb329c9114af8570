using Transfer.S3.Trees;

namespace Transfer.S3.Tests.Directories;

/// <summary>Which files a walk over a tree returns.</summary>
public sealed class LocalTreeTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    [Fact]
    public void Walk_FindsFilesAtEveryDepthAndEmptyFolders()
    {
        Make("a", "b/c", "b/d/e", ".h/i");
        Directory.CreateDirectory(_folder.File("b/empty/too"));

        Assert.Equal([".h/i 4", "a 1", "b/c 3", "b/d/e 5", "b/empty/too/ 0"], Walk());
        Assert.Equal(["a 1", "b/c 3", "b/d/e 5", "b/empty/too/ 0"], Walk(readsHidden: false));
    }

    [Fact]
    public void Walk_EmptyRoot_FindsNothing() => Assert.Empty(Walk());

    /// <summary>A directory that can't be read is no failure if it is excluded, because it isn't opened.</summary>
    [UnixFact]
    public void Walk_ExcludedFolder_IsNotOpened()
    {
        Make("a", "b/c", "b/d/e");
        List<string> asked = [];

        string[] found = [.. new LocalTree(_folder.Path, prunes: folder => { asked.Add(folder); return folder == "b/"; }).Walk().Select(file => file.Name)];

        Assert.Equal(["a"], found);
        Assert.Equal(["b/"], asked);
        Assert.Equal(["a", "b/", "b/c"], new SortedFileTree(_folder.Path, prunes: folder => folder == "b/d/").Walk().Select(file => file.Name));
    }

    [Fact]
    public void Links_AreFollowedOrSkipped()
    {
        Make("a", "b/c");
        using TemporaryFolder elsewhere = new();
        elsewhere.File("far", new byte[7]);
        File.CreateSymbolicLink(_folder.File("to-a"), "a");
        File.CreateSymbolicLink(_folder.File("to-to-a"), "to-a");
        Directory.CreateSymbolicLink(_folder.File("to-b"), "b");
        Directory.CreateSymbolicLink(_folder.File("to-elsewhere"), elsewhere.Path);

        Assert.Equal(["a 1", "b/c 3", "to-a 1", "to-b/c 3", "to-elsewhere/far 7", "to-to-a 1"], Walk());
        Assert.Equal(["a 1", "b/c 3"], Walk(SymbolicLinks.Skip));
    }

    [Fact]
    public void Links_FormingALoop_AreSingleFailures()
    {
        Make("b/c");
        Directory.CreateSymbolicLink(_folder.File("b/up"), "..");
        Directory.CreateSymbolicLink(_folder.File("b/self"), ".");
        File.CreateSymbolicLink(_folder.File("nowhere"), "missing");
        File.CreateSymbolicLink(_folder.File("circle1"), "circle2");
        File.CreateSymbolicLink(_folder.File("circle2"), "circle1");

        LocalFile[] found = [.. new LocalTree(_folder.Path).Walk()];

        Assert.Equal(["b/c"], found.Where(file => file.Error is null).Select(file => file.Name));
        Assert.Equal(["b/self", "b/up", "circle1", "circle2", "nowhere"], found.Where(file => file.Error is not null).Select(file => file.Name).Order(StringComparer.Ordinal));
        Assert.Contains("never end", found.First(file => file.Name == "b/up").Error!.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Links_BetweenTwoFolders_WalkEnds()
    {
        Make("a/1", "b/2");
        Directory.CreateSymbolicLink(_folder.File("a/to-b"), "../b");
        Directory.CreateSymbolicLink(_folder.File("b/to-a"), "../a");

        LocalFile[] found = [.. new LocalTree(_folder.Path).Walk()];

        Assert.Equal(["a/1", "a/to-b/2", "b/2", "b/to-a/1"], found.Where(file => file.Error is null).Select(file => file.Name).Order(StringComparer.Ordinal));
        Assert.Equal(["a/to-b/to-a", "b/to-a/to-b"], found.Where(file => file.Error is not null).Select(file => file.Name).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Folder_DeletedDuringTheWalk_IsASingleFailure()
    {
        Make("a/1", "b/2");
        List<string> seen = [];

        foreach (LocalFile file in new LocalTree(_folder.Path).Walk())
        {
            seen.Add($"{file.Name} {file.Error?.GetType().Name}");
            if (seen.Count == 1)
            {
                Directory.Delete(_folder.File(file.Name[0] == 'a' ? "b" : "a"), recursive: true);
            }
        }

        Assert.Equal(2, seen.Count);
        Assert.EndsWith("/ DirectoryNotFoundException", seen[1], StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();

    /// <summary>Creates files that are as long as their names.</summary>
    private void Make(params string[] names)
    {
        foreach (string name in names)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(_folder.File(name))!);
            _folder.File(name, new byte[name.Length]);
        }
    }

    private string[] Walk(SymbolicLinks links = SymbolicLinks.Follow, bool readsHidden = true)
        => [.. new LocalTree(_folder.Path, links, readsHidden).Walk().Select(file => file.Error is null ? $"{file.Name} {file.Length}" : $"{file.Name}: {file.Error.Message}").Order(StringComparer.Ordinal)];
}
