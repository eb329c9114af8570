using System.Runtime.Versioning;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Download;

[UnsupportedOSPlatform("windows")]
public sealed class FileModeTests : TransferTest
{
    private const int Part = 64 * 1024;
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    [UnixFact]
    public async Task NewFile_IsPrivateUntilCompleteAndThenHasTheDefaultMode()
    {
        S3.Put(2 * Part);
        UnixFileMode temporary = default;
        S3.Body = (call, bytes) => new ScriptedStream(bytes)
        {
            Cue = _ =>
            {
                Assert.Equal(2, Folder.Files.Count); // the file and its journal
                temporary |= Folder.Files.Aggregate(default(UnixFileMode), (mode, file) => mode | File.GetUnixFileMode(Path.Combine(Folder.Path, file)));
                return Task.CompletedTask;
            },
        };
        await NewClient(o => o.MaxConcurrency = 1).DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("target")).Within();

        Assert.Equal(OwnerOnly, temporary);
        Assert.Equal(File.GetUnixFileMode(Folder.File("plain", [1])), File.GetUnixFileMode(Folder.File("target")));
        Assert.Equal(["plain", "target"], Folder.Files.Order());
    }

    [UnixFact]
    public async Task ReplacedFile_KeepsItsMode()
    {
        S3.Put(Part);
        string target = Folder.File("target", [1]);
        File.SetUnixFileMode(target, OwnerOnly | UnixFileMode.UserExecute);

        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target).Within();

        Assert.Equal(OwnerOnly | UnixFileMode.UserExecute, File.GetUnixFileMode(target));
    }

    [UnixFact]
    public async Task FileMode_Given_IsUsedWithoutTheUmask()
    {
        S3.Put(Part);
        const UnixFileMode mode = OwnerOnly | UnixFileMode.GroupWrite | UnixFileMode.OtherWrite; // includes bits that a umask would remove

        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("target", [1]), new DownloadOptions { FileMode = mode }).Within();

        Assert.Equal(mode, File.GetUnixFileMode(Folder.File("target")));
    }
}
