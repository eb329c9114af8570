using Microsoft.Extensions.Logging;

namespace Transfer.S3.Resume;

/// <summary>Log messages of Resume: event ids 1400 to 1499.</summary>
internal static partial class Log
{
    [LoggerMessage(EventId = 1401, EventName = "JournalFull", Level = LogLevel.Warning,
        Message = "The journal of the download of s3://{Bucket}/{Key} is full after {Bytes} bytes. If the download is interrupted, the parts that arrive from now on are "
            + "downloaded again. Increase the part size to avoid this")]
    internal static partial void JournalFull(ILogger logger, string bucket, string key, long bytes);
}
