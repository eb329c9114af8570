namespace Transfer.Buffers;

/// <summary>Who waits for whom decides how much of the budget a use may take.</summary>
internal enum MemoryUse
{
    /// <summary>The least that an open stream always keeps, so that no set of open streams can starve one another.</summary>
    Floor,

    /// <summary>Bytes that come back only when the caller reads: a caller who pauses must not hold all of the budget.</summary>
    ReadAhead,

    /// <summary>Bytes that a disk or the network drains by itself.</summary>
    Transient,
}
