namespace Transfer.S3.Cli.Commands;

/// <summary>Warns when the objects of a download don't fit on the disk.</summary>
/// <remarks>
/// The sizes come from the listing, so the check needs no additional requests. The listing runs ahead of the transfers: the total is known before the
/// first object is complete, unless there are many thousands of objects. It is a warning, because files that the download replaces free space, and
/// some file systems compress.
/// </remarks>
/// <param name="progress">Receives the progress.</param>
/// <param name="folder">The target folder. It doesn't need to exist.</param>
/// <param name="freeBytes">The free space before the download began; null if it isn't known.</param>
/// <param name="warn">Shows the warning.</param>
internal sealed class FreeSpaceCheck(IProgress<TransferProgress> progress, string folder, long? freeBytes, Action<string> warn) : IProgress<TransferProgress>
{
    private bool _isDone;

    /// <summary>Gets the free space for files in a folder; null if it isn't known.</summary>
    public static long? FreeBytes(string folder)
    {
        try
        {
            string path = Path.GetFullPath(folder);
            while (!Directory.Exists(path) && Path.GetDirectoryName(path) is { } parent)
            {
                path = parent;
            }

            return new DriveInfo(OperatingSystem.IsWindows() ? Path.GetPathRoot(path)! : path).AvailableFreeSpace;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null; // network shares and some file systems don't report it
        }
    }

    public void Report(TransferProgress value)
    {
        // A download that has transferred everything did fit.
        if (!_isDone && value.TotalBytes is { } total && value.BytesTransferred < total)
        {
            _isDone = true;
            if (total - value.BytesResumed > freeBytes)
            {
                warn($"{ByteSize.Format(total)} may not fit in '{folder}', which has {ByteSize.Format(freeBytes.Value)} of free space");
            }
        }

        progress.Report(value);
    }
}
