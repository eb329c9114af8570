using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Transfer.S3.Testing;

/// <summary>Limits the time of every await in a test, so that an operation that never ends fails the test instead of hanging the run.</summary>
public static class Deadline
{
    public static readonly TimeSpan Longest = TimeSpan.FromMinutes(1);

    /// <summary>How often a condition is checked at once, before it is checked every few milliseconds.</summary>
    private const int Yields = 1000;

    public static Task Within(this Task task) => task.WaitAsync(Longest);

    public static Task<T> Within<T>(this Task<T> task) => task.WaitAsync(Longest);

    public static Task Within(this ValueTask task) => task.AsTask().WaitAsync(Longest);

    public static Task<T> Within<T>(this ValueTask<T> task) => task.AsTask().WaitAsync(Longest);

    /// <summary>Waits synchronously, for code that can't await: properties, models, synchronous reads.</summary>
    public static void Block(this Task task)
    {
#pragma warning disable VSTHRD002 // tests have no synchronization context
        task.Within().GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
    }

    public static T Block<T>(this Task<T> task)
    {
        ((Task)task).Block();
#pragma warning disable VSTHRD002 // the task is complete
        return task.Result;
#pragma warning restore VSTHRD002
    }

    /// <summary>Polls until a condition is true, for state that changes without a notification, such as that of another process.</summary>
    /// <param name="condition">The condition.</param>
    /// <param name="describe">Describes the state if the time is up.</param>
    /// <param name="expression">The condition as it is written in the test.</param>
    public static async Task Until(Func<bool> condition, Func<string>? describe = null, [CallerArgumentExpression(nameof(condition))] string? expression = null)
    {
        long start = Stopwatch.GetTimestamp();
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(5));
        for (int i = 0; !condition(); i++)
        {
            if (i < Yields)
            {
                await Task.Yield();
                continue;
            }

            if (Stopwatch.GetElapsedTime(start) > Longest)
            {
                Assert.Fail($"After {Longest.TotalSeconds:0} s: {describe?.Invoke() ?? expression}");
            }

            await look.WaitForNextTickAsync();
        }
    }
}
