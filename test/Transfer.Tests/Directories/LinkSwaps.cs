namespace Transfer.S3.Tests.Directories;

/// <summary>
/// Simulates an attacker with write access to a folder, who replaces its folders and files with links and restores them, as fast as possible.
/// </summary>
internal sealed class LinkSwaps : IAsyncDisposable
{
    private readonly string[] _paths;
    private readonly string _outside;
    private readonly Random _random;
    private readonly Task _swapping;
    private volatile bool _stop;
    private int _done;

    /// <param name="paths">The paths to replace.</param>
    /// <param name="outside">The target of the links: this folder for a folder, or the file of the same name in it for a file.</param>
    /// <param name="seed">The seed of the order.</param>
    public LinkSwaps(IEnumerable<string> paths, string outside, int seed)
    {
        _paths = [.. paths];
        _outside = outside;
        _random = new Random(seed);
        _swapping = Task.Factory.StartNew(Run, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    /// <summary>Gets the number of links created so far.</summary>
    public int Done => Volatile.Read(ref _done);

    public async ValueTask DisposeAsync()
    {
        _stop = true;
        await _swapping;
    }

    private void Run()
    {
        while (!_stop)
        {
            Swap(_paths[_random.Next(_paths.Length)]);
        }
    }

    private void Swap(string path)
    {
        string aside = path + ".aside";
        try
        {
            bool isFile = File.Exists(path);
            Directory.Move(path, aside); // also moves files
            Directory.CreateSymbolicLink(path, isFile ? Path.Combine(_outside, Path.GetFileName(path)) : _outside);
            Interlocked.Increment(ref _done);
        }
        catch (IOException)
        {
            // The path doesn't exist, or the transfer created it first.
        }

        try
        {
            if (new FileInfo(path).LinkTarget is not null)
            {
                File.Delete(path);
            }

            Directory.Move(aside, path);
        }
        catch (IOException)
        {
            // A new file was created meanwhile. Both stay.
        }
    }
}
