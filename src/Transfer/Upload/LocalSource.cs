using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>A path on this machine as the source of an upload: a file, or a pipe or device that can only be read in order.</summary>
internal sealed class LocalSource : IDisposable
{
    private readonly IDisposable _opened;

    private LocalSource(IUploadSource source, IDisposable opened)
    {
        Source = source;
        _opened = opened;
    }

    public IUploadSource Source { get; }

    /// <exception cref="TransferException">The path is not there, is a folder, or can't be read.</exception>
    public static LocalSource Open(string path, ObjectAddress address)
    {
        try
        {
            if (Directory.Exists(path))
            {
                throw new TransferException($"'{path}' is a folder: name the file that is to be uploaded.") { Bucket = address.Bucket, Key = address.Key };
            }

            if (FileSource.TryOpen(path) is { } file)
            {
                return new LocalSource(file, file);
            }

            FileStream stream = new(path, new FileStreamOptions { Share = FileShare.ReadWrite | FileShare.Delete, BufferSize = 0 });
            return new LocalSource(new StreamSource(stream), stream);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TransferException($"'{path}' could not be read: {e.Message}", e) { Bucket = address.Bucket, Key = address.Key };
        }
    }

    public void Dispose() => _opened.Dispose();
}
