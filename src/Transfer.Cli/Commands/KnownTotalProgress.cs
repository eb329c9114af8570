namespace Transfer.Cli.Commands;

/// <summary>Adds the total to the progress of an upload from a stream, whose length the upload doesn't know.</summary>
internal sealed class KnownTotalProgress(IProgress<TransferProgress> inner, long totalBytes) : IProgress<TransferProgress>
{
    public void Report(TransferProgress value) => inner.Report(value with { TotalBytes = totalBytes });
}
