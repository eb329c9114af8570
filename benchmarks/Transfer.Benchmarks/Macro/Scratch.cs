namespace Transfer.Benchmarks.Macro;

/// <summary>Where files of benchmarks are: in memory where there is such a file system, so that no disk is measured.</summary>
internal static class Scratch
{
    private const string MemoryFileSystem = "/dev/shm";

    public static string NewPath()
        => Path.Combine(Directory.Exists(MemoryFileSystem) ? MemoryFileSystem : Path.GetTempPath(), $"transfer-benchmark-{Guid.NewGuid():N}");
}
