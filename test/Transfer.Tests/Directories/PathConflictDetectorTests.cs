using System.Runtime.CompilerServices;
using Transfer.S3.Trees;

namespace Transfer.S3.Tests.Directories;

/// <summary>Keys that would map to the same path.</summary>
public class PathConflictDetectorTests
{
    [Fact]
    public void File_WhereAFolderIsNeeded_IsAConflict()
    {
        PathConflictDetector names = new(isCaseBlind: false);
        string[] keys = ["a", "a!", "a!b", "a/b", "a/c/", "aa", "aa/b", "b/", "b/c", "c/d", "c/d-e", "c/d/e/f", "c/dx"];

        string[] refused = [.. keys.Where(key => names.Take(key) is not null)];

        Assert.Equal(["a/b", "a/c/", "aa/b", "c/d/e/f"], refused);
    }

    [Fact]
    public void Name_ListedTwice_HasTheSameResult()
    {
        PathConflictDetector names = new(isCaseBlind: false);
        string[] keys = ["a", "a", "a!", "a!", "a/b", "a/b", "b/", "b/", "b/c"];

        string[] refused = [.. keys.Where(key => names.Take(key) is not null)];

        Assert.Equal(["a/b", "a/b"], refused);
    }

    [Fact]
    public void Names_OnACaseInsensitiveFileSystem_AreRecognizedWithoutBeingKept()
    {
        PathConflictDetector names = new(isCaseBlind: true);

        WeakReference[] taken = [.. Enumerable.Range(0, 100).Select(i => Take(names, $"Folder/{i:d3}.JPEG"))];
        names.Take("last");
        GC.Collect();

        Assert.DoesNotContain(taken, name => name.IsAlive);
        Assert.NotNull(names.Take("folder/042.jpeg"));

        [MethodImpl(MethodImplOptions.NoInlining)]
        static WeakReference Take(PathConflictDetector names, string name)
        {
            Assert.Null(names.Take(name));
            return new WeakReference(name);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Names_DifferInCase_ConflictOnACaseInsensitiveFileSystem(bool isCaseBlind)
    {
        PathConflictDetector names = new(isCaseBlind);
        string[] keys = ["A", "B/x", "a", "b/X", "b/y", "\u00fc", "u\u0308"];

        string[] refused = [.. keys.Where(key => names.Take(key) is not null)];

        // Without the system's Unicode tables (ICU), characters are not composed.
        string[] composed = "u\u0308".Normalize() == "\u00fc" ? ["u\u0308"] : [];
        Assert.Equal(isCaseBlind ? ["a", "b/X", .. composed] : [], refused);
    }
}
