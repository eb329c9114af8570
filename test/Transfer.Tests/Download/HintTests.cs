using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Download;

public sealed class HintTests : TransferTest
{
    private const int Part = 64 * 1024;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(Part)]
    [InlineData((3 * Part) + 1)]
    public async Task OpenReadAsync_CorrectHint_ReturnsTheBytesWithoutAHead(int size)
    {
        byte[] content = S3.Put(size);
        ObjectHint hint = new() { Length = size, ETag = S3.Objects[FakeS3.Key].ETag!.Trim('"') };
        await using ObjectReadStream stream = await NewClient().OpenReadAsync(FakeS3.Bucket, FakeS3.Key, new DownloadOptions { Hint = hint }).Within();

        Assert.Equal(content, await OrderedDownloadTests.ReadAllAsync(stream));

        Assert.Equal(0, S3.GetCount(S3Call.Head));
        Assert.All(S3.Gets, call => Assert.Equal(S3.Objects[FakeS3.Key].ETag, call.IfMatch));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(Part - 1)]
    [InlineData(Part)]
    public async Task Hint_SmallObject_NeedsOneRequestIncludingTheChecksum(int size)
    {
        FakeObject found = FakeObject.Checked(Sample.Bytes(size));
        S3.Objects[FakeS3.Key] = found with { Crc64NvmeInGet = found.Crc64Nvme };
        MemoryStream target = new();

        DownloadResult result = await NewClient().DownloadAsync(
            FakeS3.Bucket, FakeS3.Key, target, new DownloadOptions { Hint = new ObjectHint { Length = size, ETag = S3.Objects[FakeS3.Key].ETag } }).Within();

        Assert.Equal(Sample.Bytes(size), target.ToArray());
        Assert.True(result.Verdict.IsVerified);
        S3Call call = Assert.Single(S3.Calls);
        Assert.Null(call.First); // a store returns the checksum with a whole object, but not always with a range
        Assert.Equal(S3.Objects[FakeS3.Key].ETag, call.IfMatch);
    }

    [Fact]
    public async Task OpenReadAsync_Hint_AllRangesStartImmediately()
    {
        S3.Put(4 * Part);
        Gate gate = new();
        S3.Before = (call, token) => call.Operation == S3Call.Get ? gate.PassAsync(token) : Task.CompletedTask;
        Task<ObjectReadStream> opening = NewClient().OpenReadAsync(
            FakeS3.Bucket, FakeS3.Key, new DownloadOptions { Hint = new ObjectHint { Length = 4 * Part } });

        await Deadline.Until(() => S3.GetCount(S3Call.Get) == 4);

        Assert.Equal([0, Part, 2 * Part, 3 * Part], S3.Gets.Select(call => call.First!.Value).Order());
        gate.Open();
        await using ObjectReadStream stream = await opening.Within();
        await OrderedDownloadTests.ReadAllAsync(stream);
    }

    [Fact]
    public async Task OpenReadAsync_Hint_ReturnsAtTheFirstHeaders()
    {
        byte[] content = S3.Put(2 * Part);
        Gate body = new();
        S3.Body = (_, bytes) => new ScriptedStream(bytes) { CueAt = 100, Cue = body.PassAsync };

        await using ObjectReadStream stream = await NewClient().OpenReadAsync(
            FakeS3.Bucket, FakeS3.Key, new DownloadOptions { Hint = new ObjectHint { Length = 2 * Part } }).Within();
        Assert.Equal(S3.Objects[FakeS3.Key].ETag, stream.Info.ETag);
        body.Open();

        Assert.Equal(content, await OrderedDownloadTests.ReadAllAsync(stream));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Hint_StoreIgnoresRanges_IsReadInOnePiece(bool toFile)
    {
        byte[] content = S3.Put(3 * Part);
        S3.IgnoresRanges = true;
        DownloadOptions options = new() { Hint = new ObjectHint { Length = 3 * Part, ETag = S3.Objects[FakeS3.Key].ETag } };
        string path = Folder.File("target");
        MemoryStream target = new();
        TransferClient client = NewClient();

        DownloadResult result = toFile
            ? await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, path, options).Within()
            : await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, options).Within();

        Assert.Equal(content, toFile ? await File.ReadAllBytesAsync(path) : target.ToArray());
        Assert.Equal(1, result.Parts);
    }

    [Fact]
    public async Task Hint_AttributesDenied_NoHeadIsSent()
    {
        S3.Put(3 * Part);
        S3.Before = (call, _) => call.Operation == S3Call.Attributes ? throw FakeS3.Error(System.Net.HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;
        TransferClient client = NewClient();
        for (int round = 0; round < 2; round++)
        {
            DownloadResult result = await client.DownloadAsync(
                FakeS3.Bucket, FakeS3.Key, new MemoryStream(), new DownloadOptions { Hint = new ObjectHint { Length = 3 * Part } }).Within();
            Assert.False(result.Verdict.IsVerified);
        }

        Assert.Equal(0, S3.GetCount(S3Call.Head));
    }

    [Theory]
    [InlineData((3 * Part) - 1)]
    [InlineData((3 * Part) + 1)]
    [InlineData(Part)]
    [InlineData(100 * Part)]
    [InlineData(1)]
    [InlineData(0)]
    public async Task Hint_WrongLength_ObjectChangedAndNoFile(long hinted)
    {
        S3.Put(3 * Part);
        using TemporaryFolder folder = new();

        await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => NewClient().DownloadAsync(
            FakeS3.Bucket, FakeS3.Key, folder.File("target"), new DownloadOptions { Hint = new ObjectHint { Length = hinted } }).Within());

        Assert.Empty(folder.Files);
    }

    [Fact]
    public async Task Hint_SaysEmptyButObjectIsNot_ObjectChanged()
    {
        S3.Put(0);

        await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => NewClient().DownloadAsync(
            FakeS3.Bucket, FakeS3.Key, new MemoryStream(), new DownloadOptions { Hint = new ObjectHint { Length = 5 } }).Within());
    }

    [Fact]
    public async Task Hint_WrongETag_ObjectChanged()
    {
        S3.Put(3 * Part);

        await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => NewClient().OpenReadAsync(
            FakeS3.Bucket, FakeS3.Key, new DownloadOptions { Hint = new ObjectHint { Length = 3 * Part, ETag = "another" } }).Within());
    }

    /// <summary>A listing of the AWS SDK has no size for some entries.</summary>
    [Fact]
    public async Task Hint_LengthIsNotKnown_IsNotUsed()
    {
        byte[] content = S3.Put(3 * Part);
        MemoryStream target = new();

        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, new DownloadOptions { Hint = new ObjectHint { Length = null, ETag = "another" } }).Within();

        Assert.Equal(content, target.ToArray());
    }

    [Fact]
    public async Task Hint_NegativeLength_Rejected()
    {
        ArgumentOutOfRangeException error = await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => NewClient().OpenReadAsync(
            FakeS3.Bucket, FakeS3.Key, new DownloadOptions { Hint = new ObjectHint { Length = -1 } }).Within());

        Assert.Contains("-1", error.Message, StringComparison.Ordinal);
    }
}
