using Microsoft.Extensions.Logging;
using Transfer.S3.Concurrency;

namespace Transfer.S3.Requests;

/// <summary>Log messages of Requests: event IDs 1000 to 1199.</summary>
internal static partial class Log
{
    [LoggerMessage(EventId = 1001, EventName = "ListenerFailed", Level = LogLevel.Warning, Message = "A progress or event listener of s3://{Bucket}/{Key} threw an exception")]
    internal static partial void ListenerFailed(ILogger logger, string bucket, string key, Exception exception);

    [LoggerMessage(EventId = 1101, EventName = "Retrying", Level = LogLevel.Debug, Message = "A request failed ({Reason}) in attempt {Attempt}. It is retried in {DelayMs} ms")]
    internal static partial void Retrying(ILogger logger, string reason, int attempt, long delayMs);

    [LoggerMessage(EventId = 1105, EventName = "ClientStarted", Level = LogLevel.Information, Message = "Transfer client '{Client}' started with {Options}")]
    internal static partial void ClientStarted(ILogger logger, string client, string options);

    [LoggerMessage(EventId = 1103, EventName = "PlainHttp", Level = LogLevel.Warning,
        Message = "Requests are sent over plain HTTP. Anyone on the network path can read and change what is sent")]
    internal static partial void PlainHttp(ILogger logger);

    [LoggerMessage(EventId = 1107, EventName = "LinkIsBack", Level = LogLevel.Information, Message = "The store can be reached again. {Count} requests are sent again over new connections")]
    internal static partial void LinkIsBack(ILogger logger, int count);

    [LoggerMessage(EventId = 1106, EventName = "ConcurrencyStarted", Level = LogLevel.Debug, Message = "{Direction} concurrency {From} -> {To}, because nothing was measured yet")]
    internal static partial void ConcurrencyStarted(ILogger logger, RequestDirection direction, int from, int to);

    [LoggerMessage(EventId = 1104, EventName = "ConcurrencyChanged", Level = LogLevel.Debug,
        Message = "{Direction} concurrency {From} -> {To} ({Reason}): efficiency {Efficiency:0.00}, {InFlight:0.0} requests in flight, {MiBPerSecond:0} MiB/s, {Rejected} rejected")]
    internal static partial void ConcurrencyChanged(
        ILogger logger, RequestDirection direction, int from, int to, ConcurrencyReason reason, double efficiency, double inFlight, double miBPerSecond, int rejected);

    [LoggerMessage(EventId = 1108, EventName = "PartsNotReused", Level = LogLevel.Information,
        Message = "No parts of s3://{Bucket}/{Key} are reused, because {Reason}. All of it is transferred")]
    internal static partial void PartsNotReused(ILogger logger, string bucket, string key, string reason);

    [LoggerMessage(EventId = 1109, EventName = "PartsReused", Level = LogLevel.Information,
        Message = "{Reused} of {Parts} parts of s3://{Bucket}/{Key} are reused")]
    internal static partial void PartsReused(ILogger logger, int reused, int parts, string bucket, string key);
}
