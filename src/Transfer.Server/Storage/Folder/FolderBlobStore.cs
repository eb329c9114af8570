using System.Buffers;
using Microsoft.Extensions.Logging;
using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Server.Storage.Folder;

/// <summary>Stores the bytes of uploads in files.</summary>
internal sealed class FolderBlobStore(FolderLayout layout, ILogger logger) : IBlobStore
{
    public const int BufferBytes = 256 << 10;
    private const int BuffersKept = 64;

    public bool KeepsBytes => true;

    /// <summary>Gets a pool that belongs to the server, so that its reads don't displace arrays in the shared pool of the process.</summary>
    public ArrayPool<byte> Buffers { get; } = ArrayPool<byte>.Create(BufferBytes, BuffersKept);

    public IBlobWriter CreateWriter(long length) => new FolderBlobWriter(this);

    public SafeFileHandle OpenWrite(string id)
    {
        string path = layout.DataFile(id);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        return File.OpenHandle(path, FileMode.CreateNew, FileAccess.Write, FileShare.None, FileOptions.Asynchronous);
    }

    public SafeFileHandle OpenRead(string id) =>
        File.OpenHandle(layout.DataFile(id), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, FileOptions.Asynchronous);

    public void Delete(string id)
    {
        string path = layout.DataFile(id);
        try
        {
            File.Delete(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            Log.FileLeftBehind(logger, exception, path); // no record refers to the file, so the next start removes it
        }
    }
}
