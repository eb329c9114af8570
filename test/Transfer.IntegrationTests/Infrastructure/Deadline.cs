namespace Transfer.IntegrationTests.Infrastructure;

/// <summary>No test waits for ever: every await of something that may not come has this end.</summary>
internal static class Deadline
{
    public static readonly TimeSpan Longest = TimeSpan.FromMinutes(1);

    public static Task InTime(this Task task) => task.WaitAsync(Longest);

    public static Task<T> InTime<T>(this Task<T> task) => task.WaitAsync(Longest);

    public static Task InTime(this ValueTask task) => task.AsTask().WaitAsync(Longest);

    public static Task<T> InTime<T>(this ValueTask<T> task) => task.AsTask().WaitAsync(Longest);

    /// <summary>For what comes true in another process and tells nobody: looks again and again, for as long as a test may wait.</summary>
    public static async Task Until(Func<bool> condition)
    {
        using CancellationTokenSource deadline = new(Longest);
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(5));
        while (!condition())
        {
            await look.WaitForNextTickAsync(deadline.Token);
        }
    }
}
