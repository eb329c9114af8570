using System.Diagnostics;

namespace Transfer.S3.Observability;

/// <content>Metrics and traces of the transfer.</content>
internal sealed partial class TransferReporter
{
    private Activity? _activity;

    /// <summary>Gets the instruments that count the transfer; null if there are none.</summary>
    public TransferMeter? Meter { get; init; }

    /// <summary>Gets a value that indicates whether metrics and traces count the call as a transfer.</summary>
    public bool IsTransfer { get; init; }

    /// <summary>Gets a value that indicates whether this is a transfer of many objects, each of which counts as a separate transfer.</summary>
    public bool IsDirectory { get; init; }

    /// <summary>Starts the span of the transfer, if there is a listener. The objects of a directory have no spans.</summary>
    /// <remarks>To be called by an asynchronous method, so that the span of the caller stays current for the caller.</remarks>
    public void StartActivity() => _activity = _whole is null && IsTransfer ? TransferActivity.StartTransfer(_direction, IsDirectory, _bucket, _key) : null;

    /// <summary>Reports the end of the transfer to metrics and traces.</summary>
    private void ReportEnd(Exception? error)
    {
        if (IsTransfer && !IsDirectory)
        {
            Meter?.AddObject(_direction, error);
        }

        if (IsTransfer && _whole is null)
        {
            Meter?.AddBottleneck(this, _direction);
        }

        if (_activity is not null)
        {
            TransferActivity.EndTransfer(_activity, this, error);
        }
    }
}
