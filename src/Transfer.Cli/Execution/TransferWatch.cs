namespace Transfer.Cli.Execution;

/// <summary>Hands progress on to whoever shows it, and keeps count for the result.</summary>
internal sealed class TransferWatch(IProgress<TransferProgress> view, Tally tally) : IProgress<TransferProgress>
{
    public void Report(TransferProgress value)
    {
        tally.Bytes = value.BytesTransferred;
        tally.ResumedBytes = value.BytesResumed;
        tally.KeptBytes = value.BytesKept;
        tally.Requests = value.Requests;
        tally.Retries = value.Retries;
        tally.Hedged = value.Hedged;
        view.Report(value);
    }
}
