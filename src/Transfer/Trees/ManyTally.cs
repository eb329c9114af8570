using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>Counts the outcomes of an operation on many objects, and tells them to its listener.</summary>
/// <param name="onFailure">Whether a failure ends the operation.</param>
/// <param name="listener">Receives each outcome, except for what is the same on both sides; null for none.</param>
/// <param name="whole">Shows the progress.</param>
/// <param name="hasSizes">Whether the sizes of the objects are known before they end, so that there is a total size.</param>
internal sealed class ManyTally(FailurePolicy onFailure, Action<Outcome>? listener, TransferReporter whole, bool hasSizes = true)
{
    private readonly Lock _gate = new();
    private readonly SerialListener<Outcome> _listener = new(listener, whole);
    private readonly List<Outcome> _failures = [];
    private Counts _counts;
    private long _found;
    private long _foundBytes;
    private bool _isWalked;

    /// <summary>Gets or sets the number of targets that were not deleted because something failed.</summary>
    public long Withheld { get; set; }

    /// <summary>Gets or sets the number of objects that were uploaded and not published because something failed.</summary>
    public long Unpublished { get; set; }

    /// <summary>Gets or sets the time in which all objects were published; null if they weren't all at once.</summary>
    public TimeSpan? PublishWindow { get; set; }

    /// <summary>Gets a value that indicates whether something failed or was in conflict.</summary>
    public bool HasFailures
    {
        get
        {
            lock (_gate)
            {
                return _counts.Failed + _counts.Conflicts > 0;
            }
        }
    }

    /// <summary>Adds an object that has to be worked on to the total.</summary>
    public void Found(long bytes)
    {
        lock (_gate)
        {
            _found++;
            _foundBytes += bytes;
            ShowTotal();
        }
    }

    /// <summary>Shows the total after all objects were found.</summary>
    public void FoundAll()
    {
        lock (_gate)
        {
            _isWalked = true;
            ShowTotal();
        }
    }

    /// <summary>Corrects the total for an object whose length has changed since it was listed.</summary>
    public void Resized(long by)
    {
        lock (_gate)
        {
            _foundBytes += by;
            ShowTotal();
        }
    }

    /// <summary>Counts an object that was not found before because nothing has to be, or can be, done for it. It is part of the total.</summary>
    public void Refused(Outcome outcome)
    {
        Found(0);
        Ended(outcome);
    }

    /// <summary>Counts an object that was found and has ended. If it is a failure that stops the operation, it is thrown.</summary>
    public void Ended(Outcome outcome)
    {
        whole.AddObject();
        if (outcome.Status is OutcomeStatus.Skipped or OutcomeStatus.Archived or OutcomeStatus.Restoring)
        {
            Resized(-outcome.Bytes);
        }

        Note(outcome);
    }

    /// <summary>Counts an outcome that isn't part of the total. If it is a failure that stops the operation, it is thrown.</summary>
    public void Note(Outcome outcome)
    {
        Counts one = Counts.Of(outcome);
        lock (_gate)
        {
            _counts += one;
            if (!one.IsComplete && _failures.Count < TransferDefaults.MaxKeptFailures)
            {
                _failures.Add(outcome);
            }
        }

        if (outcome.Status != OutcomeStatus.Same)
        {
            _listener.Tell(outcome);
        }

        if (outcome.Status is OutcomeStatus.Failed or OutcomeStatus.Conflict && (onFailure == FailurePolicy.Abort || UsageLimit.IsCauseOf(outcome.Error)))
        {
            throw outcome.Error!;
        }
    }

    /// <param name="reading">The call at the source, if it is another one.</param>
    public DirectoryResult ToResult(TransferReporter? reading = null)
    {
        lock (_gate)
        {
            _failures.Sort(static (x, y) => KeyOrder.Instance.Compare(x.Name, y.Name));
            return new DirectoryResult
            {
                Counts = _counts with { Withheld = Withheld, Unpublished = Unpublished },
                PublishWindow = PublishWindow,
                Failures = _failures.AsReadOnly(),
                Statistics = whole.GetStatistics(reading == whole ? null : reading),
            };
        }
    }

    private void ShowTotal()
    {
        if (_isWalked)
        {
            whole.SetTotalObjects(_found);
            if (hasSizes)
            {
                whole.SetTotal(_foundBytes, null);
            }
        }
    }
}
