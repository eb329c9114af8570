namespace Transfer.S3.Wire.Http;

/// <summary>The options of a socket that decide when its reader is woken.</summary>
internal interface IReceiveOption
{
    /// <summary>Gets the size of the buffer of the system, in bytes.</summary>
    int BufferBytes { get; }

    /// <summary>Sets the number of bytes from which on the reader is woken. If they are there, that happens at once.</summary>
    /// <returns><see langword="false"/> if the system doesn't support it, or the connection has ended.</returns>
    bool TrySetMark(int bytes);
}
