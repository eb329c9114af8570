namespace Transfer.S3;

/// <summary>The state of a transfer that has a <see cref="TransferHandle"/>.</summary>
public enum TransferState
{
    /// <summary>The transfer hasn't started.</summary>
    NotStarted,

    /// <summary>The transfer is running.</summary>
    Running,

    /// <summary>The transfer sends no new requests, but some are still in flight.</summary>
    Pausing,

    /// <summary>The transfer is paused.</summary>
    Paused,

    /// <summary>The transfer has ended. <see cref="TransferHandle.Completion"/> contains its outcome.</summary>
    Ended,
}
