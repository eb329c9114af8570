using System.Numerics;

namespace Transfer.S3.Bench.Demo;

/// <summary>Chooses the size of the object of the demonstration.</summary>
internal static class DemoSize
{
    public const long DefaultBytes = 1L << 30;
    private const long LeastBytes = 32L << 20;

    /// <summary>The TransferUtility can hold all of an object in memory, and the machine has other things to do.</summary>
    private const int MemoryPerByte = 4;

    /// <summary>Gets the memory that isn't in use, of the machine or of the container.</summary>
    public static long AvailableBytes()
    {
        GC.Collect(0); // before the first collection, the load isn't known
        GCMemoryInfo memory = GC.GetGCMemoryInfo(GCKind.Any);
        return Math.Max(0, memory.TotalAvailableMemoryBytes - memory.MemoryLoadBytes);
    }

    /// <summary>Gets the size for a machine with the specified free memory: a power of two, at most the default.</summary>
    public static long For(long availableBytes)
    {
        ulong fitting = (ulong)Math.Max(LeastBytes, availableBytes / MemoryPerByte);
        return Math.Min(DefaultBytes, 1L << BitOperations.Log2(fitting));
    }
}
