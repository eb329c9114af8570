using System.Runtime.ExceptionServices;

namespace Transfer.Compatibility;

/// <summary>What a transfer of a directory has come to so far.</summary>
/// <param name="tell">Called with each step of a file's progress, one at a time, with the counts as they are then.</param>
internal sealed class DirectoryCount(Action<DirectoryCount, string, FileStep> tell)
{
    private readonly Lock _gate = new();
    private readonly List<Exception> _errors = [];
    private long _succeeded;

    /// <summary>Files that were found.</summary>
    public int Files { get; private set; }

    /// <summary>Their bytes.</summary>
    public long Bytes { get; private set; }

    /// <summary>Files whose last step was told.</summary>
    public int Ended { get; private set; }

    /// <summary>Bytes that were moved.</summary>
    public long Transferred { get; private set; }

    /// <summary>Files that are where they should be.</summary>
    public long Succeeded => Interlocked.Read(ref _succeeded);

    /// <summary>What failed and ended nothing else.</summary>
    public IList<Exception> Errors
    {
        get
        {
            lock (_gate)
            {
                return [.. _errors];
            }
        }
    }

    public Amazon.S3.Transfer.DirectoryResult Result(IList<Exception> errors)
        => errors.Count == 0 ? Amazon.S3.Transfer.DirectoryResult.Success
            : Succeeded > 0 ? Amazon.S3.Transfer.DirectoryResult.PartialSuccess
            : Amazon.S3.Transfer.DirectoryResult.Failure;

    public void Add(long bytes)
    {
        lock (_gate)
        {
            Files++;
            Bytes += bytes;
        }
    }

    public void Succeed() => Interlocked.Increment(ref _succeeded);

    /// <summary>A file has failed. Where that is to end all, it is thrown.</summary>
    public void Fail(Exception error, Amazon.S3.Transfer.FailurePolicy policy, CancellationToken cancellationToken)
    {
        if (policy != Amazon.S3.Transfer.FailurePolicy.ContinueOnFailure || (error is OperationCanceledException && cancellationToken.IsCancellationRequested))
        {
            ExceptionDispatchInfo.Throw(error);
        }

        lock (_gate)
        {
            _errors.Add(error);
        }
    }

    public void Step(string file, FileStep step)
    {
        lock (_gate)
        {
            Transferred += step.Increment;
            Ended += step.IsEnd ? 1 : 0;
            tell(this, file, step); // which only queues it: so they come in order
        }
    }
}
