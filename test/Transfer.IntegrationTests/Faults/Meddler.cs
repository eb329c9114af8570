namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>Controls transfers while they run, as an impatient user does: pauses, resumes, prioritizes, and limits them at random.</summary>
/// <param name="random">Decides what it does.</param>
internal sealed class Meddler(Random random)
{
    private static readonly TransferPriority[] Priorities = Enum.GetValues<TransferPriority>();
    private static int CompletePauses;
    private readonly List<Task> _meddling = [];

    /// <summary>Gets the number of pauses that were complete before the transfer was resumed or ended.</summary>
    public static int Pauses => Volatile.Read(ref CompletePauses);

    /// <summary>Creates the handle of a transfer; null for most transfers, which are left alone.</summary>
    public TransferHandle? NewHandle()
    {
        if (random.Next(3) != 0)
        {
            return null;
        }

        TransferHandle handle = new() { Priority = Priorities[random.Next(Priorities.Length)] };
        handle.RateLimit.TotalBytesPerSecond = random.Next(2) == 0 ? null : random.Next(4, 64) << 20;
        _meddling.Add(MeddleAsync(handle, new Random(random.Next())));
        return handle;
    }

    /// <summary>Waits until nothing is controlled anymore. All transfers have ended.</summary>
    public Task WhenDoneAsync() => Task.WhenAll(_meddling).Within();

    private static async Task MeddleAsync(TransferHandle handle, Random random)
    {
        for (int i = 0; i < 3 && !handle.Completion.IsCompleted; i++)
        {
            await Task.WhenAny(handle.Completion, Task.Delay(random.Next(50)));
            Task paused = handle.PauseAsync(); // at any moment, and with any limit
            if (random.Next(2) == 0)
            {
                await Task.WhenAny(handle.Completion, paused).Within(); // a pause ends after five seconds at most
                Assert.True(paused.IsCompleted || handle.Completion.IsCompleted);
                Interlocked.Increment(ref CompletePauses);
            }

            handle.Priority = Priorities[random.Next(Priorities.Length)];
            handle.RateLimit.TotalBytesPerSecond = random.Next(3) == 0 ? null : random.Next(4, 64) << 20;
            handle.Resume();
            await paused.Within();
        }
    }
}
