namespace Transfer.S3.Files;

/// <summary>Creates files that only their owner can read, and that don't remain. They have no name on Unix, and are deleted when they are closed elsewhere.</summary>
internal static class TemporaryFile
{
    private const int BufferBytes = 64 * 1024;

    /// <summary>Creates a file in a directory or, if that is null or can't be written, in that of temporary files.</summary>
    /// <exception cref="IOException">Thrown when the file can't be created.</exception>
    public static WrittenFileStream CreateIn(string? directory, string name)
    {
        try
        {
            return Create(directory ?? Path.GetTempPath(), name);
        }
        catch (Exception e) when (directory is not null && e is IOException or UnauthorizedAccessException)
        {
            return Create(Path.GetTempPath(), name); // a state directory that can't be written costs no more than time elsewhere
        }
    }

    /// <exception cref="IOException">Thrown when the file can't be created.</exception>
    public static WrittenFileStream Create(string directory, string name)
    {
        Directory.CreateDirectory(directory);
        string path = Path.Combine(directory, $"{name}-{Guid.NewGuid():N}.tmp");
        FileStreamOptions options = new()
        {
            Mode = FileMode.CreateNew,
            Access = FileAccess.ReadWrite,
            Share = FileShare.Delete,
            BufferSize = BufferBytes,
            Options = FileOptions.DeleteOnClose,
        };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        WrittenFileStream file = new(path, options);
        if (!OperatingSystem.IsWindows())
        {
            File.Delete(path); // nothing remains even if the process is killed
        }

        return file;
    }
}
