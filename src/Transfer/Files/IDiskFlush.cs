using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Files;

/// <summary>Flushes data to disk. It is an interface because a test can't detect a flush in any other way.</summary>
internal interface IDiskFlush
{
    /// <summary>Flushes the content and the properties of a file.</summary>
    void File(SafeFileHandle handle);

    /// <summary>Flushes the names in a directory.</summary>
    void Folder(string path);
}
