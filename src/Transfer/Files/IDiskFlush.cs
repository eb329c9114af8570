using Microsoft.Win32.SafeHandles;

namespace Transfer.Files;

/// <summary>Waits until the disk has what was written. A seam: nothing else shows a test when it is called.</summary>
internal interface IDiskFlush
{
    /// <summary>The file's content and its properties.</summary>
    void File(SafeFileHandle handle);

    /// <summary>The names in a folder.</summary>
    void Folder(string path);
}
