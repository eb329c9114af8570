using Amazon.S3.Model;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Directories;

/// <summary>Uploads of a tree of files.</summary>
public sealed class DirectoryUploadTests : TransferTest
{
    [Fact]
    public async Task EmptyPrefix_AddsNothing_AndEmptyTreesSendNothing()
    {
        TransferClient client = NewClient();
        Assert.Equal(0, (await client.UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, string.Empty).Within()).Statistics.Requests);

        Make("a", 0);
        await client.UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, string.Empty).Within();

        Assert.Empty(S3.Published("a")!);
    }

    [UnixFact]
    public async Task NameThatNoDownloadAccepts_IsUploadedWithAWarning()
    {
        Make("good", 1);
        Make("back\\slash", 1);
        using LogLines log = new();
        using Microsoft.Extensions.Logging.LoggerFactory factory = new([log]);
        TransferClient client = NewClient(o => o.LoggerFactory = factory);

        DirectoryResult result = await client.UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, "p").Within();
        string warning = Assert.Single(log.Written, line => line.StartsWith("Warning:", StringComparison.Ordinal));
        Assert.Equal(2, result.Counts.Copied);
        Assert.Contains("back\\slash", warning, StringComparison.Ordinal);

        Assert.Contains("Use AllowSpecialNames to download it", warning, StringComparison.Ordinal);

        for (int i = 0; i < 12; i++)
        {
            Make($"tab\t{i}", 1);
        }

        await client.UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, "p").Within();
        string[] more = [.. log.Written.Where(line => line.StartsWith("Warning:", StringComparison.Ordinal)).Skip(1)];
        Assert.Equal(2, more.Length); // the first one, and the count
        Assert.Contains("the names of 13 uploaded files", more[1], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task EmptyFolders_AreUploadedIfRequested(bool wanted)
    {
        Make("a/b", 1);
        Directory.CreateDirectory(Folder.File("c/d"));

        DirectoryResult result = await NewClient().UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, "p", new DirectoryOptions { EmptyFolders = wanted }).Within();

        Assert.Equal(wanted ? ["p/a/b", "p/c/d/"] : ["p/a/b"], S3.Objects.Keys.Order(StringComparer.Ordinal));
        Assert.Equal(wanted ? 2 : 1, result.Counts.Copied);
    }

    [LinuxFact]
    public async Task SpecialFile_IsAFailureAndDelaysNothing()
    {
        Make("a", 1);
        using (System.Diagnostics.Process mkfifo = System.Diagnostics.Process.Start("mkfifo", [Folder.File("pipe")]))
        {
            await mkfifo.WaitForExitAsync();
        }

        File.CreateSymbolicLink(Folder.File("nowhere"), "missing");

        DirectoryResult result = await NewClient().UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, "p", new DirectoryOptions { OnFailure = FailurePolicy.Continue }).Within();

        Assert.Equal(["pipe"], result.Failures.Select(failure => failure.Name));
        Assert.Contains("is not a file", result.Failures.Single(failure => failure.Name == "pipe").Error!.Message, StringComparison.Ordinal);
        Assert.Equal(["p/a"], S3.Objects.Keys);
    }

    [Fact]
    public async Task File_DeletedBeforeItsUpload_IsAFailure()
    {
        Make("a", 1);
        Make("b", 1);
        Gate gate = new();
        S3.Before = async (call, token) =>
        {
            if (call.Key == "a")
            {
                await gate.PassAsync(token);
            }
        };
        Task<DirectoryResult> upload = NewClient(options => options.MaxConcurrency = 1).UploadDirectoryAsync(
            Folder.Path, FakeS3.Bucket, string.Empty, new DirectoryOptions { OnFailure = FailurePolicy.Continue, MaxConcurrentObjects = 1, Exclude = ["b"] });
        await gate.Reached;
        gate.Open();
        Assert.Equal(1, (await upload.Within()).Counts.Copied);

        File.Delete(Folder.File("b"));
        File.CreateSymbolicLink(Folder.File("b"), "b"); // it can't be read
        DirectoryResult result = await NewClient().UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, string.Empty, new DirectoryOptions { OnFailure = FailurePolicy.Continue }).Within();

        Assert.Equal("b", Assert.Single(result.Failures).Name);
    }

    [Fact]
    public async Task KeepLastModified_SetsMetadata()
    {
        Make("a", 3);
        File.SetLastWriteTimeUtc(Folder.File("a"), DateTime.UnixEpoch.AddSeconds(1_700_000_000.5));

        await NewClient().UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, "p", new DirectoryOptions
        {
            Upload = new UploadOptions { KeepLastModified = true, Metadata = new Dictionary<string, string> { ["other"] = "x" } },
        }).Within();

        PutObjectRequest put = (PutObjectRequest)S3.Calls.Single().Request!;
        Assert.EachEqual(("1700000000.5", "x"), (put.Metadata["mtime"], put.Metadata["other"]));
    }

    [Fact]
    public async Task Folder_Missing_Throws()
    {
        foreach (string path in (string[])["missing", "file"])
        {
            Folder.File("file", [1]);
            TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().UploadDirectoryAsync(Folder.File(path), FakeS3.Bucket, "p").Within());
            Assert.Contains($"'{Folder.File(path)}' is not a directory", e.Message, StringComparison.Ordinal);
        }

        await Assert.ThrowsAsync<ArgumentException>(
            () => NewClient().UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, "p", new DirectoryOptions { Upload = new UploadOptions { IfMatch = "e" } }).Within());
        Assert.Empty(S3.Calls);
    }

    [Fact]
    public async Task Listener_Throws_UploadContinues()
    {
        Make("a", 3);

        DirectoryResult result = await NewClient().UploadDirectoryAsync(
            Folder.Path, FakeS3.Bucket, "p", new DirectoryOptions { ObjectEnded = _ => throw new InvalidOperationException("mine") }).Within();

        Assert.Equal(1, result.Counts.Copied);
    }

    private void Make(string name, int length)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Folder.File(name))!);
        Folder.File(name, Sample.Bytes(length, name.Length));
    }
}
