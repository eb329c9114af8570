namespace Transfer.IntegrationTests.Infrastructure;

/// <summary>No test waits for ever: every await of something that may not come has this end.</summary>
internal static class Deadline
{
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(1);

    public static Task InTime(this Task task) => task.WaitAsync(Longest);

    public static Task<T> InTime<T>(this Task<T> task) => task.WaitAsync(Longest);

    public static Task InTime(this ValueTask task) => task.AsTask().WaitAsync(Longest);

    public static Task<T> InTime<T>(this ValueTask<T> task) => task.AsTask().WaitAsync(Longest);
}
