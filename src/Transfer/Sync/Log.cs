using Microsoft.Extensions.Logging;

namespace Transfer.S3.Sync;

/// <summary>Log messages of Sync: event ids 1800 to 1899.</summary>
internal static partial class Log
{
    [LoggerMessage(EventId = 1802, EventName = "NoSyncState", Level = LogLevel.Warning,
        Message = "The state of a synchronization can't be kept in '{Path}', so the next one compares everything again: {Reason}")]
    internal static partial void NoState(ILogger logger, string path, string reason);
}
