namespace Transfer.Tests.Directories;

/// <summary>
/// Somebody who may write in a folder and puts links to another place where its folders and files are, and takes them away again, as fast as that goes.
/// </summary>
internal sealed class LinkSwaps : IAsyncDisposable
{
    private readonly string[] _paths;
    private readonly string _outside;
    private readonly Random _random;
    private readonly Task _swapping;
    private volatile bool _stop;
    private int _done;

    /// <param name="paths">What is swapped.</param>
    /// <param name="outside">Where the links lead: of a folder's there, of a file's to the file of that name in it.</param>
    /// <param name="seed">Decides the order.</param>
    public LinkSwaps(IEnumerable<string> paths, string outside, int seed)
    {
        _paths = [.. paths];
        _outside = outside;
        _random = new Random(seed);
        _swapping = Task.Factory.StartNew(Run, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    /// <summary>How often a link was put somewhere.</summary>
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
            Directory.Move(path, aside); // moves files as well
            Directory.CreateSymbolicLink(path, isFile ? Path.Combine(_outside, Path.GetFileName(path)) : _outside);
            Interlocked.Increment(ref _done);
        }
        catch (IOException)
        {
            // It is not there, or what is written in the folder was faster.
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
            // A new one was made meanwhile: both stay.
        }
    }
}
