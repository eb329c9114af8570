namespace Transfer;

/// <summary>One event of one transfer.</summary>
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

    /// <summary>The same in all events of one transfer.</summary>
    public Guid TransferId { get; }

    /// <summary>Which way the bytes go.</summary>
    public TransferDirection Direction { get; }

    /// <summary>The bucket.</summary>
    public string Bucket { get; }

    /// <summary>The key.</summary>
    public string Key { get; }

    /// <summary>How far the transfer is.</summary>
    public TransferProgress Progress { get; }

    /// <summary>What ended the transfer: null but in <see cref="TransferEvents.Failed"/>. An <see cref="OperationCanceledException"/> where it was cancelled.</summary>
    public Exception? Error { get; }
}
