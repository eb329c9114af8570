using System.Diagnostics;
using Transfer.S3.Wire;

namespace Transfer.S3.Requests;

/// <summary>The spans of transfers and requests.</summary>
internal static class TransferActivity
{
    private static readonly ActivitySource Transfers = new(TransferClient.ActivitySourceName, Version);
    private static readonly ActivitySource Requests = new(TransferClient.RequestActivitySourceName, Version);
    private static readonly string[] Names = ["download", "upload", "copy"];
    private static readonly string[] DirectoryNames = ["download directory", "upload directory", "copy directory"];

    /// <summary>Gets a value that indicates whether there is a listener for requests.</summary>
    public static bool HasRequestListeners => Requests.HasListeners();

    private static string? Version => typeof(TransferActivity).Assembly.GetName().Version?.ToString(3);

    /// <summary>Starts the span of a transfer. Called by an asynchronous method, so that the caller's own span stays current for the caller.</summary>
    /// <returns>Null if there is no listener.</returns>
    public static Activity? StartTransfer(TransferDirection direction, bool isDirectory, string bucket, string key)
    {
        Activity? activity = Transfers.StartActivity((isDirectory ? DirectoryNames : Names)[(int)direction], ActivityKind.Client);
        if (activity is { IsAllDataRequested: true })
        {
            activity.SetTag("rpc.system", "aws-api").SetTag("rpc.service", "S3").SetTag("aws.s3.bucket", bucket).SetTag("aws.s3.key", key);
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

    /// <summary>Starts the span of a request.</summary>
    /// <returns>Null if there is no listener.</returns>
    public static Activity? StartRequest(RequestKind kind)
    {
        Activity? activity = Requests.StartActivity(kind.ToString(), ActivityKind.Client);
        if (activity is { IsAllDataRequested: true })
        {
            activity.SetTag("rpc.system", "aws-api").SetTag("rpc.service", "S3").SetTag("rpc.method", activity.OperationName);
        }

        return activity;
    }

    /// <summary>Ends the span of a request.</summary>
    public static void EndRequest(Activity activity, in RequestTiming timing)
    {
        if (activity.IsAllDataRequested)
        {
            activity.SetTag("transfer.s3.bytes", timing.Bytes).SetTag("transfer.s3.status_class", TransferMeter.GetStatusClass(timing.Error));
            if (timing.Error is WireException { RequestId: { } id })
            {
                activity.SetTag("aws.request_id", id);
            }

            SetError(activity, timing.Error);
        }

        Stop(activity);
    }

    private static void SetError(Activity activity, Exception? error)
    {
        if (error is not null)
        {
            activity.SetTag("error.type", TransferMeter.GetErrorType(error)).SetStatus(ActivityStatusCode.Error);
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
