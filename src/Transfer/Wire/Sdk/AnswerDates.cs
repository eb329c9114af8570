using System.Globalization;
using System.Runtime.CompilerServices;
using Amazon.Runtime;
using Amazon.S3;

namespace Transfer.Wire.Sdk;

/// <summary>Reads the Date header of the SDK's answers. Its responses do not carry their headers; only the event of the client does.</summary>
internal static class AnswerDates
{
    private static readonly object Gate = new();
    private static readonly ConditionalWeakTable<AmazonServiceClient, object> Subscribed = [];
    private static readonly ConditionalWeakTable<AmazonWebServiceRequest, StrongBox<DateTimeOffset?>> Dates = [];

    /// <summary>Keeps the date of the answer to a request that is about to be sent.</summary>
    /// <returns>A function that returns the date; null if the answer has none, or if the client is a mock or a decorator that is not based on the SDK's client.</returns>
    public static Func<DateTimeOffset?> Watch(IAmazonS3 s3, AmazonWebServiceRequest request)
    {
        if (s3 is not AmazonServiceClient client)
        {
            return static () => null;
        }

        lock (Gate)
        {
            // The handler is added once and never removed: the SDK reads its event twice for each answer, so a removal in between would fail a request of the caller's.
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
            date.Value = time;
        }
    }
}
