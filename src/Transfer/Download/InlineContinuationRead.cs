using System.Runtime.CompilerServices;

namespace Transfer.S3.Download;

/// <summary>
/// Waits for the next data of a body and, once that wait has begun, lets the reader of the part continue with the available data on the same thread,
/// while it is in the processor's cache. Waking another thread would cost more than the read.
/// </summary>
/// <remarks>
/// At that point, the fetch is fully suspended and continues wherever its data arrives. So the reader's code may block this thread without delaying it.
/// </remarks>
internal readonly struct InlineContinuationRead(ValueTask<int> read, IPartWriter writer) : ICriticalNotifyCompletion
{
    private readonly ConfiguredValueTaskAwaitable<int>.ConfiguredValueTaskAwaiter _read = read.ConfigureAwait(false).GetAwaiter();

    /// <summary>Always returns false: if the data is already available, no reader needs to be woken before it is read.</summary>
    public bool IsCompleted => false;

    public InlineContinuationRead GetAwaiter() => this;

#pragma warning disable VSTHRD002 // an awaiter calls it only after the read has completed
    public int GetResult() => _read.GetResult();
#pragma warning restore VSTHRD002

    public void OnCompleted(Action continuation)
    {
        _read.OnCompleted(continuation);
        writer.Wake(inline: true);
    }

    public void UnsafeOnCompleted(Action continuation)
    {
        _read.UnsafeOnCompleted(continuation);
        writer.Wake(inline: true);
    }
}
