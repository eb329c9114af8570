using Microsoft.Extensions.Logging;

namespace Transfer.S3.Observability;

/// <summary>Log messages of Observability: event ids 1000 to 1099.</summary>
internal static partial class Log
{
    [LoggerMessage(EventId = 1001, EventName = "ListenerFailed", Level = LogLevel.Warning, Message = "A progress or event listener of s3://{Bucket}/{Key} threw an exception")]
    internal static partial void ListenerFailed(ILogger logger, string bucket, string key, Exception exception);
}
