namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>Limits the time of every await in a test, so that no test waits forever.</summary>
internal static class Deadline
{
    public static readonly TimeSpan Longest = TimeSpan.FromMinutes(1);

    public static Task InTime(this Task task) => task.WaitAsync(Longest);

    public static Task<T> InTime<T>(this Task<T> task) => task.WaitAsync(Longest);

    public static Task InTime(this ValueTask task) => task.AsTask().WaitAsync(Longest);

    public static Task<T> InTime<T>(this ValueTask<T> task) => task.AsTask().WaitAsync(Longest);

    /// <summary>Polls until a condition is true, for state of another process that changes without a notification.</summary>
    /// <param name="condition">The condition.</param>
    /// <param name="describe">Describes the state if the time is up.</param>
    public static async Task Until(Func<bool> condition, Func<string>? describe = null)
    {
        using CancellationTokenSource deadline = new(Longest);
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(5));
        while (!condition())
        {
            try
            {
                await look.WaitForNextTickAsync(deadline.Token);
            }
            catch (OperationCanceledException) when (describe is not null)
            {
                Assert.Fail($"After {Longest.TotalSeconds:0} s: {describe()}");
            }
        }
    }
}
