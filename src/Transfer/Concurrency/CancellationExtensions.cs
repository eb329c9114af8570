namespace Transfer.S3.Concurrency;

/// <summary>Extensions of <see cref="CancellationTokenSource"/>.</summary>
internal static class CancellationExtensions
{
    /// <summary>Cancels the source, unless it was disposed. Exceptions of callbacks that others have registered are ignored, because whoever cancels must continue.</summary>
    public static void CancelAndIgnoreErrors(this CancellationTokenSource source)
    {
        try
        {
            source.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // What was to be canceled has ended in the meantime.
        }
        catch (AggregateException)
        {
            // All callbacks were called. It contains their exceptions.
        }
    }
}
