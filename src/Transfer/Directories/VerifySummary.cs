using Transfer.S3.Observability;
using Transfer.S3.Scheduling;
using Transfer.S3.Wire;

namespace Transfer.S3.Directories;

/// <summary>Counts the results of a comparison of many objects.</summary>
internal sealed class VerifySummary(VerifyDirectoryOptions options, TransferReporter whole)
{
    private readonly Lock _gate = new();
    private readonly SerialListener<ObjectDifference> _listener = new(options.DifferenceFound, whole);
    private readonly List<ObjectDifference> _differences = [];
    private readonly long[] _counts = new long[Enum.GetValues<DifferenceKind>().Length];
    private long _same;
    private long _bytes;
    private long _found;
    private long _foundBytes;

    /// <summary>Counts a file or an object that was found.</summary>
    /// <param name="bytes">The size of a file that has an object to compare with, in bytes.</param>
    public void Found(long bytes = 0)
    {
        lock (_gate)
        {
            _found++;
            _foundBytes += bytes;
        }
    }

    /// <summary>Sets the total after everything was found.</summary>
    public void FoundAll()
    {
        lock (_gate)
        {
            whole.SetTotal(_foundBytes, null);
            whole.SetTotalObjects(_found);
        }
    }

    /// <summary>Counts the bytes of a file that were compared.</summary>
    public void Compared(long bytes)
    {
        lock (_gate)
        {
            _bytes += bytes;
        }
    }

    public void Same()
    {
        whole.AddObject();
        lock (_gate)
        {
            _same++;
        }
    }

    public void Differs(ObjectDifference difference)
    {
        whole.AddObject();
        lock (_gate)
        {
            _counts[(int)difference.Kind]++;
            if (_differences.Count < TransferDefaults.MaxKeptFailures)
            {
                _differences.Add(difference);
            }
        }

        _listener.Tell(difference);
    }

    public VerifyDirectoryResult ToResult()
    {
        lock (_gate)
        {
            _differences.Sort(static (x, y) => KeyOrder.Instance.Compare(x.Key, y.Key));
            return new VerifyDirectoryResult
            {
                Same = _same,
                Different = _counts[(int)DifferenceKind.Different],
                MissingLocally = _counts[(int)DifferenceKind.MissingLocally],
                MissingInStore = _counts[(int)DifferenceKind.MissingInStore],
                NotCompared = _counts[(int)DifferenceKind.NotCompared],
                Failed = _counts[(int)DifferenceKind.Failed],
                Differences = _differences.AsReadOnly(),
                Bytes = _bytes,
                Statistics = whole.GetStatistics(),
            };
        }
    }
}
