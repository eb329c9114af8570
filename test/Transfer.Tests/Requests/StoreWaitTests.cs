using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Requests;

public sealed class StoreWaitTests : TransferTest
{
    [Fact]
    public async Task Waiting_WhileNothingResponds_SaysForHowLongAndWhy()
    {
        List<StoreWait?> waits = [];
        TransferClient client = NewClient(options => options.MaxAttempts = 3);
        S3.Put(10);
        S3.Before = (call, _) =>
        {
            Time.Advance(TimeSpan.FromSeconds(6));
            waits.Add(client.Waiting);
            return call.Number == 1 ? throw FakeS3.Busy() : Task.CompletedTask;
        };
        Assert.Null(client.Waiting);

        await client.GetInfoAsync(FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Null(client.Waiting);
        Assert.Equal(new StoreWait { Silence = TimeSpan.FromSeconds(6), Attempt = 1, MaxAttempts = 3 }, waits[0]);
        Assert.EachEqual((2, 3), (waits[1]!.Value.Attempt, waits[1]!.Value.MaxAttempts));
        Assert.True(waits[1]!.Value.Silence >= TimeSpan.FromSeconds(12)); // an attempt that fails is no sign of the store
        Assert.Contains("InternalError", waits[1]!.Value.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Waiting_AfterASuccess_BeginsAgain()
    {
        List<StoreWait?> waits = [];
        TransferClient client = NewClient();
        S3.Put(10);
        S3.Before = (_, _) =>
        {
            Time.Advance(TimeSpan.FromSeconds(4));
            waits.Add(client.Waiting);
            return Task.CompletedTask;
        };

        await client.GetInfoAsync(FakeS3.Bucket, FakeS3.Key).Within();
        Time.Advance(TimeSpan.FromSeconds(100));
        await client.GetInfoAsync(FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Equal([TimeSpan.FromSeconds(4), TimeSpan.FromSeconds(4)], waits.Select(wait => wait!.Value.Silence));
    }

    [Fact]
    public async Task Waiting_WhileAReaderHasData_IsNothing()
    {
        TransferClient client = NewClient();
        S3.Put(10);
        await using ObjectReadStream stream = await client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
        await stream.ReadExactlyAsync(new byte[4]).AsTask().Within();
        Time.Advance(TimeSpan.FromSeconds(100)); // the reader is slow, not the store

        Assert.Null(client.Waiting);
    }
}
