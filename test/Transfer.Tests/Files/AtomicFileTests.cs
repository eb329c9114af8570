using System.Text;
using Microsoft.Win32.SafeHandles;
using Transfer.S3.Files;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Files;

/// <summary>Files that get their names only when they are complete.</summary>
public sealed class AtomicFileTests : IDisposable
{
    private readonly TemporaryFolder _temporary = new();
    private readonly LocalFolder _folder;

    public AtomicFileTests() => _folder = LocalFolder.Open(_temporary.Path);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Publish_RenamesTheFileAndLeavesNothingElse(bool named)
    {
        using AtomicFile file = New(named, "target", "content");
        Assert.False(File.Exists(_temporary.File("target")));

        file.Publish(overwrite: false, default, null);

        Assert.Equal("content", File.ReadAllText(_temporary.File("target")));
        Assert.Equal(["target"], _temporary.Files);
    }

    [Fact]
    public void CreateUnnamed_BeforePublish_HasNoName()
    {
        using AtomicFile file = New(named: false, "target", "content");

        // A file system without support for unnamed files has a hidden file instead.
        Assert.All(_temporary.Files, name => Assert.EndsWith(".transfer", name, StringComparison.Ordinal));
        if (OperatingSystem.IsLinux())
        {
            using SafeFileHandle probe = Libc.OpenUnnamed(_folder.Handle!);
            Assert.Equal(probe.IsInvalid, _temporary.Files.Count > 0);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Dispose_WithoutPublish_LeavesNothing(bool named)
    {
        New(named, "target", "content").Dispose();

        Assert.Empty(_temporary.Files);
    }

    [Theory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(false, false)]
    public void Publish_TargetExists_IsReplacedOrKept(bool named, bool overwrite)
    {
        _temporary.File("target", "before"u8.ToArray());
        using AtomicFile file = New(named, "target", "content");

        IOException? e = (IOException?)Record.Exception(() => file.Publish(overwrite, default, null));
        file.Dispose();

        Assert.Equal(overwrite, e is null);
        Assert.Equal(overwrite ? "content" : "before", File.ReadAllText(_temporary.File("target")));
        Assert.Equal(["target"], _temporary.Files);
    }

    [LinuxFact]
    public void Publish_SeveralFilesAtOnce_OnlyOneGetsTheName()
    {
        for (int round = 0; round < 200; round++)
        {
            string name = $"target{round}";
            AtomicFile[] files = [.. Enumerable.Range(0, 4).Select(i => New(named: true, name, $"{i}"))];
            using Barrier start = new(files.Length);
            Exception?[] errors = new Exception?[files.Length];
            Thread[] threads = [.. files.Select((file, i) => new Thread(() =>
            {
                start.SignalAndWait();
                errors[i] = Record.Exception(() => file.Publish(overwrite: false, default, null));
                file.Dispose();
            }))];
            Array.ForEach(threads, thread => thread.Start());
            Array.ForEach(threads, thread => thread.Join());

            int winner = Assert.Single(Enumerable.Range(0, files.Length), i => errors[i] is null);
            Assert.Equal($"{winner}", File.ReadAllText(_temporary.File(name)));
            Assert.Equal(round + 1, _temporary.Files.Count);
        }
    }

    [LinuxFact]
    [System.Runtime.Versioning.SupportedOSPlatform("linux")]
    public void Unnamed_CannotBeLinked_IsRenamedInstead()
    {
        foreach (int error in (int[])[SystemCallFilter.NotPermitted, SystemCallFilter.NotSupported, SystemCallFilter.NotImplemented])
        {
            SystemCallFilter.TryRun("linkat", error, () =>
            {
                DateTimeOffset time = DateTimeOffset.UnixEpoch.AddDays(1);
                foreach (string content in (string[])["first", "second", string.Empty, new string('x', 3_000_000)])
                {
                    using AtomicFile file = New(named: false, "target", content);
                    file.Publish(overwrite: true, new FileProperties(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead, time), DiskFlush.Instance);
                    file.Dispose();

                    Assert.Equal(content, File.ReadAllText(_temporary.File("target")));
                    Assert.Equal(["target"], _temporary.Files);
                    Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead, File.GetUnixFileMode(_temporary.File("target")));
                    Assert.Equal(time.UtcDateTime, File.GetLastWriteTimeUtc(_temporary.File("target")));
                }

                using LocalFolder fresh = LocalFolder.Open(_temporary.Path); // a new instance that hasn't detected the limitation yet
                using AtomicFile refused = AtomicFile.CreateUnnamed(fresh, "target");
                Assert.Throws<IOException>(() => refused.Publish(overwrite: false, default, null));
                refused.Dispose();
                Assert.Equal(["target"], _temporary.Files);
            });
            File.Delete(_temporary.File("target"));
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Publish_TargetIsALink_ReplacesTheLinkAndNotItsTarget(bool named)
    {
        using TemporaryFolder outside = new();
        outside.File("far", "before"u8.ToArray());
        File.CreateSymbolicLink(_temporary.File("target"), outside.File("far"));
        using AtomicFile file = New(named, "target", "content");

        file.Publish(overwrite: true, default, null);

        Assert.Equal("before", File.ReadAllText(outside.File("far")));
        Assert.Null(new FileInfo(_temporary.File("target")).LinkTarget);
        Assert.Equal("content", File.ReadAllText(_temporary.File("target")));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Publish_TargetIsAFolder_Throws(bool named)
    {
        Directory.CreateDirectory(_temporary.File("target"));
        AtomicFile file = New(named, "target", "content");

        Assert.ThrowsAny<Exception>(() => file.Publish(overwrite: true, default, null));
        file.Dispose();

        Assert.Empty(_temporary.Files);
    }

    [UnixTheory]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    [InlineData(true)]
    [InlineData(false)]
    public void Mode_IsTheDefaultOrThatOfTheReplacedFileOrTheGivenOne(bool named)
    {
        File.WriteAllText(_temporary.File("plain"), "x");
        UnixFileMode plain = File.GetUnixFileMode(_temporary.File("plain"));
        const UnixFileMode odd = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherRead;
        File.SetUnixFileMode(_temporary.File("plain"), odd);

        Publish("new", null);
        Publish("plain", null);
        Publish("given", UnixFileMode.UserRead | UnixFileMode.UserExecute);

        Assert.Equal(
            (plain, odd, UnixFileMode.UserRead | UnixFileMode.UserExecute),
            (File.GetUnixFileMode(_temporary.File("new")), File.GetUnixFileMode(_temporary.File("plain")), File.GetUnixFileMode(_temporary.File("given"))));

        void Publish(string name, UnixFileMode? mode)
        {
            using AtomicFile file = New(named, name, "content");
            file.Publish(overwrite: true, new FileProperties(mode), null);
        }
    }

    [UnixTheory]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    [InlineData(true)]
    [InlineData(false)]
    public void Mode_OfTheReplacedFile_IsKeptWithoutSetuidAndSetgid(bool named)
    {
        const UnixFileMode plain = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute | UnixFileMode.OtherExecute;
        _temporary.File("target", [1]);
        File.SetUnixFileMode(_temporary.File("target"), plain | UnixFileMode.SetUser | UnixFileMode.SetGroup);
        using AtomicFile file = New(named, "target", "content");

        file.Publish(overwrite: true, default, null);

        Assert.Equal(plain, File.GetUnixFileMode(_temporary.File("target")));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void LastModified_IsKept(bool named)
    {
        DateTimeOffset time = new(2001, 2, 3, 4, 5, 6, 789, TimeSpan.Zero);
        using AtomicFile file = New(named, "target", "content");

        file.Publish(overwrite: true, new FileProperties(LastModified: time), null);

        Assert.Equal(time.UtcDateTime, File.GetLastWriteTimeUtc(_temporary.File("target")));
    }

    [Theory]
    [InlineData(255)]
    [InlineData(240)]
    public void LongName_HasAShorterTemporaryName(int length)
    {
        string name = new('n', length);
        using AtomicFile file = New(named: true, name, "content");

        file.Publish(overwrite: false, default, null);

        Assert.Equal([name], _temporary.Files);
    }

    /// <summary>.NET names the path that it was given, which is that of an open directory, and the hidden name of the file.</summary>
    [Fact]
    public void Publish_NameCannotBeReplaced_ErrorNamesTheTarget()
    {
        Directory.CreateDirectory(_temporary.File("taken"));
        using AtomicFile file = New(named: true, "taken", "new");

        Exception e = Assert.ThrowsAny<Exception>(() => file.Publish(overwrite: true, default, null));

        Assert.Contains(_temporary.File("taken"), e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("/proc/self/fd", e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(".transfer", e.Message, StringComparison.Ordinal);
    }

    /// <summary>A name that can be guessed is exclusive only while its lock is held.</summary>
    [Fact]
    public void GuessableName_LockWasReleased_IsNotUsed()
    {
        SafeFileHandle held = PrivateFile.TryOpen(_folder, "lock", create: true, locked: true)!;
        AtomicFile file = AtomicFile.CreateAgain(_folder, "target", "id", 0, held);
        held.Dispose();

        Assert.Throws<IOException>(() => file.Publish(overwrite: true, default, null));
        file.Dispose();

        Assert.Equal([".target.id.transfer", "lock"], _temporary.Files.Order());
        Assert.Throws<ObjectDisposedException>(() => AtomicFile.CreateAgain(_folder, "target", "id", 0, held));
        Assert.Throws<ObjectDisposedException>(() => AtomicFile.TryReopen(_folder, "target", "id", held));
    }

    [LinuxTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void GuessableName_BelongsToAnotherFile_IsNeitherPublishedNorDeleted(bool isReopened)
    {
        using SafeFileHandle held = PrivateFile.TryOpen(_folder, "lock", create: true, locked: true)!;
        AtomicFile file = AtomicFile.CreateAgain(_folder, "target", "id", 0, held);
        if (isReopened)
        {
            file.IsKept = true;
            file.Dispose();
            file = AtomicFile.TryReopen(_folder, "target", "id", held)!;
        }

        string hidden = _temporary.File(".target.id.transfer");
        File.Delete(hidden);
        File.WriteAllText(hidden, "another");

        Assert.Throws<IOException>(() => file.Publish(overwrite: true, default, null));
        file.Dispose();

        Assert.Equal("another", File.ReadAllText(hidden));
        Assert.False(File.Exists(_temporary.File("target")));
    }

    public void Dispose()
    {
        _folder.Dispose();
        _temporary.Dispose();
    }

    private AtomicFile New(bool named, string name, string content)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(content);
        AtomicFile file = named ? AtomicFile.Create(_folder, name, bytes.Length) : AtomicFile.CreateUnnamed(_folder, name);
        RandomAccess.Write(file.Handle, bytes, 0);
        return file;
    }
}
