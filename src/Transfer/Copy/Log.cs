using Microsoft.Extensions.Logging;

namespace Transfer.S3.Copy;

/// <summary>Log messages of Copy: event ids 1500 to 1599.</summary>
internal static partial class Log
{
    [LoggerMessage(EventId = 1501, EventName = "TagsNotCopied", Level = LogLevel.Information, Message = "The tags of s3://{Bucket}/{Key} could not be read and are not copied: {Reason}")]
    internal static partial void TagsNotCopied(ILogger logger, string bucket, string key, string reason);
}
