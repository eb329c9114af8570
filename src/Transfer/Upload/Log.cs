using Microsoft.Extensions.Logging;

namespace Transfer.S3.Upload;

/// <summary>Log messages of Upload: event ids 1300 to 1399.</summary>
internal static partial class Log
{
    [LoggerMessage(EventId = 1301, EventName = "AbortFailed", Level = LogLevel.Warning, Message = "The multipart upload {UploadId} of s3://{Bucket}/{Key} could not be aborted and stays open")]
    internal static partial void AbortFailed(ILogger logger, string bucket, string key, string uploadId, Exception exception);

    [LoggerMessage(EventId = 1302, EventName = "PartsGrown", Level = LogLevel.Information,
        Message = "s3://{Bucket}/{Key} is uploaded in parts of {PartBytes} bytes, because {MaxParts} parts of {AskedBytes} bytes would be too small")]
    internal static partial void PartsGrown(ILogger logger, string bucket, string key, long partBytes, long askedBytes, int maxParts);

    [LoggerMessage(EventId = 1307, EventName = "UploadMayBeOpen", Level = LogLevel.Warning,
        Message = "The response to the creation of a multipart upload of s3://{Bucket}/{Key} was lost. The store may keep an open upload whose ID is unknown")]
    internal static partial void UploadMayBeOpen(ILogger logger, string bucket, string key);

    [LoggerMessage(EventId = 1304, EventName = "NoJournal", Level = LogLevel.Information,
        Message = "No journal can be written in '{Folder}'. Interrupted uploads will start again from the beginning")]
    internal static partial void NoJournal(ILogger logger, string folder, Exception? exception);

    [LoggerMessage(EventId = 1305, EventName = "UploadResumed", Level = LogLevel.Information,
        Message = "The upload of s3://{Bucket}/{Key} is resumed. The store has {Parts} of its parts")]
    internal static partial void UploadResumed(ILogger logger, string bucket, string key, int parts);

    [LoggerMessage(EventId = 1306, EventName = "UploadStartsAgain", Level = LogLevel.Information,
        Message = "The upload of s3://{Bucket}/{Key} starts again from the beginning: {Reason}")]
    internal static partial void UploadStartsAgain(ILogger logger, string bucket, string key, string reason);

    [LoggerMessage(EventId = 1308, EventName = "PartsNotListed", Level = LogLevel.Information,
        Message = "The store does not list the parts of the earlier upload of s3://{Bucket}/{Key} ({Reason}). The upload is resumed with the parts in the journal")]
    internal static partial void PartsNotListed(ILogger logger, string bucket, string key, string reason);

    [LoggerMessage(EventId = 1309, EventName = "UnknownLength", Level = LogLevel.Information,
        Message = "The length of s3://{Bucket}/{Key} is not known. Its parts start with {PartBytes} bytes, and the object can have at most {MostBytes} bytes")]
    internal static partial void UnknownLength(ILogger logger, string bucket, string key, long partBytes, long mostBytes);

    [LoggerMessage(EventId = 1310, EventName = "PartsRunOut", Level = LogLevel.Warning,
        Message = "The upload of s3://{Bucket}/{Key} has used half of its parts after {Bytes} bytes. The remaining parts have {PartBytes} bytes each, and the upload fails "
            + "if the object is larger than {MostBytes} bytes. Increase the part size or the memory to raise that limit")]
    internal static partial void PartsRunOut(ILogger logger, string bucket, string key, long bytes, long partBytes, long mostBytes);

    [LoggerMessage(EventId = 1311, EventName = "MatchIgnored", Level = LogLevel.Warning,
        Message = "The store of s3://{Bucket} ignores If-Match. A HEAD request before the upload compares the ETag. An object that another writer replaces between the two requests is lost")]
    internal static partial void MatchIgnored(ILogger logger, string bucket);

    [LoggerMessage(EventId = 1312, EventName = "NotCompleted", Level = LogLevel.Warning,
        Message = "The stream that writes s3://{Bucket}/{Key} was disposed without a call of CompleteAsync. No object was published, and its {Bytes} bytes were discarded")]
    internal static partial void NotCompleted(ILogger logger, string bucket, string key, long bytes);
}
