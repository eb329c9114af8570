namespace Transfer.S3;

/// <summary>
/// The events of a transfer: <see cref="Initiated"/>, any number of <see cref="Progressed"/>, and finally either <see cref="Completed"/> or <see cref="Failed"/>.
/// </summary>
/// <remarks>
/// <para>
/// The handlers of one transfer are called one at a time, on threads of the thread pool. The call that started the transfer returns after the last handler has
/// returned. Data is transferred while a handler runs; the progress in the meantime is reported by a single event. Exceptions that a handler throws are logged and
/// otherwise ignored.
/// </para>
/// <para>One instance can be used for several transfers. The handlers of different transfers can run at the same time.</para>
/// </remarks>
/// <example>
/// <code>
/// TransferEvents events = new();
/// events.Progressed += (_, e) => Console.WriteLine($"{e.Key}: {e.Progress.BytesTransferred} of {e.Progress.TotalBytes} bytes");
/// events.Completed += (_, e) => Console.WriteLine($"{e.Key} is complete.");
/// events.Failed += (_, e) => Console.WriteLine($"{e.Key} failed: {e.Error?.Message}");
/// await client.UploadAsync("movie.mkv", "bucket", "movie.mkv", new UploadOptions { Events = events });
/// </code>
/// </example>
public sealed class TransferEvents
{
    /// <summary>Occurs when the transfer starts. Nothing is known about the object yet.</summary>
    public event EventHandler<TransferEventArgs>? Initiated;

    /// <summary>Occurs when the transfer has made progress.</summary>
    public event EventHandler<TransferEventArgs>? Progressed;

    /// <summary>Occurs when the transfer is complete: the object or the file exists under its name.</summary>
    public event EventHandler<TransferEventArgs>? Completed;

    /// <summary>Occurs when the transfer has failed or was canceled, and has cleaned up.</summary>
    public event EventHandler<TransferEventArgs>? Failed;

    internal void RaiseInitiated(TransferEventArgs e) => Initiated?.Invoke(this, e);

    internal void RaiseProgressed(TransferEventArgs e) => Progressed?.Invoke(this, e);

    internal void RaiseCompleted(TransferEventArgs e) => Completed?.Invoke(this, e);

    internal void RaiseFailed(TransferEventArgs e) => Failed?.Invoke(this, e);
}
