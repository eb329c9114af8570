using Transfer.S3.Observability;
using Transfer.S3.Scheduling;
using Transfer.S3.Wire;

namespace Transfer.S3.Directories;

/// <summary>Counts the objects of a transfer of many objects.</summary>
internal sealed class DirectoryProgress(DirectoryOptions options, TransferReporter whole)
{
    private readonly Lock _gate = new();
    private readonly SerialListener<ObjectOutcome> _listener = new(options.ObjectEnded, whole);
    private readonly List<ObjectOutcome> _failures = [];
    private long _objects;
    private long _bytes;
    private long _skipped;
    private long _archived;
    private long _restoring;
    private long _failed;
    private long _verified;
    private long _withLosses;
    private long _found;
    private long _foundBytes;
    private bool _walked;

    /// <summary>Counts an object that will be transferred.</summary>
    public void Found(long bytes)
    {
        lock (_gate)
        {
            _found++;
            _foundBytes += bytes;
        }
    }

    /// <summary>Corrects the total for an object whose length has changed since it was listed.</summary>
    public void Resized(long by)
    {
        lock (_gate)
        {
            LeaveOut(-by);
        }
    }

    /// <summary>Counts an object that can't be transferred. It is part of the total.</summary>
    public void Refused(ObjectOutcome outcome)
    {
        Found(0);
        Ended(outcome);
    }

    /// <summary>Counts an object that the store listed, or a list contains, although it isn't under the prefix.</summary>
    public void NotUnder(ListQuery query, ListedObject item) => Refused(new ObjectOutcome
    {
        Status = ObjectStatus.Failed,
        Key = item.Key,
        Bytes = item.Length,
        Error = options.Keys is null ? ObjectListing.NotUnder(query, item) : SelectedObjects.NotUnder(query, item),
    });

    /// <summary>Sets the total after all objects were found.</summary>
    public void FoundAll()
    {
        lock (_gate)
        {
            _walked = true;
            SetTotal();
            whole.SetTotalObjects(_found);
        }
    }

    /// <summary>Counts an object that has ended. If it is a failure that stops the transfer, it is thrown.</summary>
    public void Ended(ObjectOutcome outcome)
    {
        whole.AddObject();
        lock (_gate)
        {
            switch (outcome.Status)
            {
                case ObjectStatus.Skipped:
                    _skipped++;
                    LeaveOut(outcome.Bytes);
                    break;
                case ObjectStatus.Archived:
                    _archived++;
                    LeaveOut(outcome.Bytes);
                    break;
                case ObjectStatus.Restoring:
                    _restoring++;
                    LeaveOut(outcome.Bytes);
                    break;
                case ObjectStatus.Failed when options.OnFailure == FailurePolicy.Continue:
                    _failed++;
                    if (_failures.Count < TransferDefaults.MaxKeptFailures)
                    {
                        _failures.Add(outcome);
                    }

                    break;
                case ObjectStatus.Failed:
                    break;
                default:
                    _objects++;
                    _bytes += outcome.Bytes;
                    _verified += outcome.Verdict is { IsVerified: true } ? 1 : 0;
                    _withLosses += outcome.LostProperties.Count > 0 ? 1 : 0;
                    break;
            }
        }

        _listener.Tell(outcome);
        if (outcome.Status == ObjectStatus.Failed && options.OnFailure == FailurePolicy.Abort)
        {
            throw outcome.Error!;
        }
    }

    public DirectoryResult ToResult()
    {
        lock (_gate)
        {
            return new DirectoryResult
            {
                Objects = _objects,
                Bytes = _bytes,
                Skipped = _skipped,
                Archived = _archived,
                Restoring = _restoring,
                Verified = _verified,
                WithLostProperties = _withLosses,
                FailedCount = _failed,
                Failures = [.. _failures],
                Statistics = whole.GetStatistics(),
            };
        }
    }

    /// <summary>Removes bytes that don't have to be transferred from the total.</summary>
    private void LeaveOut(long bytes)
    {
        _foundBytes -= bytes;
        if (_walked)
        {
            SetTotal();
        }
    }

    /// <summary>Sets the total size, unless a list of keys leaves it unknown.</summary>
    private void SetTotal()
    {
        if (options.Keys is null)
        {
            whole.SetTotal(_foundBytes, null);
        }
    }
}
