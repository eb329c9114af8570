using Microsoft.Extensions.Logging;

namespace Transfer.Directories;

/// <summary>Log messages of Directories: event ids 1600 to 1699.</summary>
internal static partial class Log
{
    [LoggerMessage(EventId = 1601, EventName = "NameNotDownloadable", Level = LogLevel.Warning,
        Message = "'{Path}' can be uploaded, but no directory download accepts its name: {Reason}. Download s3://{Bucket}/{Key} as a single object")]
    internal static partial void NameNotDownloadable(ILogger logger, string path, string bucket, string key, string reason);
}
