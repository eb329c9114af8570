using Transfer.S3.Concurrency;

namespace Transfer.S3.Tests.Concurrency;

public sealed class TaskGroupTests
{
    [Fact]
    public async Task FirstFailure_StopsTheOthersAndIsThrownAfterAllHaveEnded()
    {
        using TaskGroup group = new();
        TaskCompletionSource failing = new();
        TaskCompletionSource slow = new();
        group.Add(failing.Task);
        group.Add(slow.Task);
        group.Add(Task.Delay(Timeout.Infinite, group.Stopping));
        Task end = group.EndAsync();

        failing.SetException(new OverflowException("first"));

        await Deadline.Until(() => group.Stopping.IsCancellationRequested);
        Assert.False(end.IsCompleted);
        slow.SetException(new IOException("second"));
        Assert.Equal("first", (await Assert.ThrowsAsync<OverflowException>(() => end.Within())).Message);
        Assert.IsType<OverflowException>(group.Error);
    }

    [Fact]
    public async Task OwnerDoesNotClose_GroupDoesNotEnd()
    {
        using TaskGroup group = new();
        group.Add(Task.CompletedTask);
        group.Add(Task.Run(static () => { }));
        group.Enter();
        group.Leave();
        TaskCompletionSource last = new();
        group.Add(last.Task);
        Task end = group.WhenEndedAsync();
        Assert.False(end.IsCompleted);

        group.Add(Task.Run(() => last.SetResult())); // a task of the group can add others

        await end.Within();
        await group.WhenEndedAsync().Within();
        group.ThrowIfFailed();
    }

    [Fact]
    public async Task TryEnter_StoppingOrEnded_IsRefused()
    {
        using CancellationTokenSource caller = new();
        using TaskGroup group = new(caller.Token);
        Assert.True(group.TryEnter());
        await caller.CancelAsync();
        Assert.False(group.TryEnter());
        Task end = group.WhenEndedAsync();
        Assert.False(end.IsCompleted);
        group.Leave();
        await end.Within();

        using TaskGroup ended = new();
        await ended.WhenEndedAsync().Within();
        Assert.False(ended.TryEnter());
    }

    [Fact]
    public async Task Fail_AfterTheGroupWasDisposed_IsIgnored()
    {
        TaskGroup group = new();
        await group.WhenEndedAsync().Within();
        group.Dispose();

        group.Fail(new IOException());

        Assert.False(group.Stopping.IsCancellationRequested);
    }

    /// <summary>The token reaches streams and stores of the caller, whose callbacks can throw.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Callback_Throws_AllTasksEnd(bool byFailure)
    {
        using TaskGroup group = new();
        using CancellationTokenRegistration foreign = group.Stopping.Register(static () => throw new InvalidOperationException("of the caller"));
        group.Add(Task.Delay(Timeout.Infinite, group.Stopping));
        if (byFailure)
        {
            group.Add(Task.FromException(new IOException()));
        }
        else
        {
            await group.StopAsync().Within();
        }

        Exception e = await Assert.ThrowsAnyAsync<Exception>(() => group.EndAsync().Within());

        Assert.Equal(byFailure, e is IOException);
        Assert.Equal(!byFailure, e is OperationCanceledException);
    }

    /// <summary>Each call and each task is counted, whatever the order in which they end.</summary>
    [Fact]
    public async Task ManyTasksAtOnce_EndOnce()
    {
        for (int seed = 0; seed < 200; seed++)
        {
            using TaskGroup group = new();
            int ended = 0;
            for (int i = 0; i < 8; i++)
            {
                int number = i;
                group.Add(Task.Run(async () =>
                {
                    await Task.Yield();
                    if (number == seed % 16)
                    {
                        throw new IOException();
                    }

                    Interlocked.Increment(ref ended);
                }));
            }

            await group.WhenEndedAsync().Within();
            Assert.EachEqual((seed % 16 < 8 ? 7 : 8, seed % 16 < 8), (ended, group.Error is IOException));
        }
    }
}
