using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Integrity;

namespace Transfer.S3.Tests.Download;

public sealed class FileDownloadTests : TransferTest
{
    private const int Part = 64 * 1024;

    public static TheoryData<int> Sizes => OrderedDownloadTests.Sizes;

    [Theory]
    [MemberData(nameof(Sizes))]
    public async Task DownloadAsync_AnySize_CreatesOnlyTheFile(int size)
    {
        byte[] content = S3.Put(size);

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("a/b/target")).Within();

        Assert.Equal(content, await File.ReadAllBytesAsync(Folder.File("a/b/target")));
        Assert.Equal(["target"], Folder.Files);
        Assert.True(result.Verdict.IsVerified);
        Assert.Equal(size, result.Statistics.BytesTransferred);
    }

    [Fact]
    public async Task DownloadAsync_PartsArriveInReverse_EachIsWrittenAtItsOffset()
    {
        byte[] content = S3.Put(5 * Part);
        Dictionary<long, Gate> gates = Enumerable.Range(0, 5).ToDictionary(i => (long)i * Part, _ => new Gate());
        S3.Body = (call, bytes) => new ScriptedStream(bytes) { Cue = gates[call.First!.Value].PassAsync };
        Task<DownloadResult> downloading = NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("target"));
        foreach (Gate gate in gates.OrderByDescending(gate => gate.Key).Select(gate => gate.Value))
        {
            await gate.Reached;
            Assert.False(File.Exists(Folder.File("target")));
            gate.Open();
        }

        await downloading.Within();
        Assert.Equal(content, await File.ReadAllBytesAsync(Folder.File("target")));
    }

    [Fact]
    public async Task DownloadAsync_StoreIgnoresRanges_CreatesTheFile()
    {
        byte[] content = S3.Put(5 * Part);
        S3.IgnoresRanges = true;

        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("target")).Within();

        Assert.Equal(content, await File.ReadAllBytesAsync(Folder.File("target")));
    }

    [Fact]
    public async Task DownloadAsync_ChecksumDiffers_OnlyTheOldFileIsLeft()
    {
        byte[] content = Sample.Bytes(3 * Part);
        S3.Objects[FakeS3.Key] = new FakeObject(Sample.Bytes(3 * Part, seed: 2)) { Crc64Nvme = CrcOf.Crc64Nvme(content) };
        string target = Folder.File("target", [1, 2, 3]);

        await Assert.ThrowsAsync<ChecksumMismatchException>(() => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target).Within());

        Assert.Equal(new byte[] { 1, 2, 3 }, await File.ReadAllBytesAsync(target));
        Assert.Equal(["target"], Folder.Files);
    }

    [Fact]
    public async Task DownloadAsync_PartFails_NothingIsLeft()
    {
        S3.Put(10 * Part);
        S3.Before = (call, _) => call.First == 5 * Part ? throw FakeS3.Error(System.Net.HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;

        await Assert.ThrowsAsync<TransferException>(() => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("target")).Within());

        Assert.Empty(Folder.Files);
    }

    [Fact]
    public async Task DownloadAsync_FolderCannotBeCreated_ThrowsAndEndsTheRequest()
    {
        S3.Put(3 * Part);
        string file = Folder.File("file", [1]);
        TransferClient client = NewClient(o => o.MaxConcurrency = 1);

        TransferException error = await Assert.ThrowsAsync<TransferException>(
            () => client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, Path.Combine(file, "below", "target")).Within());

        Assert.Equal(FakeS3.Key, error.Key);
        Assert.Equal(0, client.Context.Pool.Budget.ReservedBytes);
        await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("target")).Within(); // the only slot is free
    }

    [Fact]
    public async Task DownloadAsync_OverwriteIsFalse_KeepsTheExistingFileWithoutARequest()
    {
        S3.Put(3 * Part);
        string target = Folder.File("target", [1]);

        await Assert.ThrowsAsync<TransferException>(
            () => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, new DownloadOptions { Overwrite = false }).Within());

        Assert.Empty(S3.Calls);
        Assert.Equal(new byte[] { 1 }, await File.ReadAllBytesAsync(target));
    }

    [Fact]
    public async Task DownloadAsync_TargetIsALink_ReplacesTheLinkedFile()
    {
        byte[] content = S3.Put(Part + 1);
        string target = Folder.File("target", [1]);
        File.CreateSymbolicLink(Folder.File("link"), target);

        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("link")).Within();

        Assert.Equal(content, await File.ReadAllBytesAsync(target));
        Assert.NotNull(new FileInfo(Folder.File("link")).LinkTarget);
    }

    [Fact]
    public async Task DownloadAsync_TargetIsAFolder_Rejected()
    {
        await Assert.ThrowsAsync<ArgumentException>(() => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.Path).Within());

        Assert.Empty(S3.Calls);
    }
}
