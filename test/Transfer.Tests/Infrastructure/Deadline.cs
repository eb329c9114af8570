namespace Transfer.Tests.Infrastructure;

/// <summary>Every await of a test has one: what should have ended and did not is a failure, not a run that hangs.</summary>
internal static class Deadline
{
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    public static Task Within(this Task task) => task.WaitAsync(Limit);

    public static Task<T> Within<T>(this Task<T> task) => task.WaitAsync(Limit);

    public static Task Within(this ValueTask task) => task.AsTask().WaitAsync(Limit);

    public static Task<T> Within<T>(this ValueTask<T> task) => task.AsTask().WaitAsync(Limit);

    /// <summary>For code that can't await: properties, models, synchronous reads.</summary>
    public static void Block(this Task task)
    {
#pragma warning disable VSTHRD002 // the test project has no synchronisation context
        task.Within().GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
    }

    public static T Block<T>(this Task<T> task)
    {
        ((Task)task).Block();
#pragma warning disable VSTHRD002 // it has ended
        return task.Result;
#pragma warning restore VSTHRD002
    }

    /// <summary>For what comes true by itself and tells nobody: yields until then.</summary>
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
