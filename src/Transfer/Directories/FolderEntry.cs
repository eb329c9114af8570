namespace Transfer.Directories;

/// <summary>What a folder has in it.</summary>
/// <param name="Name">Its name there.</param>
/// <param name="IsFolder">Whether it is a folder.</param>
/// <param name="IsLink">Whether it is a link, whatever that leads to.</param>
/// <param name="Length">A file's bytes; 0 of all else.</param>
internal readonly record struct FolderEntry(string Name, bool IsFolder, bool IsLink, long Length);
