using Microsoft.Extensions.Logging;

namespace Transfer.Wire;

/// <summary>Log messages of Wire: event ids 1200 to 1299.</summary>
internal static partial class Log
{
    [LoggerMessage(EventId = 1201, EventName = "ChecksumModeRejected", Level = LogLevel.Information,
        Message = "The store rejects x-amz-checksum-mode ({Reason}). Later requests are sent without it")]
    internal static partial void ChecksumModeRejected(ILogger logger, string reason);
}
