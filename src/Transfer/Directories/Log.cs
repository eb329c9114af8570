using Microsoft.Extensions.Logging;

namespace Transfer.S3.Directories;

/// <summary>Log messages of Directories: event ids 1600 to 1699.</summary>
internal static partial class Log
{
    [LoggerMessage(EventId = 1601, EventName = "NameNotDownloadable", Level = LogLevel.Warning,
        Message = "'{Path}' can be uploaded, but a directory download rejects its name: {Reason}. {Remedy}")]
    internal static partial void NameNotDownloadable(ILogger logger, string path, string reason, string remedy);

    [LoggerMessage(EventId = 1602, EventName = "NamesNotDownloadable", Level = LogLevel.Warning,
        Message = "A directory download rejects the names of {Count} uploaded files. Only the first one was logged")]
    internal static partial void NamesNotDownloadable(ILogger logger, long count);
}
