namespace Transfer.S3.Requests;

/// <summary>The kinds of times that a <see cref="TransferClock"/> adds up for <see cref="TransferTimes"/>.</summary>
internal enum TransferTimeKind
{
    /// <summary>Waits for a slot under a limit that the client chooses by itself.</summary>
    Slot,

    /// <summary>Waits for a slot under a limit that the user set.</summary>
    ChosenSlot,

    Memory,

    Reader,

    Source,

    Disk,

    FirstByte,

    Data,

    /// <summary>The whole time in which parts of downloads are received and written. It includes <see cref="Data"/> and <see cref="Disk"/>; the rest is processing.</summary>
    Receiving,

    Backoff,

    ThrottlingBackoff,

    RateLimit,

    /// <summary>The time that the objects of a transfer of many objects took.</summary>
    Objects,
}
