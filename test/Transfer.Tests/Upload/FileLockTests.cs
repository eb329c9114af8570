using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Upload;

/// <summary>A file that is open for exclusive writing is rejected. A file that others read is uploaded.</summary>
public sealed class FileLockTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;

    public static TheoryData<int, SymbolicLinks?> FilesAndTrees => Matrix.Of<int, SymbolicLinks?>([0, 10, Part + 1], [null, SymbolicLinks.Follow, SymbolicLinks.Skip]);

    [Theory]
    [MemberData(nameof(FilesAndTrees))]
    public async Task UploadAsync_FileOpenForExclusiveWriting_ThrowsTheExceptionOfDotNet(int size, SymbolicLinks? tree)
    {
        string path = Folder.File("file", Sample.Bytes(size));
        using FileStream writer = new(path, FileMode.Open, FileAccess.Write, FileShare.None);
        IOException expected = Assert.Throws<IOException>(() => new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read).Dispose());

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(path, tree).Within());

        IOException actual = Assert.IsType<IOException>(error.InnerException);
        Assert.EachEqual((expected.Message, expected.HResult), (actual.Message, actual.HResult));
        Assert.Contains(path, error.Message, StringComparison.Ordinal);
        Assert.Empty(S3.Calls);
    }

    [Theory]
    [MemberData(nameof(FilesAndTrees))]
    public async Task UploadAsync_FileThatOthersReadAndAppendTo_IsUploaded(int size, SymbolicLinks? tree)
    {
        byte[] content = Sample.Bytes(size);
        string path = Folder.File("file", content);
        using FileStream reader = File.OpenRead(path);
        using FileStream appender = new(path, FileMode.Append, FileAccess.Write, FileShare.ReadWrite);
        TransferClient client = NewClient();

        await Task.WhenAll(
            client.UploadAsync(path, FakeS3.Bucket, "other"), UploadAsync(path, tree, client)).Within();

        Assert.Equal(content, S3.Published("file"));
        Assert.Equal(content, S3.Published("other"));
    }

    [Theory]
    [MemberData(nameof(FilesAndTrees))]
    public async Task UploadAsync_HoldsTheLockWhileItReads(int size, SymbolicLinks? tree)
    {
        string path = Folder.File("file", Sample.Bytes(size));
        Gate gate = new();
        S3.Before = (_, token) => gate.PassAsync(token);
        Task upload = UploadAsync(path, tree);
        await gate.Reached;

        Assert.Throws<IOException>(OpenExclusively);
        gate.Open();
        await upload.Within();
        OpenExclusively();

        void OpenExclusively() => new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.None).Dispose();
    }

    [Theory]
    [MemberData(nameof(FilesAndTrees))]
    public async Task UploadAsync_Fails_ReleasesTheLock(int size, SymbolicLinks? tree)
    {
        string path = Folder.File("file", Sample.Bytes(size));
        S3.Before = (_, _) => throw FakeS3.Error(System.Net.HttpStatusCode.Forbidden, "AccessDenied");

        await Assert.ThrowsAsync<TransferException>(() => UploadAsync(path, tree).Within());

        new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.None).Dispose();
    }

    [LinuxFact]
    public async Task UploadAsync_OpenFileByItsDescriptor_IsLocked()
    {
        byte[] content = Sample.Bytes(100);
        string path = Folder.File("file", content);
        using (FileStream exclusive = new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None))
        {
            await Assert.ThrowsAsync<TransferException>(() => UploadAsync(GetPath(exclusive), null).Within());
        }

        using FileStream shared = File.OpenRead(path);
        await UploadAsync(GetPath(shared), null).Within();

        Assert.Equal(content, S3.Published("file"));

        static string GetPath(FileStream file) => $"/proc/self/fd/{file.SafeFileHandle.DangerousGetHandle()}";
    }

    [Theory]
    [InlineData(null)]
    [InlineData(SymbolicLinks.Follow)]
    [InlineData(SymbolicLinks.Skip)]
    public async Task VerifyAsync_FileOpenForExclusiveWriting_IsRejected(SymbolicLinks? tree)
    {
        byte[] content = S3.Put("file", 100);
        string path = Folder.File("file", content);
        using FileStream writer = new(path, FileMode.Open, FileAccess.Write, FileShare.None);
        TransferClient client = NewClient();

        Exception error = tree is { } links
            ? Assert.Single((await client.VerifyTreeAsync(Place.InDirectory(Folder.Path), Place.InBucket(FakeS3.Bucket, string.Empty), new VerifyDirectoryOptions { SymbolicLinks = links }).Within()).Failures).Error!
            : await Assert.ThrowsAsync<TransferException>(() => client.VerifyAsync(path, FakeS3.Bucket, "file").Within());

        Assert.Contains("being used by another process", error.Message, StringComparison.Ordinal);
    }

    private Task UploadAsync(string path, SymbolicLinks? tree, TransferClient? client = null) => tree is { } links
        ? (client ?? NewClient()).UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, string.Empty, new DirectoryOptions { SymbolicLinks = links })
        : (client ?? NewClient()).UploadAsync(path, FakeS3.Bucket, "file");
}
