using Microsoft.Win32.SafeHandles;
using Transfer.S3.Files;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Files;

public sealed class FileIdentityTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    [Fact]
    public void IsSame_NothingHappened_AndItWasRead()
    {
        string path = _folder.File("a", [1, 2, 3]);
        FileIdentity before = Get(path);

        _ = File.ReadAllBytes(path);

        Assert.True(Get(path).IsSame(before));
        using SafeFileHandle open = File.OpenHandle(path);
        Assert.Equal(OperatingSystem.IsLinux() ? Get(path) : null, FileIdentity.Of(open));
    }

    [Fact]
    public void IsSame_SizeOrTimeDiffers_IsFalse()
    {
        string path = _folder.File("a", [1, 2, 3]);
        FileIdentity before = Get(path);

        File.SetLastWriteTimeUtc(path, DateTime.UnixEpoch);
        Assert.False(Get(path).IsSame(before));
        Assert.False((before with { Length = 4 }).IsSame(before));
    }

    [LinuxFact]
    public void IsSame_SameSizeAndTime_ButRewrittenOrReplaced_IsFalse()
    {
        string path = _folder.File("a", [1, 2, 3]);
        FileIdentity before = Get(path);

        FileChange.Rewrite(path, [3, 2, 1]);
        FileIdentity rewritten = Get(path);
        Assert.False(rewritten.IsSame(before));
        FileChange.Replace(path, [1, 2, 3]);
        Assert.False(Get(path).IsSame(rewritten));
    }

    /// <summary>A backup by hard links creates and deletes names of files, also of those that are transferred at the time.</summary>
    [LinuxFact]
    public void IsSame_OtherNamesComeAndGo_IsTrueAsLongAsTheContentIsSame()
    {
        string path = _folder.File("a", [1, 2, 3]);
        FileIdentity alone = Get(path);

        FileChange.Link(path, _folder.File("b"));
        FileIdentity two = Get(path);
        Assert.EachEqual((true, true, 0L), (two.IsSame(alone), alone.IsSame(two), two.ContentChanged));
        File.Delete(_folder.File("b"));
        Assert.True(Get(path).IsSame(two));
        File.AppendAllText(path, "more");
        Assert.False(Get(path).IsSame(two));
    }

    [Fact]
    public void IsSame_UnknownProperties_AreNotCompared()
    {
        FileIdentity known = new(1, 2, 3, 4) { Names = 1 };

        Assert.True(known.IsSame(new FileIdentity(1, 2, 0, 0)));
        Assert.True(new FileIdentity(1, 2, 0, 0).IsSame(known));
        Assert.False(known.IsSame(known with { Changed = 5 }));
        Assert.False(known.IsSame(known with { Inode = 5 }));
    }

    [UnixFact]
    public void At_LinkOrDeviceOrNothing_IsNull()
    {
        string path = _folder.File("a", [1, 2, 3]);
        File.CreateSymbolicLink(_folder.File("link"), path);

        Assert.Null(FileIdentity.At(_folder.File("link"), followsLinks: false));
        Assert.Equal(Get(path), FileIdentity.At(_folder.File("link"), followsLinks: true));
        Assert.Null(FileIdentity.At(_folder.File("missing"), followsLinks: true));
        Assert.Null(FileIdentity.At(_folder.Path, followsLinks: true));
        Assert.Null(FileIdentity.At("/dev/null", followsLinks: false));
    }

    public void Dispose() => _folder.Dispose();

    private static FileIdentity Get(string path) => FileIdentity.At(path, followsLinks: false)!.Value;
}
