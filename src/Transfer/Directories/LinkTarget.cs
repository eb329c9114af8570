namespace Transfer.Directories;

/// <summary>What a link leads to.</summary>
/// <param name="IsFolder">Whether that is a folder.</param>
/// <param name="Length">A file's bytes.</param>
/// <param name="Error">Why it can't be followed; null where it can.</param>
internal readonly record struct LinkTarget(bool IsFolder, long Length, Exception? Error = null);
