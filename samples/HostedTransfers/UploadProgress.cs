using Microsoft.Extensions.Logging;
using Transfer.S3;

namespace HostedTransfers;

/// <summary>Logs the progress of an upload, at the interval <see cref="TransferClientOptions.ProgressInterval"/>. The client makes one call at a time.</summary>
internal sealed partial class UploadProgress(ILogger logger, string file) : IProgress<TransferProgress>
{
    /// <summary>Gets the number of bytes that the next run doesn't have to send again. It is known after the upload was interrupted.</summary>
    public long BytesKept { get; private set; }

    public void Report(TransferProgress value)
    {
        BytesKept = value.BytesKept;
        Progressed(file, value.BytesTransferred, value.TotalBytes, value.BytesConfirmed, value.BytesPerSecond / 1e6);
    }

    [LoggerMessage(1, LogLevel.Information, "{File}: {Bytes:N0} of {Total:N0} bytes, {Confirmed:N0} confirmed, {Rate:N1} MB/s")]
    private partial void Progressed(string file, long bytes, long? total, long confirmed, double rate);
}
