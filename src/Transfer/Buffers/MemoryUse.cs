namespace Transfer.S3.Buffers;

/// <summary>The use of memory. Each use has its own limit, because it determines who can release the memory.</summary>
internal enum MemoryUse
{
    /// <summary>The two chunks that every open stream keeps. They are released when the caller disposes the stream.</summary>
    Floor,

    /// <summary>
    /// A part of an object that a caller is still filling, or ranges of an object that a caller has received. It is released when the caller completes or abandons
    /// the part, or disposes the buffers of the ranges.
    /// </summary>
    Unfinished,

    /// <summary>Data that a disk or the network consumes, without a caller.</summary>
    Transient,

    /// <summary>Data that is downloaded ahead of a reader. It is released when the caller reads, or when the stream is asked to release it.</summary>
    ReadAhead,

    /// <summary>Data that can be downloaded again when it is needed. It is released as soon as any other use needs the memory.</summary>
    Cache,
}
