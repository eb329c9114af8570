namespace Transfer.S3.Files;

/// <summary>Flushes the name of a new file to disk, together with the names of the directories that were created for it.</summary>
internal sealed class NameFlush
{
    private readonly string _path;
    private readonly string? _oldestFolder;

    /// <summary>Records which directories exist. It must be called before any is created.</summary>
    public NameFlush(string path)
    {
        _path = path;
        string? folder = Path.GetDirectoryName(path);
        while (folder is not null && !Directory.Exists(folder))
        {
            folder = Path.GetDirectoryName(folder);
        }

        _oldestFolder = folder;
    }

    public void Run(IDiskFlush flush)
    {
        for (string? folder = Path.GetDirectoryName(_path); folder is not null; folder = Path.GetDirectoryName(folder))
        {
            flush.Folder(folder);
            if (folder == _oldestFolder)
            {
                return;
            }
        }
    }
}
