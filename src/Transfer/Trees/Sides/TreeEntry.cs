using Transfer.S3.Files;

namespace Transfer.S3.Trees;

/// <summary>A file, a folder, or an object on one side.</summary>
/// <param name="Name">The path relative to the side, with slashes. The name of a folder, and of an object that represents one, ends in a slash.</param>
/// <param name="Length">The size, in bytes.</param>
internal sealed record TreeEntry(string Name, long Length)
{
    /// <summary>Gets a value that indicates whether the size is known. It isn't for an object of a list of keys that doesn't tell it.</summary>
    public bool HasLength { get; init; } = true;

    /// <summary>Gets the path of a file or folder; null for an object.</summary>
    public string? Path { get; init; }

    /// <summary>Gets the ETag of an object in the listing; null for a file.</summary>
    public string? ETag { get; init; }

    /// <summary>Gets the ID of the version of an object that a list of keys names, or that was the one of a time; null for the current one.</summary>
    public string? VersionId { get; init; }

    /// <summary>Gets the last-write time of a file, or the last-modified time of an object that is to be deleted, in UTC ticks; 0 if it isn't known.</summary>
    public long LastWrite { get; init; }

    /// <summary>Gets the state in which a file has to be when it is replaced or deleted; null for an object, and if only its size and its last-write time are known.</summary>
    public FileIdentity? State { get; init; }

    /// <summary>Gets the mark of a regular file when its directory was read; null for an object, and if it isn't known.</summary>
    public SyncMark? Mark => SyncMark.OfFile(State);

    /// <summary>Gets the state in which a file has to be when it is read; null for any.</summary>
    public FileIdentity? Pin { get; init; }

    /// <summary>Gets the object in the listing; null for a file.</summary>
    public ListedObject? Listed { get; init; }

    /// <summary>Gets the reason why the entry can't be read; null if it can.</summary>
    public Exception? Error { get; init; }

    /// <summary>Gets a value that indicates whether the entry is a link that isn't followed, or leads nowhere.</summary>
    public bool IsLink => LeftOut is LeftOut.Link or LeftOut.DanglingLink;

    /// <summary>Gets a value that indicates whether the entry isn't content: a file of a transfer, or one that the program writes itself.</summary>
    public bool IsLeftOut => LeftOut is LeftOut.TransferFile or LeftOut.OwnFile;

    /// <summary>Gets why the entry isn't content.</summary>
    public LeftOut LeftOut { get; init; }

    /// <summary>Gets a value that indicates whether the entry is a local directory in which nothing is.</summary>
    public bool IsEmptyFolder { get; init; }

    public bool HasFolderName => Name.EndsWith('/');

    /// <summary>Gets a value that indicates whether the entry is a local directory.</summary>
    public bool IsFolder => Path is not null && HasFolderName;
}
