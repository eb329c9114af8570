using Microsoft.Extensions.Logging;

namespace Transfer.Wire;

/// <summary>Log messages of Wire: event IDs 1200 to 1299.</summary>
internal static partial class Log
{
    [LoggerMessage(EventId = 1202, EventName = "HttpClientTimeout", Level = LogLevel.Warning,
        Message = "The HttpClientFactory shares an HttpClient that has a Timeout of {Seconds} s. Requests that take longer fail, such as uploads of large parts over a slow "
            + "link. Set its Timeout to Timeout.InfiniteTimeSpan")]
    internal static partial void HttpClientTimeout(ILogger logger, double seconds);
}
