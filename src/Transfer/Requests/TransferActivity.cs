using System.Diagnostics;
using Transfer.S3.Wire;

namespace Transfer.S3.Requests;

/// <summary>The spans of transfers and requests.</summary>
internal static class TransferActivity
{
    private const string BucketAttribute = "aws.s3.bucket";
    private const string KeyAttribute = "aws.s3.key";
    private static readonly ActivitySource Transfers = new(TransferClient.ActivitySourceName, Version);
    private static readonly ActivitySource Requests = new(TransferClient.RequestActivitySourceName, Version);
    private static readonly string[] Names = ["download", "upload", "copy"];
    private static readonly string[] DirectoryNames = ["download directory", "upload directory", "copy directory"];

    /// <summary>Gets the attributes that name the service.</summary>
    /// <remarks>
    /// The conventions for AWS still require <c>rpc.system</c>, and those for remote procedure calls have replaced it (OpenTelemetry Semantic Conventions 1.44). So both names
    /// are there. As in the conventions for AWS, <c>rpc.method</c> is the name of the operation alone.
    /// </remarks>
    public static KeyValuePair<string, object?>[] ServiceAttributes { get; } = [new("rpc.system.name", "aws-api"), new("rpc.system", "aws-api"), new("rpc.service", RequestOperation.Service)];

    /// <summary>Gets a value that indicates whether there is a listener for requests.</summary>
    public static bool HasRequestListeners => Requests.HasListeners();

    private static string? Version => typeof(TransferActivity).Assembly.GetName().Version?.ToString(3);

    /// <summary>Starts the span of a transfer. Called by an asynchronous method, so that the caller's own span stays current for the caller.</summary>
    /// <returns>Null if there is no listener.</returns>
    public static Activity? StartTransfer(TransferDirection direction, bool isDirectory, string bucket, string key)
    {
        Activity? activity = Transfers.StartActivity(
            (isDirectory ? DirectoryNames : Names)[(int)direction], ActivityKind.Client, parentContext: default, ServiceAttributes);
        if (activity is { IsAllDataRequested: true })
        {
            activity.SetTag(BucketAttribute, bucket).SetTag(KeyAttribute, key);
        }

        return activity;
    }

    /// <summary>Ends the span of a transfer.</summary>
    public static void EndTransfer(Activity activity, TransferReporter transfer, Exception? error)
    {
        if (activity.IsAllDataRequested)
        {
            activity
                .SetTag("transfer.s3.bytes", transfer.Bytes.Transferred)
                .SetTag("transfer.s3.parts", transfer.Bytes.Parts)
                .SetTag("transfer.s3.requests", transfer.Requests.Sent)
                .SetTag("transfer.s3.retries", transfer.Requests.Retries)
                .SetTag("transfer.s3.bottleneck", TransferMeter.GetName(transfer.Bottleneck.GetTimes().Bottleneck));
            SetError(activity, error);
        }

        Stop(activity);
    }

    /// <summary>Starts the span of a request, with what is known before it is sent (OpenTelemetry Semantic Conventions, "AWS SDK" and "AWS S3").</summary>
    /// <returns>Null if there is no listener.</returns>
    public static Activity? StartRequest(RequestKind kind, in RequestSubject subject)
    {
        if (!Requests.HasListeners())
        {
            return null;
        }

        RequestOperation operation = subject.Operation ?? RequestOperation.Get(kind);
        Activity? activity = Requests.StartActivity(operation.SpanName, ActivityKind.Client, parentContext: default, operation.Attributes);
        if (activity is { IsAllDataRequested: true })
        {
            // An attribute that is null isn't added.
            activity
                .SetTag(BucketAttribute, subject.Bucket)
                .SetTag(KeyAttribute, subject.Key)
                .SetTag("aws.s3.upload_id", subject.UploadId)
                .SetTag("aws.s3.part_number", subject.PartNumber > 0 ? subject.PartNumber : null)
                .SetTag("aws.s3.copy_source", subject.Source is { } source ? $"{source.Bucket}/{source.Key}" : null)
                .SetTag("aws.s3.delete", subject.GetDeletions());
        }

        return activity;
    }

    /// <summary>Ends the span of a request.</summary>
    /// <param name="activity">The span.</param>
    /// <param name="timing">The bytes and the error of the request.</param>
    /// <param name="trace">What is known of its response; null for nothing.</param>
    public static void EndRequest(Activity activity, in RequestTiming timing, RequestTrace? trace)
    {
        if (activity.IsAllDataRequested)
        {
            WireException? failure = timing.Error as WireException;
            activity
                .SetTag("server.address", trace?.Endpoint?.Address)
                .SetTag("server.port", trace?.Endpoint?.Port)
                .SetTag("cloud.region", trace?.Region)
                .SetTag("http.response.status_code", (int?)(trace?.StatusCode ?? failure?.StatusCode))
                .SetTag("aws.request_id", trace?.RequestId ?? failure?.RequestId)
                .SetTag("aws.extended_request_id", trace?.ExtendedRequestId);
            if (timing.Kind is RequestKind.GetObject or RequestKind.PutObject or RequestKind.UploadPart)
            {
                activity.SetTag("transfer.s3.bytes", timing.Bytes);
            }

            if (trace?.Operation is { } operation)
            {
                activity.SetTag("rpc.method", operation);
                activity.DisplayName = RequestOperation.GetSpanName(operation);
            }

            SetError(activity, timing.Error);
        }

        Stop(activity);
    }

    private static void SetError(Activity activity, Exception? error)
    {
        if (error is not null && TransferMeter.GetErrorType(error) is { } type)
        {
            // The error code of the store, but no message, because a message can name what only some may know.
            activity.SetTag("error.type", type).SetStatus(ActivityStatusCode.Error, (error as WireException)?.ErrorCode);
        }
    }

    /// <summary>Stops a span in any execution context. The span that is current there stays current.</summary>
    private static void Stop(Activity activity)
    {
        Activity? current = Activity.Current;
        activity.Stop();
        Activity.Current = current == activity ? activity.Parent : current;
    }
}
