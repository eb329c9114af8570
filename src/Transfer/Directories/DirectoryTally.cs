using Transfer.Observability;
using Transfer.Scheduling;

namespace Transfer.Directories;

/// <summary>What a transfer of many objects has come to so far.</summary>
internal sealed class DirectoryTally(DirectoryOptions options, TransferReporter whole)
{
    private readonly Lock _gate = new();
    private readonly Lock _telling = new();
    private readonly List<ObjectOutcome> _failures = [];
    private long _objects;
    private long _bytes;
    private long _skipped;
    private long _failed;
    private long _verified;
    private long _found;
    private long _foundBytes;
    private bool _walked;

    /// <summary>An object that is to be moved.</summary>
    public void Found(long bytes)
    {
        lock (_gate)
        {
            _found++;
            _foundBytes += bytes;
        }
    }

    /// <summary>An object has another length than was found: it was replaced meanwhile.</summary>
    public void Resized(long by)
    {
        lock (_gate)
        {
            LeaveOut(-by);
        }
    }

    /// <summary>An object that can't be moved: it is one of all, and has ended.</summary>
    public void Refused(ObjectOutcome outcome)
    {
        Found(0);
        Ended(outcome);
    }

    /// <summary>There are no others: now the total is known.</summary>
    public void Walked()
    {
        lock (_gate)
        {
            _walked = true;
            whole.SetTotal(_foundBytes, null);
            whole.SetTotalObjects(_found);
        }
    }

    /// <summary>An object has ended. Where the first failure is to stop all, it is thrown.</summary>
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
                    break;
            }
        }

        Tell(outcome);
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
                Verified = _verified,
                Failed = _failed,
                Failures = [.. _failures],
                Requests = whole.Requests,
                Retries = whole.Retries,
                Hedged = whole.Hedged,
                Elapsed = whole.Elapsed,
                Times = whole.GetTimes(),
            };
        }
    }

    /// <summary>Bytes that need not be moved after all are not part of the total.</summary>
    private void LeaveOut(long bytes)
    {
        _foundBytes -= bytes;
        if (_walked)
        {
            whole.SetTotal(_foundBytes, null);
        }
    }

    private void Tell(ObjectOutcome outcome)
    {
        if (options.ObjectEnded is null)
        {
            return;
        }

        lock (_telling)
        {
            try
            {
                options.ObjectEnded(outcome);
            }
#pragma warning disable CA1031 // a listener's failure is not the transfer's
            catch (Exception e)
#pragma warning restore CA1031
            {
                whole.ListenerFailed(e);
            }
        }
    }
}
