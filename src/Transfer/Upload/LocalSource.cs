using Transfer.S3.Files;

namespace Transfer.S3.Upload;

/// <summary>A local path as the source of an upload: a file, or a pipe or device that can only be read in order.</summary>
internal sealed class LocalSource : IAsyncDisposable
{
    /// <summary>The access with which others can read, change, and delete the file during the upload.</summary>
    public const FileShare AnyShare = FileShare.ReadWrite | FileShare.Delete;

    private readonly SourceFile _file;
    private readonly SequentialReader? _reader;

    private LocalSource(string path, SourceFile file, bool waits, long? length)
    {
        _file = file;
        _reader = file.IsFile ? null : SequentialReader.Start(file, path, waits);
        Source = _reader is null ? new FileSource(path, file) : new PipeSource(_reader.Reader, length);
    }

    public IUploadSource Source { get; }

    /// <summary>Opens any kind of entry.</summary>
    /// <exception cref="TransferException">Thrown when the path doesn't exist, is a directory, can't be read, or is open for exclusive writing.</exception>
    public static async ValueTask<LocalSource> OpenAsync(string path, UploadRequest request, CancellationToken cancellationToken)
    {
        try
        {
            if (Directory.Exists(path))
            {
                throw new TransferException($"'{path}' is a directory. Specify the file to upload.") { Bucket = request.Address.Bucket, Key = request.Address.Key };
            }

            SourceFile file = OperatingSystem.IsLinux() ? SourceFile.Open(path, request.SourceShare) : await OpenAsideAsync(path, request.SourceShare, cancellationToken).ConfigureAwait(false);
            return Create(path, file, waits: true, request.Length);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TransferException($"'{path}' could not be read: {e.Message}", e) { Bucket = request.Address.Bucket, Key = request.Address.Key };
        }
    }

    /// <summary>Opens a file under a directory. Other entries are not opened.</summary>
    /// <param name="path">The path.</param>
    /// <param name="root">The directory below which no link is followed; null to follow links.</param>
    /// <exception cref="IOException">Thrown when the path doesn't exist, isn't a file, or is open for exclusive writing.</exception>
    public static LocalSource OpenFile(string path, string? root) => Create(
        path, SourceFile.TryOpenFile(path, root, AnyShare) ?? throw new IOException("it is not a file, but a pipe, a device, or a directory."), waits: false, length: null);

    /// <summary>Gets what identifies the current state of the open file; null if it isn't a file, or on systems other than Linux.</summary>
    public FileIdentity? GetIdentity() => Source is FileSource ? FileIdentity.Of(_file.Handle) : null;

    public ValueTask DisposeAsync()
    {
        if (_reader is not null)
        {
            return _reader.DisposeAsync();
        }

        _file.Dispose();
        return ValueTask.CompletedTask;
    }

    private static LocalSource Create(string path, SourceFile file, bool waits, long? length)
    {
        try
        {
            return new LocalSource(path, file, waits, length);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Opens a path on a separate thread, because opening a named pipe waits for its writer, and the kind of the entry isn't known in advance.
    /// </summary>
    private static async Task<SourceFile> OpenAsideAsync(string path, FileShare share, CancellationToken cancellationToken)
    {
        Task<SourceFile> opening = Task.Factory.StartNew(
            () => SourceFile.Open(path, share), CancellationToken.None, TaskCreationOptions.LongRunning | TaskCreationOptions.DenyChildAttach, TaskScheduler.Default);
        try
        {
            return await opening.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            _ = opening.ContinueWith(
                static late => late.Result.Dispose(), CancellationToken.None, TaskContinuationOptions.OnlyOnRanToCompletion, TaskScheduler.Default);
            throw;
        }
    }
}
