using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>Provides data for the events of <see cref="TransferEvents"/>.</summary>
/// <example>
/// <code>
/// static void WriteProgress(object? sender, TransferEventArgs e)
///     => Console.WriteLine($"{e.Direction} of s3://{e.Bucket}/{e.Key}: {e.Progress.BytesPerSecond:N0} bytes/s");
///
/// TransferEvents events = new();
/// events.Progressed += WriteProgress;
/// await using TransferClient observed = new(s3, new TransferClientOptions { Events = events });
/// </code>
/// </example>
public sealed class TransferEventArgs : EventArgs
{
    internal TransferEventArgs(Guid transferId, TransferDirection direction, string bucket, string key, TransferProgress progress, Exception? error)
    {
        TransferId = transferId;
        Direction = direction;
        Bucket = bucket;
        Key = key;
        Progress = progress;
        Error = error;
    }

    /// <summary>Gets the ID of the transfer, which is the same in all of its events.</summary>
    public Guid TransferId { get; }

    /// <summary>Gets the direction of the transfer.</summary>
    public TransferDirection Direction { get; }

    /// <summary>Gets the name of the bucket.</summary>
    public string Bucket { get; }

    /// <summary>Gets the key of the object; for a transfer of many objects, the prefix.</summary>
    public string Key { get; }

    /// <summary>Gets the progress of the transfer.</summary>
    public TransferProgress Progress { get; }

    /// <summary>
    /// Gets the error of <see cref="TransferEvents.Failed"/>; <see langword="null"/> for other events. A canceled transfer has an
    /// <see cref="OperationCanceledException"/>.
    /// </summary>
    [JsonConverter(typeof(ExceptionJsonConverter))]
    public Exception? Error { get; }
}
