namespace Transfer.S3.Tests;

/// <summary>Threads of the pool that wait must not keep from running what they wait for. The tests run alone, because the pool is that of the process.</summary>
[Collection(nameof(BlockingTests))]
[CollectionDefinition(nameof(BlockingTests), DisableParallelization = true)]
public sealed class BlockingTests : IAsyncLifetime
{
    private const int Readers = 100;
    private readonly TaskCompletionSource _data = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task InitializeAsync() => Task.CompletedTask;

    public Task DisposeAsync()
    {
        Blocking.Lower();
        return Task.CompletedTask;
    }

    [Fact]
    public async Task ManyThreadsOfThePoolWait_MinimumIsRaisedAndLoweredAgain()
    {
        Blocking.Lower();
        ThreadPool.GetMinThreads(out int before, out _);
        using CountdownEvent waiting = new(Readers);
        Task[] readers = [.. Enumerable.Range(0, Readers).Select(_ => Task.Run(() =>
        {
            waiting.Signal();
            Blocking.Wait(_data.Task);
        }))];

        await Deadline.Until(() => waiting.IsSet && Blocking.Added >= Readers);
        ThreadPool.GetMinThreads(out int during, out _);
        Assert.Equal(before + Blocking.Added, during);

        _data.SetResult();
        await Task.WhenAll(readers).Within();
        Blocking.Lower();
        ThreadPool.GetMinThreads(out int after, out _);
        Assert.EachEqual((0, before), (Blocking.Added, after));
    }

    /// <summary>The number that the program sets while threads wait is the one that remains.</summary>
    [Fact]
    public async Task ProgramSetsTheMinimumMeanwhile_IsKept()
    {
        Blocking.Lower();
        ThreadPool.GetMinThreads(out int before, out int ports);
        Task[] readers = [.. Enumerable.Range(0, Readers).Select(_ => Task.Run(() => Blocking.Wait(_data.Task)))];
        await Deadline.Until(() => Blocking.Added >= Readers);

        Assert.True(ThreadPool.SetMinThreads(before + 7, ports));
        _data.SetResult();
        await Task.WhenAll(readers).Within();
        Blocking.Lower();
        ThreadPool.GetMinThreads(out int after, out _);
        ThreadPool.SetMinThreads(before, ports);

        Assert.Equal(before + 7, after);
    }

    [Fact]
    public void Wait_TaskFails_ThrowsItsException()
    {
        Assert.Throws<InvalidOperationException>(() => Blocking.Wait(Task.FromException(new InvalidOperationException())));
        Assert.Throws<InvalidOperationException>(() => Blocking.Wait(ValueTask.FromException(new InvalidOperationException())));
        Assert.Equal(3, Blocking.Wait(Task.FromResult(3)));
    }
}
