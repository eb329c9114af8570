using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;
using Transfer.S3.Files;
using Transfer.S3.Trees;

namespace Transfer.S3.Tests.Files;

/// <summary>Folders that are read without following links, so that a link that is created meanwhile can't redirect a read.</summary>
[SupportedOSPlatform("linux")]
public sealed class SourceFolderTests : IDisposable
{
    private const SymbolicLinks Skip = SymbolicLinks.Skip;
    private readonly TemporaryFolder _folder = new();
    private readonly TemporaryFolder _outside = new();

    public SourceFolderTests()
    {
        _outside.File("secret", [1]);
        foreach (string name in (string[])["a", "b", "c"])
        {
            Directory.CreateDirectory(_folder.File(name));
            _folder.File(name + "/file", [2]);
        }
    }

    public void Dispose()
    {
        _folder.Dispose();
        _outside.Dispose();
    }

    [LinuxFact]
    public void OpenFile_PathWithoutLinks_OpensIt()
    {
        Directory.CreateDirectory(_folder.File("a/b/c"));
        _folder.File("a/b/c/deep", [7, 8]);
        File.CreateSymbolicLink(_outside.File("root"), _folder.Path); // created by the caller

        using SafeFileHandle one = SourceFolder.OpenFile(_folder.Path, _folder.File("a/file"));
        using SafeFileHandle two = SourceFolder.OpenFile(_outside.File("root"), _outside.File("root/a/b/c/deep"));

        Assert.EachEqual((1, 2), (RandomAccess.GetLength(one), RandomAccess.GetLength(two)));
    }

    [LinuxFact]
    public void OpenFile_PathWithALink_Throws()
    {
        File.CreateSymbolicLink(_folder.File("a/link"), _outside.File("secret"));
        File.CreateSymbolicLink(_folder.File("a/inside"), "file");
        Directory.CreateSymbolicLink(_folder.File("out"), _outside.Path);
        Directory.CreateSymbolicLink(_folder.File("a/up"), "..");

        foreach (string path in (string[])["a/link", "a/inside", "out/secret", "a/up/b/file"])
        {
            IOException e = Assert.Throws<IOException>(() => SourceFolder.OpenFile(_folder.Path, _folder.File(path)));
            Assert.Contains($"'{_folder.File(path)}' is a symbolic link, or is reached through one", e.Message, StringComparison.Ordinal);
        }
    }

    [LinuxFact]
    public void OpenFile_Missing_ThrowsFileNotFound()
    {
        Assert.Throws<FileNotFoundException>(() => SourceFolder.OpenFile(_folder.Path, _folder.File("a/none")));
        Assert.Throws<FileNotFoundException>(() => SourceFolder.OpenFile(_folder.Path, _folder.File("none/x/file")));
        Assert.Throws<FileNotFoundException>(() => SourceFolder.OpenFile(_folder.File("none"), _folder.File("none/file")));
    }

    [LinuxFact]
    public void Walk_FolderIsReplacedByALink_DoesNotFollowIt()
    {
        List<LocalFile> found = [];
        foreach (LocalFile file in new LocalTree(_folder.Path, Skip).Walk())
        {
            if (found.Count == 0)
            {
                // The walk has already read that these are folders, and is inside one of them.
                foreach (string folder in (string[])["a", "b", "c"])
                {
                    Directory.Move(_folder.File(folder), _folder.File($".{folder}"));
                    Directory.CreateSymbolicLink(_folder.File(folder), _outside.Path);
                }
            }

            found.Add(file);
        }

        AssertInside(found);
    }

    [LinuxFact]
    public void OrderedWalk_FolderIsReplacedByALink_DoesNotFollowIt()
    {
        List<LocalFile> found = [];
        foreach (LocalFile file in new SortedFileTree(_folder.Path, Skip).Walk())
        {
            if (found.Count == 0)
            {
                Directory.Move(_folder.File("b"), _folder.File(".b"));
                Directory.CreateSymbolicLink(_folder.File("b"), _outside.Path);
            }

            found.Add(file);
        }

        AssertInside(found);
        Assert.Equal(["a/", "a/file", "b/", "c/", "c/file"], found.Select(file => file.Name));
        Assert.Contains("symbolic link", found[2].Error!.Message, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Walk_FolderIsUnreadable_ErrorHasTheCallersPath()
    {
        LocalFile file = Assert.Single(new LocalTree(_folder.File("none"), Skip).Walk());

        Assert.Contains(_folder.File("none"), file.Error!.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("/proc/", file.Error.Message, StringComparison.Ordinal);
    }

    private static void AssertInside(List<LocalFile> found)
    {
        Assert.DoesNotContain(found, file => file.Name.Contains("secret", StringComparison.Ordinal));
        Assert.Contains(found, file => file.Error is null && file.Length == 1);
    }
}
