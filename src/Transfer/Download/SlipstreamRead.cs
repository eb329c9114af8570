using System.Runtime.CompilerServices;

namespace Transfer.Download;

/// <summary>
/// Waits for the next bytes of a body and, once that wait has begun, lets the part's reader go on with those that are there: on the same thread, while
/// they are in its processor's cache. Waking another thread for them would cost more than they do.
/// </summary>
/// <remarks>
/// By then the fetch is wholly suspended and goes on wherever its bytes come in, so that the reader's code may even block this thread: it holds up nobody.
/// </remarks>
internal readonly struct SlipstreamRead(ValueTask<int> read, IPartWriter writer) : ICriticalNotifyCompletion
{
    private readonly ConfiguredValueTaskAwaitable<int>.ConfiguredValueTaskAwaiter _read = read.ConfigureAwait(false).GetAwaiter();

    /// <summary>Always false: where the bytes are there already, nobody need be woken before they are read.</summary>
    public bool IsCompleted => false;

    public SlipstreamRead GetAwaiter() => this;

#pragma warning disable VSTHRD002 // called when the read has completed, as an awaiter's is
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
