using System.Runtime.ExceptionServices;
using Transfer.S3.Requests;

namespace Transfer.S3.TransferUtility;

/// <summary>Counts the files of a directory transfer.</summary>
/// <param name="tell">Called for each step of a file's progress, one at a time, with the current counts.</param>
internal sealed class DirectoryCount(Action<DirectoryCount, string, FileStep> tell)
{
    private readonly Lock _gate = new();
    private readonly List<Exception> _errors = [];
    private long _succeeded;

    /// <summary>Gets the number of files that were found.</summary>
    public int Files { get; private set; }

    /// <summary>Gets the size of these files, in bytes.</summary>
    public long Bytes { get; private set; }

    /// <summary>Gets the number of files whose last step was reported.</summary>
    public int Ended { get; private set; }

    /// <summary>Gets the number of bytes that were transferred.</summary>
    public long Transferred { get; private set; }

    /// <summary>Gets the number of files that were transferred successfully.</summary>
    public long Succeeded => Interlocked.Read(ref _succeeded);

    /// <summary>Gets the first errors that didn't stop the transfer.</summary>
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

    /// <summary>Records the error of a file. If it must stop the transfer, it is thrown.</summary>
    public void Fail(Exception error, Amazon.S3.Transfer.FailurePolicy policy, CancellationToken cancellationToken)
    {
        if (policy != Amazon.S3.Transfer.FailurePolicy.ContinueOnFailure || (error is OperationCanceledException && cancellationToken.IsCancellationRequested))
        {
            ExceptionDispatchInfo.Throw(error);
        }

        lock (_gate)
        {
            if (_errors.Count < TransferDefaults.MaxKeptFailures)
            {
                _errors.Add(error);
            }
        }
    }

    public void Step(string file, FileStep step)
    {
        lock (_gate)
        {
            Transferred += step.Increment;
            Ended += step.IsEnd ? 1 : 0;
            tell(this, file, step); // this only queues the event, so events stay in order
        }
    }
}
