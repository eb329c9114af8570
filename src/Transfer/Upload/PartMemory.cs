namespace Transfer.S3.Upload;

/// <summary>The memory that a part of a source takes.</summary>
internal enum PartMemory
{
    /// <summary>All of the part, reserved before it is read.</summary>
    Whole,

    /// <summary>What the part has so far, because a caller or a stream fills it at an unknown speed.</summary>
    AsItGrows,

    /// <summary>None, because the data is in memory of the caller, or in the store.</summary>
    None,

    /// <summary>A few chunks, because the data is read when it is sent (<see cref="PartBody.ReadOnce"/>).</summary>
    Chunks,
}
