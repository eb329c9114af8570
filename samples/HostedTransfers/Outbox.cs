using System.Threading.Channels;

namespace HostedTransfers;

/// <summary>
/// A queue of files to upload. A file stays in the directory of the queue until it was uploaded, so the queue survives a restart and a crash. Only one process can use
/// the directory at a time.
/// </summary>
internal sealed class Outbox : IDisposable
{
    private readonly Channel<string> _files = Channel.CreateUnbounded<string>();
    private readonly string _directory;
    private readonly FileStream _lock;

    /// <summary>Opens the queue, with the files that an earlier run has left.</summary>
    /// <exception cref="IOException">Thrown when another process uses the directory.</exception>
    public Outbox(string directory)
    {
        _directory = Directory.CreateDirectory(directory).FullName;
        _lock = new FileStream(Path.Combine(_directory, ".lock"), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        foreach (string file in Directory.EnumerateFiles(_directory).Where(file => !Path.GetFileName(file).StartsWith('.')).Order(StringComparer.Ordinal))
        {
            _files.Writer.TryWrite(file);
        }
    }

    /// <summary>Moves a complete file into the directory and queues it. Call it from the application, for example from an endpoint.</summary>
    public void Add(string path)
    {
        string file = Path.Combine(_directory, Path.GetFileName(path));
        File.Move(path, file);
        if (!_files.Writer.TryWrite(file))
        {
            throw new InvalidOperationException("The queue was completed.");
        }
    }

    /// <summary>Ends the queue: the worker stops after the last file.</summary>
    public void Complete() => _files.Writer.TryComplete();

    public IAsyncEnumerable<string> ReadAllAsync(CancellationToken cancellationToken) => _files.Reader.ReadAllAsync(cancellationToken);

    /// <summary>Removes a file that was uploaded.</summary>
    public static void Remove(string file) => File.Delete(file);

    public void Dispose() => _lock.Dispose();
}
