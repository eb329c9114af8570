namespace Transfer.S3.Benchmarks.Macro;

/// <summary>
/// The folder for files of benchmarks. It is in memory if there is such a file system, so that no disk is measured. Files that memory may not hold are in the
/// temporary folder.
/// </summary>
internal static class Scratch
{
    private const string MemoryFileSystem = "/dev/shm";

    public static string NewPath(bool isLarge = false)
        => Path.Combine(!isLarge && Directory.Exists(MemoryFileSystem) ? MemoryFileSystem : Path.GetTempPath(), $"transfer-benchmark-{Guid.NewGuid():N}");
}
