namespace Transfer.Cli.Commands;

/// <summary>An upload from a stream does not know its end; whoever opened the stream does.</summary>
internal sealed class KnownTotal(IProgress<TransferProgress> inner, long totalBytes) : IProgress<TransferProgress>
{
    public void Report(TransferProgress value) => inner.Report(value with { TotalBytes = totalBytes });
}
