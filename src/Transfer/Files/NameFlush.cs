namespace Transfer.Files;

/// <summary>Puts a new file's name on the disk, and with it those of the folders that were made for it.</summary>
internal sealed class NameFlush
{
    private readonly string _path;
    private readonly string? _oldestFolder;

    /// <summary>Remembers which folders are there; before any is made.</summary>
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
