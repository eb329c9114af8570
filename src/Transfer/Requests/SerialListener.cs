namespace Transfer.S3.Requests;

/// <summary>Calls a listener of the program for one item at a time. An exception of the listener doesn't affect the call that reports to it.</summary>
/// <param name="listener">The listener; null for none.</param>
/// <param name="whole">Logs the exceptions of the listener.</param>
internal sealed class SerialListener<T>(Action<T>? listener, TransferReporter whole)
{
    private readonly Lock _telling = new();

    public void Tell(T item)
    {
        if (listener is null)
        {
            return;
        }

        lock (_telling)
        {
            try
            {
                listener(item);
            }
#pragma warning disable CA1031 // the program's error, which is logged
            catch (Exception e)
#pragma warning restore CA1031
            {
                whole.ListenerFailed(e);
            }
        }
    }
}
