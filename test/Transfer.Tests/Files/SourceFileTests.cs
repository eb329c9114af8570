using System.Globalization;
using System.Runtime.Versioning;
using Transfer.S3.Files;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Files;

/// <summary>Opens paths for reading on all kinds of machines.</summary>
[SupportedOSPlatform("linux")]
public sealed class SourceFileTests : IDisposable
{
    private const FileShare Share = FileShare.ReadWrite | FileShare.Delete;
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [LinuxFact]
    public void Open_LockFailsForItsOwnReasons_FileIsRead()
    {
        string path = _folder.File("file", [1, 2, 3]);
        using FileStream writer = new(path, FileMode.Open, FileAccess.Write, FileShare.None);
        foreach (int error in (int[])[SystemCallFilter.NoLocks, SystemCallFilter.NotImplemented, SystemCallFilter.NotSupported, SystemCallFilter.NotPermitted])
        {
            bool isRun = SystemCallFilter.TryRun("flock", error, () =>
            {
                using SourceFile file = SourceFile.Open(path, Share);
                using SourceFile? inTree = SourceFile.TryOpenFile(path, _folder.Path, Share);
                Assert.EachEqual((3, 3), (file.GetLength(), inTree!.GetLength()));
            });
            Assert.True(isRun || !File.Exists("/proc/sys/kernel/seccomp/actions_avail"));
        }
    }

    [LinuxFact]
    public void Open_FileTypeIsUnknown_FallsBackToDotNet()
    {
        string path = _folder.File("file", [1, 2, 3]);
        SystemCallFilter.TryRun("statx", SystemCallFilter.NotImplemented, () =>
        {
            using (SourceFile file = SourceFile.Open(path, Share))
            {
                Assert.True(file.IsFile);
                Assert.Equal(3, file.GetLength());
                Assert.Equal((3, File.GetLastWriteTimeUtc(file.Handle).Ticks), (file.GetState().Length, file.GetState().LastWrite));
            }

            using FileStream writer = new(path, FileMode.Open, FileAccess.Write, FileShare.None);
            Assert.Throws<IOException>(() => SourceFile.Open(path, Share));
        });
    }

    [LinuxFact]
    public void GetState_EqualsFileInfo()
    {
        string path = _folder.File("file", new byte[5_000]);
        foreach (string lastWrite in (string[])["1965-03-04T05:06:07.1234567Z", "1970-01-01T00:00:00Z", "2026-11-22T08:09:10.7654321Z"])
        {
            File.SetLastWriteTimeUtc(path, DateTime.Parse(lastWrite, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal));
            using SourceFile file = SourceFile.Open(path, Share);

            Assert.Equal((5_000, File.GetLastWriteTimeUtc(file.Handle).Ticks), (file.GetState().Length, file.GetState().LastWrite));
        }
    }

    [LinuxFact]
    public void Open_MissingOrNotAFile_ThrowsAsDotNetDoes()
    {
        Directory.CreateDirectory(_folder.File("folder"));
        _folder.File("file", [1]);
        File.CreateSymbolicLink(_folder.File("circle"), "circle");
        foreach (string name in (string[])["none", "none/file", "file/below", "folder", "circle", new string('n', 300)])
        {
            string path = _folder.File(name);
            Exception expected = Assert.ThrowsAny<Exception>(() => File.OpenHandle(path).Dispose());

            Exception actual = Assert.ThrowsAny<Exception>(() => SourceFile.Open(path, Share).Dispose());

            Assert.EachEqual((expected.GetType(), expected.Message), (actual.GetType(), actual.Message));
        }
    }

    [LinuxFact]
    public void TryOpenFile_NotAFile_IsNotOpened()
    {
        using FileStream terminal = new("/dev/null", FileMode.Open, FileAccess.Read);
        Directory.CreateDirectory(_folder.File("folder"));
        File.CreateSymbolicLink(_folder.File("device"), "/dev/null");

        Assert.Null(SourceFile.TryOpenFile(_folder.File("folder"), null, Share));
        Assert.Null(SourceFile.TryOpenFile(_folder.File("folder"), _folder.Path, Share));
        Assert.Null(SourceFile.TryOpenFile(_folder.File("device"), null, Share));
        Assert.Throws<IOException>(() => SourceFile.TryOpenFile(_folder.File("device"), _folder.Path, Share));
    }

    [LinuxFact]
    public void Open_BlockDevice_HasItsLength()
    {
        foreach (string name in Directory.GetDirectories("/sys/block").Select(Path.GetFileName).OfType<string>())
        {
            long sectors = long.Parse(File.ReadAllText($"/sys/block/{name}/size"), CultureInfo.InvariantCulture);
            string device = $"/dev/{name}";
            if (sectors == 0 || !File.Exists(device))
            {
                continue;
            }

            try
            {
                using SourceFile file = SourceFile.Open(device, Share);
                Assert.True(file.IsFile);
                Assert.Equal(sectors * 512, file.GetLength());
                Assert.Equal(1, RandomAccess.Read(file.Handle, new byte[1], file.GetLength() - 1));
                Assert.Null(SourceFile.TryOpenFile(device, null, Share));
            }
            catch (UnauthorizedAccessException)
            {
                // Most users have no permission to read it.
            }
        }
    }
}
