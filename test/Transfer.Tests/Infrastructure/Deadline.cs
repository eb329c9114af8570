namespace Transfer.S3.Tests.Infrastructure;

/// <summary>Limits the time of every await in a test, so that an operation that never ends fails the test instead of hanging the run.</summary>
internal static class Deadline
{
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    public static Task Within(this Task task) => task.WaitAsync(Limit);

    public static Task<T> Within<T>(this Task<T> task) => task.WaitAsync(Limit);

    public static Task Within(this ValueTask task) => task.AsTask().WaitAsync(Limit);

    public static Task<T> Within<T>(this ValueTask<T> task) => task.AsTask().WaitAsync(Limit);

    /// <summary>Waits synchronously, for code that can't await: properties, models, synchronous reads.</summary>
    public static void Block(this Task task)
    {
#pragma warning disable VSTHRD002 // the test project has no synchronization context
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

    /// <summary>Polls until a condition is true, for state that changes without a notification.</summary>
    public static async Task Until(Func<bool> condition)
    {
        using CancellationTokenSource deadline = new(Limit);
        while (!condition())
        {
            deadline.Token.ThrowIfCancellationRequested();
            await Task.Yield();
        }
    }
}
