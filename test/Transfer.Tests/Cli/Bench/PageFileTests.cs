using Transfer.S3.Cli.Bench;
using Transfer.S3.Cli.Options;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Cli.Bench;

public sealed class PageFileTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("transfer-test-");

    [Fact]
    public void Write_ReplacesTheFileAndLeavesNothingElse()
    {
        string path = GetPath("report.html");
        File.WriteAllText(path, "old");
        PageFile file = At(path);
        Assert.Equal("old", File.ReadAllText(path));
        Assert.Equal([path], Directory.GetFileSystemEntries(_folder.FullName));

        file.Write("new");

        Assert.Equal("new", File.ReadAllText(path));
        Assert.Equal([path], Directory.GetFileSystemEntries(_folder.FullName));
    }

    [Fact]
    public void Write_ToALink_KeepsTheLink()
    {
        File.CreateSymbolicLink(GetPath("link"), GetPath("target"));
        At(GetPath("link")).Write("page");

        Assert.Equal(GetPath("target"), new FileInfo(GetPath("link")).LinkTarget);
        Assert.Equal("page", File.ReadAllText(GetPath("target")));
    }

    [Fact]
    public void Write_FolderWasDeleted_FailsAndLeavesNothing()
    {
        DirectoryInfo folder = _folder.CreateSubdirectory("sub");
        PageFile file = At(Path.Combine(folder.FullName, "report.html"));
        folder.Delete();

        Assert.Throws<DirectoryNotFoundException>(() => file.Write("page"));
        Assert.Empty(_folder.GetFileSystemInfos());
    }

    [Theory]
    [InlineData("", "is a folder; it accepts a file name")]
    [InlineData("new/", "is a folder; it accepts a file name")]
    [InlineData("missing/report.html", "can't be written: there is no such folder")]
    [InlineData("file/report.html", "can't be written: ")]
    public void At_NotAFileName_IsRejected(string name, string expected)
    {
        File.WriteAllText(GetPath("file"), string.Empty);
        string message = Assert.Throws<UsageException>(() => At(GetPath(name))).Message;
        Assert.StartsWith("--html got '", message, StringComparison.Ordinal);
        Assert.Contains(expected, message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("/dev/null")]
    [InlineData("/proc/self/fd/1")]
    public void At_NoNameOrADevice_IsRejected(string path) => Assert.Contains($"--html got '{path}', which ", Assert.Throws<UsageException>(() => At(path)).Message, StringComparison.Ordinal);

    [LinuxFact]
    public async Task At_Pipe_IsRejected()
    {
        string path = await Fifo.CreateAsync(GetPath("pipe"));
        Assert.Contains("is a device or a pipe", Assert.Throws<UsageException>(() => At(path)).Message, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Write_InDevShm_IsARegularFile()
    {
        if (!Directory.Exists("/dev/shm"))
        {
            return;
        }

        string path = $"/dev/shm/transfer-test-{Guid.NewGuid():N}.html";
        try
        {
            At(path).Write("page");
            At(path).Write("page again");
            Assert.Equal("page again", File.ReadAllText(path));
        }
        finally
        {
            File.Delete(path);
        }
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private static PageFile At(string path) => PageFile.At(new GivenValue("--html", path));

    private string GetPath(string name) => Path.Combine(_folder.FullName, name);
}
