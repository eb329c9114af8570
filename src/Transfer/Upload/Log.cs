using Microsoft.Extensions.Logging;

namespace Transfer.Upload;

/// <summary>Log messages of Upload: event ids 1300 to 1399.</summary>
internal static partial class Log
{
    [LoggerMessage(EventId = 1301, EventName = "AbortFailed", Level = LogLevel.Warning, Message = "The multipart upload {UploadId} of s3://{Bucket}/{Key} could not be aborted and stays open")]
    internal static partial void AbortFailed(ILogger logger, string bucket, string key, string uploadId, Exception exception);
}
