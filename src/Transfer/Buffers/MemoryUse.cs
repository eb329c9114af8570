namespace Transfer.Buffers;

/// <summary>What memory is used for. Who can give it back decides how much of the budget a use may take.</summary>
internal enum MemoryUse
{
    /// <summary>The two chunks that every open stream keeps. They come back when the caller disposes the stream.</summary>
    Floor,

    /// <summary>Data fetched ahead of a reader. It comes back when the caller reads, or when the stream is asked to give it back.</summary>
    ReadAhead,

    /// <summary>A part of an object that a caller is still filling. It comes back when the caller completes the part or gives it up.</summary>
    Unfinished,

    /// <summary>Data that a disk or the network drains without any caller.</summary>
    Transient,
}
