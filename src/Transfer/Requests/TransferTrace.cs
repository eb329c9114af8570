using System.Diagnostics;

namespace Transfer.S3.Requests;

/// <summary>Reports one transfer to metrics and traces.</summary>
/// <param name="subject">What the transfer is about.</param>
/// <param name="meter">The instruments that count the transfer; null if there are none.</param>
/// <param name="isDirectory">Whether this is a transfer of many objects, each of which counts as a separate transfer.</param>
/// <param name="isPart">Whether it is part of another transfer, whose span and time include it.</param>
internal sealed class TransferTrace(TransferSubject subject, TransferMeter? meter, bool isDirectory, bool isPart)
{
    private Activity? _activity;

    /// <summary>Starts the span of the transfer, if there is a listener.</summary>
    /// <remarks>To be called by an asynchronous method, so that the span of the caller stays current for the caller.</remarks>
    public void Start() => _activity = isPart ? null : TransferActivity.StartTransfer(subject.Direction, isDirectory, subject.Bucket, subject.Key);

    /// <summary>Reports the end of the transfer.</summary>
    public void End(TransferReporter transfer, Exception? error)
    {
        if (!isDirectory)
        {
            meter?.AddObject(subject.Direction, error);
        }

        if (!isPart)
        {
            meter?.AddBottleneck(transfer, subject.Direction);
        }

        if (_activity is not null)
        {
            TransferActivity.EndTransfer(_activity, transfer, error);
        }
    }
}
