using Transfer.S3.Concurrency;

namespace Transfer.S3.Tests.Concurrency;

/// <summary>Operations begin ahead of who consumes their results, and none is left behind.</summary>
public sealed class AheadTests
{
    [Fact]
    public async Task SelectAsync_ResultsOutOfOrder_AreReturnedInOrder()
    {
        TaskCompletionSource<int>[] operations = [.. Enumerable.Range(0, 3).Select(_ => new TaskCompletionSource<int>())];
        List<int> results = [];
        Task reading = ReadAsync();

        operations[2].SetResult(2);
        operations[1].SetResult(1);
        Assert.Empty(results);
        operations[0].SetResult(0);
        await reading.Within();

        Assert.Equal([0, 1, 2], results);

        async Task ReadAsync()
        {
            await foreach (int result in Ahead.SelectAsync(Items(3), most: 4, (item, _) => operations[item].Task, CancellationToken.None))
            {
                results.Add(result);
            }
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public async Task SelectAsync_BeginsNoMoreThanAllowed(int most)
    {
        int begun = 0;
        TaskCompletionSource<int> first = new();
        IAsyncEnumerator<int> results = Ahead.SelectAsync(Items(10), most, (item, _) => begun++ == 0 ? first.Task : Task.FromResult(item), CancellationToken.None).GetAsyncEnumerator();
        Task<bool> reading = results.MoveNextAsync().AsTask();

        Assert.Equal(most, begun);

        first.SetResult(0);
        Assert.True(await reading.Within());
        await results.DisposeAsync();
    }

    [Fact]
    public async Task SelectAsync_StoppedEarly_CancelsAndWaitsAndDisposesWhatNobodyGets()
    {
        Result left = new();
        TaskCompletionSource<Result> first = new();
        TaskCompletionSource canceled = new();
        TaskCompletionSource<Result> last = new();
        IAsyncEnumerator<Result> results = Ahead.SelectAsync(Items(3), most: 3, BeginAsync, CancellationToken.None).GetAsyncEnumerator();
        Task<bool> reading = results.MoveNextAsync().AsTask();
        first.SetResult(new Result());
        Assert.True(await reading.Within());

        Task ending = results.DisposeAsync().AsTask();
        await canceled.Task.Within();
        Assert.False(ending.IsCompleted);
        last.SetResult(left);
        await ending.Within();

        Assert.True(left.IsDisposed);

        Task<Result> BeginAsync(int item, CancellationToken token)
        {
            if (item == 2)
            {
                token.Register(canceled.SetResult);
            }

            return item switch
            {
                0 => first.Task,
                1 => Task.FromException<Result>(new InvalidOperationException("nobody sees it")),
                _ => last.Task,
            };
        }
    }

    [Fact]
    public async Task SelectAsync_OperationFails_ThrowsItAfterTheResultsBefore()
    {
        List<int> results = [];

        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(async () =>
        {
            await foreach (int result in Ahead.SelectAsync(Items(4), most: 4, (item, _) => item == 2 ? throw new InvalidOperationException("two") : Task.FromResult(item), CancellationToken.None))
            {
                results.Add(result);
            }
        });

        Assert.Equal("two", e.Message);
        Assert.Equal([0, 1], results);
    }

    private static IAsyncEnumerable<int> Items(int count) => Enumerable.Range(0, count).ToAsyncEnumerable();

    private sealed class Result : IDisposable
    {
        public bool IsDisposed { get; private set; }

        public void Dispose() => IsDisposed = true;
    }
}
