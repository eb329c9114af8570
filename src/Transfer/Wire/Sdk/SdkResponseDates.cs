using System.Globalization;
using System.Runtime.CompilerServices;
using Amazon.Runtime;
using Amazon.S3;

namespace Transfer.S3.Wire.Sdk;

/// <summary>Reads the Date headers of the SDK's responses. The SDK's response objects don't contain headers, but an event of its client does.</summary>
internal static class SdkResponseDates
{
    private static readonly object Gate = new();
    private static readonly ConditionalWeakTable<AmazonServiceClient, object> Subscribed = [];
    private static readonly ConditionalWeakTable<AmazonWebServiceRequest, StrongBox<DateTimeOffset?>> Dates = [];

    /// <summary>Records the date of the response to a request that is about to be sent.</summary>
    /// <returns>
    /// A function that returns the date; null if the response has none, or if the client isn't based on the SDK's client, such as a mock or a decorator.
    /// </returns>
    public static Func<DateTimeOffset?> Watch(IAmazonS3 s3, AmazonWebServiceRequest request)
    {
        if (s3 is not AmazonServiceClient client)
        {
            return static () => null;
        }

        lock (Gate)
        {
            // The handler is added once and never removed. The SDK reads its event twice for each response, so removing the handler in between would fail a
            // request of the caller.
            if (Subscribed.TryAdd(client, Gate))
            {
                client.AfterResponseEvent += OnAnswer;
            }
        }

        StrongBox<DateTimeOffset?> date = new();
        Dates.Add(request, date);
        return () => date.Value;
    }

    private static void OnAnswer(object sender, ResponseEventArgs e)
    {
        if (e is WebServiceResponseEventArgs { Request: { } request, ResponseHeaders: { } headers }
            && Dates.TryGetValue(request, out StrongBox<DateTimeOffset?>? date)
            && headers.TryGetValue("Date", out string? text)
            && DateTimeOffset.TryParseExact(text, "r", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time))
        {
            date.Value = HttpTime.OfStore(time);
        }
    }
}
