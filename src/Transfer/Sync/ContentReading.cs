using Transfer.S3.Scheduling;

namespace Transfer.S3.Sync;

/// <summary>Limits the objects that are read at the same time for comparisons.</summary>
internal static class ContentReading
{
    /// <summary>Gets the number of objects to read at the same time. Each open one keeps two chunks, and all of them together may keep a quarter of the memory.</summary>
    public static int MaxAtOnce(ClientSettings settings) => (int)Math.Clamp(settings.MemoryBytes / 4 / (2 * settings.ChunkSizeBytes), 1, TransferDefaults.MaxConcurrency);
}
