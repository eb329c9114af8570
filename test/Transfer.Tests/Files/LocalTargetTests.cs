using System.IO.Pipes;
using Transfer.S3.Files;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Files;

public sealed class LocalTargetTests : TransferTest
{
    /// <summary>/dev/stdout, and what a shell passes for >(program), are links whose text isn't a path.</summary>
    [LinuxFact]
    public async Task Download_PathThatLinksToAPipe_WritesToIt()
    {
        await DownloadToPipeAsync(isLinkToALink: false);
        await DownloadToPipeAsync(isLinkToALink: true);
    }

    [LinuxFact]
    public void Resolve_LinkToAFile_FollowsIt()
    {
        File.WriteAllText(Folder.File("file"), "x");
        File.CreateSymbolicLink(Folder.File("link"), Folder.File("file"));

        Assert.Equal(Folder.File("file"), LocalTarget.Resolve(Folder.File("link")));
        Assert.Equal("/dev/null", LocalTarget.Resolve("/dev/null"));
        Assert.True(LocalTarget.IsSpecial(LocalTarget.Resolve("/dev/null")));
    }

    private async Task DownloadToPipeAsync(bool isLinkToALink)
    {
        byte[] content = Sample.Bytes(200_000);
        S3.Objects[FakeS3.Key] = FakeObject.Checked(content);
        using AnonymousPipeServerStream pipe = new(PipeDirection.In);
        string path = $"/dev/fd/{pipe.GetClientHandleAsString()}";
        if (isLinkToALink)
        {
            path = File.CreateSymbolicLink(Folder.File("link"), path).FullName;
        }

        using MemoryStream received = new();
        Task reading = pipe.CopyToAsync(received);
        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, path).Within();
        pipe.DisposeLocalCopyOfClientHandle();
        await reading.Within();

        Assert.Equal(content, received.ToArray());
    }
}
