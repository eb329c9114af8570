using Microsoft.Extensions.Logging;

namespace Transfer.Scheduling;

/// <summary>Log messages of Scheduling: event ids 1100 to 1199.</summary>
internal static partial class Log
{
    [LoggerMessage(EventId = 1101, EventName = "Retrying", Level = LogLevel.Debug, Message = "A request failed ({Reason}): attempt {Attempt}, next in {DelayMs} ms")]
    internal static partial void Retrying(ILogger logger, string reason, int attempt, long delayMs);

    [LoggerMessage(EventId = 1102, EventName = "FromEnvironment", Level = LogLevel.Information, Message = "{Variable} is {Value}: taken from the environment")]
    internal static partial void FromEnvironment(ILogger logger, string variable, string value);

    [LoggerMessage(EventId = 1103, EventName = "PlainHttp", Level = LogLevel.Warning,
        Message = "The store is asked over plain http: anybody on the way to it can read and change what is sent")]
    internal static partial void PlainHttp(ILogger logger);
}
