using Moq;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Copy;

/// <summary>A second client is one of this library, under whichever type it is passed.</summary>
public sealed class SecondClientTests : TransferTest
{
    [Fact]
    public async Task SecondClient_IsAMock_IsRefused()
    {
        TransferClient client = NewClient();
        ITransferClient mock = Mock.Of<ITransferClient>();
        Func<Task>[] calls =
        [
            () => client.CopyAsync(new(FakeS3.Bucket, "a"), mock, new("b", "c")),
            () => client.MoveAsync(new(FakeS3.Bucket, "a"), mock, new("b", "c")),
            () => client.CopyDirectoryAsync(new(FakeS3.Bucket, "a"), mock, new("b", "c")),
            () => client.SyncCopyAsync(new(FakeS3.Bucket, "a"), mock, new("b", "c")),
            () => client.VerifyAsync(new(FakeS3.Bucket, "a"), mock, new("b", "c")),
            async () => await client.PlanSyncCopyAsync(new(FakeS3.Bucket, "a"), mock, new("b", "c")).GetAsyncEnumerator().MoveNextAsync(),
        ];

        foreach (Func<Task> call in calls)
        {
            ArgumentException e = await Assert.ThrowsAsync<ArgumentException>(() => call().Within());
            Assert.Contains("; it must be a TransferClient, whose connections and memory are used.", e.Message, StringComparison.Ordinal);
            Assert.Equal("targetClient", e.ParamName);
        }
    }

    [Fact]
    public async Task SecondClient_IsPassedAsTheInterface_IsUsed()
    {
        byte[] content = S3.Put(1000);
        FakeS3 there = new();
        await using TransferClient other = new(there.Client);
        ITransferClient target = other;

        await NewClient().CopyAsync(new(FakeS3.Bucket, FakeS3.Key), target, new(FakeS3.Bucket, "copy")).Within();

        Assert.Equal(content, there.Objects["copy"].Content);
    }
}
