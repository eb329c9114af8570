using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Ranges;

public sealed class RangeFaultTests : RangeTest
{
    private const int Size = 1024 * 1024;
    private static readonly ObjectRange[] Wanted =
    [
        ObjectRange.From(10, 20_000), ObjectRange.From(40_000, 20_000), ObjectRange.From(50_000, 3), ObjectRange.From(2 * Far, 300_000), ObjectRange.Last(30_000), ObjectRange.Last(30_000),
    ];

    private static readonly RangeReadOptions SmallRequests = new() { MaxCoalescedBytes = 128 * 1024 };

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task BodyEndsEarly_ContinuesFromTheLastByte(bool enumerates)
    {
        byte[] content = S3.Put(Size);
        S3.Body = (call, bytes) => new ScriptedStream(bytes[..Math.Min(bytes.Length, Chunk + (call.Number * 1000))]) { BytesPerRead = 777 };

        await ReadAndCompareAsync(NewClient(), content, Wanted, enumerates, SmallRequests);

        Assert.InRange(S3.Calls.Count, 20, 200);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task RequestsFailAtFirst_AreRepeated(bool enumerates)
    {
        byte[] content = S3.Put(Size);
        S3.Before = (call, _) => call.Number % 3 == 1 ? throw FakeS3.Busy() : Task.CompletedTask;

        await ReadAndCompareAsync(NewClient(), content, Wanted, enumerates, SmallRequests);
    }

    [Theory]
    [InlineData(false, 1)]
    [InlineData(false, 3)]
    [InlineData(true, 1)]
    [InlineData(true, 3)]
    public async Task RequestIsDenied_FirstErrorIsThrownAndNothingRemains(bool enumerates, int atCall)
    {
        byte[] content = S3.Put(Size);
        S3.Before = (call, _) => call.Number >= atCall ? throw FakeS3.Error(System.Net.HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;
        TransferClient client = NewClient();

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => ReadAndCompareAsync(client, content, Wanted, enumerates, SmallRequests));

        Assert.Equal("AccessDenied", error.ErrorCode);
        Assert.Equal(0, client.Context.Pool.Budget.ReservedBytes);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Cancellation_AtEachCall_CanceledOrComplete(bool enumerates)
    {
        byte[] content = S3.Put(Size);
        for (int call = 0; call <= 7; call++)
        {
            foreach (bool answers in new[] { false, true })
            {
                FakeS3 s3 = new();
                s3.Objects[FakeS3.Key] = S3.Objects[FakeS3.Key];
                TransferClient client = NewClient(s3.Client);
                using CallerCancellation cancellation = new(s3, call, answers);

                await cancellation.RunAsync(token => ReadAndCompareAsync(client, content, Wanted, enumerates, SmallRequests, token));

                Assert.Equal(0, client.RentedBytes);
                Assert.Equal(0, client.Context.Pool.Budget.ReservedBytes);
            }
        }
    }

    [Fact]
    public async Task Cancellation_TokenOfTheEnumeration_Cancels()
    {
        S3.Put(Size);
        Gate gate = new();
        S3.Body = (_, bytes) => new ScriptedStream(bytes) { CueAt = 5000, Cue = gate.PassAsync };
        using CancellationTokenSource source = new();
        Task enumerating = Task.Run(async () =>
        {
            await foreach (RangeBuffer buffer in EnumerateAsync(NewClient(), Wanted).WithCancellation(source.Token))
            {
                buffer.Dispose();
            }
        });
        await gate.Reached;

        await source.CancelAsync();

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => enumerating.Within());
        Assert.Equal(source.Token, error.CancellationToken);
    }

    [Fact]
    public async Task ClientIsDisposed_DuringTheRead_Throws()
    {
        S3.Put(Size);
        Gate gate = new();
        S3.Body = (_, bytes) => new ScriptedStream(bytes) { CueAt = 5000, Cue = gate.PassAsync };
        TransferClient client = NewClient();
        Task<RangeBuffers> reading = ReadAsync(client, Wanted);
        await gate.Reached;

        await client.DisposeAsync().Within();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => reading.Within());
        Assert.Equal(0, client.RentedBytes);
    }
}
