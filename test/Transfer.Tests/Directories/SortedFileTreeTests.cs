using System.Text;
using Transfer.S3.Files;
using Transfer.S3.Trees;

namespace Transfer.S3.Tests.Directories;

/// <summary>Walks names in the order in which a store lists their keys.</summary>
public sealed class SortedFileTreeTests : IDisposable
{
    private static readonly string[] Names = ["a!", "a/!", "a/b", "a/b!/c", "a/b-/c", "a/\U0001F600", "a/\uFF21", "a-b", "a0", "ab", "A", "é", "\uE000/x", "\U0001F600/x", "\U0001F600!", "z/y/x/w"];

    private readonly TemporaryFolder _folder = new();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(1000)]
    public void Walk_IsInByteOrder_EvenIfFewNamesAreSortedAtATime(int window)
    {
        Make(Names);
        Directory.CreateDirectory(_folder.File("b/empty"));
        string[] expected = [.. Names.Concat(Names.SelectMany(FoldersOf)).Append("b/").Append("b/empty/").Distinct().OrderBy(Encoding.UTF8.GetBytes, Comparer<byte[]>.Create((x, y) => x.AsSpan().SequenceCompareTo(y)))];

        LocalFile[] found = [.. new SortedFileTree(_folder.Path, window: window).Walk()];

        Assert.Equal(expected, found.Select(file => file.Name));
        Assert.All(found, file => Assert.True(file.Error is null && (file.IsFolder ? Directory.Exists(file.Path) : File.Exists(file.Path)), file.Name));
    }

    [LinuxTheory]
    [System.Runtime.Versioning.SupportedOSPlatform("linux")]
    [InlineData(SymbolicLinks.Follow)]
    [InlineData(SymbolicLinks.Skip)]
    public void Walk_TellsTheIdentityOfEachFile(SymbolicLinks links)
    {
        Make("a", "b/c");
        File.WriteAllBytes(_folder.File("b/d"), [1, 2, 3]);
        File.SetLastWriteTimeUtc(_folder.File("b/d"), new DateTime(2021, 2, 3, 4, 5, 6, 789, DateTimeKind.Utc));
        File.CreateSymbolicLink(_folder.File("link"), "a");

        LocalFile[] found = [.. new SortedFileTree(_folder.Path, links, tellsLinks: true).Walk()];

        Assert.Equal(["a", "b/", "b/c", "b/d", "link"], found.Select(file => file.Name));
        foreach (LocalFile file in found)
        {
            bool isFile = file.Name is not ("b/" or "link");
            Assert.Equal(isFile ? Libc.GetIdentity(file.Path, followsLinks: false) : null, file.Identity);
            Assert.Equal(links == SymbolicLinks.Skip && file.Name == "link", file.LeftOut == LeftOut.Link);
            Assert.True(!isFile || (new FileInfo(file.Path).Length, new FileInfo(file.Path).LastWriteTimeUtc) == (file.Length, file.LastModified!.Value.UtcDateTime));
        }
    }

    [Fact]
    public void Walk_ReturnsSelectedFiles()
    {
        Make("a", ".h/i", "b/.j");
        Directory.CreateSymbolicLink(_folder.File("b/up"), "..");
        Directory.CreateSymbolicLink(_folder.File("a-link"), "b");
        File.CreateSymbolicLink(_folder.File("b/nowhere"), "missing");

        Assert.Equal(
            ["a", "a-link/", "a-link/nowhere -", "a-link/up/ -", "b/", "b/nowhere -", "b/up/ -"], Walk(readsHidden: false));
        Assert.Equal([".h/", ".h/i", "a", "b/", "b/.j"], Walk(SymbolicLinks.Skip));
    }

    [Fact]
    public void Walk_FolderIsDeleted_IsOneFailure()
    {
        Assert.Equal([" -"], new SortedFileTree(_folder.File("nothing")).Walk().Select(Show));
    }

    public void Dispose() => _folder.Dispose();

    private static IEnumerable<string> FoldersOf(string name)
    {
        for (int slash = name.IndexOf('/', StringComparison.Ordinal); slash >= 0; slash = name.IndexOf('/', slash + 1))
        {
            yield return name[..(slash + 1)];
        }
    }

    private static string Show(LocalFile file) => file.Error is null ? file.Name : file.Name + " -";

    private IEnumerable<string> Walk(SymbolicLinks links = SymbolicLinks.Follow, bool readsHidden = true)
        => new SortedFileTree(_folder.Path, links, readsHidden).Walk().Select(Show);

    private void Make(params string[] names)
    {
        foreach (string name in names)
        {
            string path = _folder.File(name);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllText(path, name);
        }
    }
}
