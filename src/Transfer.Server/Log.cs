using Microsoft.Extensions.Logging;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server;

/// <summary>Log messages of the server. Ids 9000 to 9099; names are never changed.</summary>
internal static partial class Log
{
    [LoggerMessage(EventId = 9001, EventName = "ServerStarted", Level = LogLevel.Information, Message = "The S3 server is listening on {Endpoint}")]
    internal static partial void ServerStarted(ILogger logger, Uri endpoint);

    [LoggerMessage(EventId = 9002, EventName = "RequestAnswered", Level = LogLevel.Debug,
        Message = "{Operation} {Method} s3://{Bucket}/{Key}: {Status} {ErrorCode} (request {RequestId})")]
    internal static partial void RequestAnswered(
        ILogger logger, S3Operation operation, string method, string? bucket, string? key, int status, string? errorCode, string requestId);

    [LoggerMessage(EventId = 9003, EventName = "RequestFailed", Level = LogLevel.Error, Message = "{Operation} failed (request {RequestId})")]
    internal static partial void RequestFailed(ILogger logger, Exception exception, S3Operation operation, string requestId);

    [LoggerMessage(EventId = 9004, EventName = "FileLeftBehind", Level = LogLevel.Warning,
        Message = "Could not delete {Path}. The next start tries again")]
    internal static partial void FileLeftBehind(ILogger logger, Exception exception, string path);
}
