namespace Transfer.S3.Tests.Infrastructure;

/// <summary>Adds each report to a list, on the thread that makes it.</summary>
internal sealed class RecordedProgress(List<TransferProgress> reports) : IProgress<TransferProgress>
{
    public void Report(TransferProgress value) => reports.Add(value);
}
