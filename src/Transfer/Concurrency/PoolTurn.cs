using System.Runtime.CompilerServices;

namespace Transfer.S3.Concurrency;

/// <summary>Continues on the thread pool, after the work that is already queued there. Await it to leave the stack of a loop that has other work to begin.</summary>
/// <remarks>
/// A thread of the pool runs what it queued itself in reverse order. If the parts of an object continued that way, the last ones would get the slots, and the one
/// that the reader waits for would get none. <see cref="Task.Yield"/> keeps the order too, but returns to the caller's synchronization context.
/// </remarks>
internal readonly struct PoolTurn : ICriticalNotifyCompletion
{
    public bool IsCompleted => false;

    public PoolTurn GetAwaiter() => this;

    public void GetResult()
    {
        // Nothing can fail.
    }

    public void OnCompleted(Action continuation) => ThreadPool.QueueUserWorkItem(static next => next(), continuation, preferLocal: false);

    public void UnsafeOnCompleted(Action continuation) => ThreadPool.UnsafeQueueUserWorkItem(static next => next(), continuation, preferLocal: false);
}
