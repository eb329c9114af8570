using Transfer.S3.Trees;

namespace Transfer.S3.Tests.Directories;

/// <summary>Which keys can be files, and how others are reported.</summary>
public class KeyPathTests
{
    [Theory]
    [InlineData("a", "", "a")]
    [InlineData("a/b.txt", "a", "b.txt")]
    [InlineData("a/b/c d+e%.txt", "a/b", "c d+e%.txt")]
    [InlineData("...", "", "...", true)]
    [InlineData("a..b/..c", "a..b", "..c")]
    [InlineData(".hidden/.x", ".hidden", ".x")]
    [InlineData("ü/日本.bin", "ü", "日本.bin")]
    [InlineData("folder/", "folder", "")]
    [InlineData("a/b/", "a/b", "")]
    [InlineData("nul.txt", "", "nul.txt", true)]
    public void Name_Safe_IsAccepted(string key, string folder, string name, bool refusedOnWindows = false)
    {

        Assert.True(KeyPath.TrySplit(key, isWindows: false, allowsSpecial: false, out (string Folder, string Name) path, out string? reason), reason);
        Assert.Equal((folder, name), path);
        Assert.Equal(!refusedOnWindows, KeyPath.TrySplit(key, isWindows: true, allowsSpecial: false, out _, out _));
    }

    [Theory]
    [InlineData("..", "refers to another directory")]
    [InlineData("../a", "refers to another directory")]
    [InlineData("a/../b", "refers to another directory")]
    [InlineData("a/..", "refers to another directory")]
    [InlineData("a/../", "refers to another directory")]
    [InlineData("./a", "refers to another directory")]
    [InlineData(".", "refers to another directory")]
    [InlineData("/etc/passwd", "an empty name")]
    [InlineData("//a", "an empty name")]
    [InlineData("a//b", "an empty name")]
    [InlineData("a//", "an empty name")]
    [InlineData("/", "an empty name")]
    [InlineData("C:\\a", "backslash")]
    [InlineData("C:/a", "drive")]
    [InlineData("c:a", "drive")]
    [InlineData("a\\..\\b", "backslash")]
    [InlineData("\\\\server\\share", "backslash")]
    [InlineData("a\0b", "control character")]
    [InlineData("a\nb", "control character")]
    [InlineData("a/\u001b[2Jb", "control character")]
    [InlineData("a\u007f", "control character")]
    [InlineData("a\u0085b", "control character")]
    public void Name_Unsafe_IsRejectedOnEverySystem(string key, string reason)
    {
        foreach (bool isWindows in (bool[])[false, true])
        {
            Assert.False(KeyPath.TrySplit(key, isWindows, allowsSpecial: false, out _, out string? said));
            Assert.Contains(reason, said, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("a\\b", "", "a\\b")]
    [InlineData("a\\..\\b/c", "a\\..\\b", "c")]
    [InlineData("C:/a", "C:", "a")]
    [InlineData("a\nb/\u001b[2J", "a\nb", "\u001b[2J")]
    [InlineData("a\u0085b", "", "a\u0085b")]
    [InlineData("\u007f/", "\u007f", "")]
    public void Name_Special_IsAcceptedOnRequestOnUnix(string key, string folder, string name)
    {
        Assert.True(KeyPath.TrySplit(key, isWindows: false, allowsSpecial: true, out (string Folder, string Name) path, out string? reason), reason);
        Assert.Equal((folder, name), path);
        Assert.False(KeyPath.TrySplit(key, isWindows: true, allowsSpecial: true, out _, out _));
    }

    [Theory]
    [InlineData("a\0b")]
    [InlineData("..")]
    [InlineData("a\\/../b")]
    [InlineData("\t/..")]
    [InlineData("/a\\")]
    [InlineData("a\\//b")]
    [InlineData("\n/.")]
    public void Name_Unsafe_IsRejectedEvenOnRequest(string key)
        => Assert.False(KeyPath.TrySplit(key, isWindows: false, allowsSpecial: true, out _, out _));

    [Theory]
    [InlineData("con")]
    [InlineData("a/NUL")]
    [InlineData("a/com1.txt")]
    [InlineData("lpt9 .x")]
    [InlineData("a/b.")]
    [InlineData("a /b")]
    [InlineData("what?")]
    [InlineData("a*b")]
    [InlineData("a|b")]
    [InlineData("ab:c")]
    public void Name_ReservedByWindows_IsRejectedThere(string key)
    {
        Assert.False(KeyPath.TrySplit(key, isWindows: true, allowsSpecial: false, out _, out string? reason));
        Assert.NotEmpty(reason!);
        Assert.True(KeyPath.TrySplit(key, isWindows: false, allowsSpecial: false, out _, out _));
    }

    [Theory]
    [InlineData("x", 255, true)]
    [InlineData("x", 256, false)]
    [InlineData("ü", 127, true)]
    [InlineData("ü", 128, false)]
    [InlineData("日", 85, true)]
    [InlineData("日", 86, false)]
    public void Name_IsAtMost255Bytes(string letter, int count, bool fits)
    {
        string name = string.Concat(Enumerable.Repeat(letter, count));

        Assert.Equal(fits, KeyPath.TrySplit("a/" + name, isWindows: false, allowsSpecial: false, out _, out _));
        Assert.Equal(fits, KeyPath.TrySplit(name + "/a", isWindows: false, allowsSpecial: false, out _, out _));
    }
}
