namespace Transfer.S3.Buffers;

/// <summary>Memory that is released when something else needs it.</summary>
internal interface IReclaimableMemory
{
    /// <summary>Releases at least <paramref name="bytes"/> if that much isn't in use. Never called under a lock of the budget.</summary>
    /// <returns>Whether anything was released.</returns>
    bool Reclaim(long bytes);
}
