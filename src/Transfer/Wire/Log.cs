using Microsoft.Extensions.Logging;

namespace Transfer.S3.Wire;

/// <summary>Log messages of Wire: event IDs 1200 to 1299.</summary>
internal static partial class Log
{
    [LoggerMessage(EventId = 1202, EventName = "HttpClientTimeout", Level = LogLevel.Warning,
        Message = "The HttpClientFactory shares an HttpClient that has a Timeout of {Seconds} s. Requests that take longer fail, such as uploads of large parts over a slow "
            + "link. Set its Timeout to Timeout.InfiniteTimeSpan")]
    internal static partial void HttpClientTimeout(ILogger logger, double seconds);

    [LoggerMessage(EventId = 1203, EventName = "BucketInEndpoint", Level = LogLevel.Warning,
        Message = "The endpoint {Endpoint} seems to contain the bucket '{Bucket}'. The store then takes '{Bucket}/' for the beginning of each key. Use the endpoint without it")]
    internal static partial void BucketInEndpoint(ILogger logger, string endpoint, string bucket);

    [LoggerMessage(EventId = 1204, EventName = "RedirectToHttps", Level = LogLevel.Warning,
        Message = "The endpoint {From} redirects to {To}. Use {To} as the endpoint, so that no request is sent over plain HTTP")]
    internal static partial void RedirectToHttps(ILogger logger, string from, string to);

    [LoggerMessage(EventId = 1205, EventName = "HttpClientFactory", Level = LogLevel.Information,
        Message = "The client's HttpClientFactory ({Factory}) provides the connections. So requests don't use the connections of the library, which receive data without copying "
            + "it and choose among the addresses of the store. Without the factory, transfers take less CPU time")]
    internal static partial void HttpClientFactory(ILogger logger, string factory);

    [LoggerMessage(EventId = 1206, EventName = "SdkMemberMissing", Level = LogLevel.Warning, Message = "Requests are sent by the AWS SDK, which is slower: {Reason}")]
    internal static partial void SdkMemberMissing(ILogger logger, string reason);
}
