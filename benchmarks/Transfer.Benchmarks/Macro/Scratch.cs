namespace Transfer.S3.Benchmarks.Macro;

/// <summary>The folder for files of benchmarks. It is in memory if there is such a file system, so that no disk is measured.</summary>
internal static class Scratch
{
    private const string MemoryFileSystem = "/dev/shm";

    public static string NewPath()
        => Path.Combine(Directory.Exists(MemoryFileSystem) ? MemoryFileSystem : Path.GetTempPath(), $"transfer-benchmark-{Guid.NewGuid():N}");
}
