namespace Transfer.Observability;

/// <summary>The sums that a <see cref="TransferReporter"/> keeps for <see cref="TransferTimes"/>.</summary>
internal enum TransferTimeKind
{
    /// <summary>Waits for a slot of a limit that the client finds by itself.</summary>
    Slot,

    /// <summary>Waits for a slot of a limit that the user chose.</summary>
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

    /// <summary>The time that the objects of a transfer of many took.</summary>
    Objects,
}
