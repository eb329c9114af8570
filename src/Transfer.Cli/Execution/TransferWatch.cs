namespace Transfer.S3.Cli.Execution;

/// <summary>Passes progress on to the view, and counts it for the result.</summary>
internal sealed class TransferWatch(IProgress<TransferProgress> view, Tally tally) : IProgress<TransferProgress>
{
    public void Report(TransferProgress value)
    {
        tally.Bytes = value.BytesTransferred;
        tally.ResumedBytes = value.BytesResumed;
        tally.KeptBytes = value.BytesKept;
        tally.Requests = value.Requests;
        tally.Retries = value.Retries;
        tally.Hedged = value.HedgedRequests;
        view.Report(value);
    }
}
