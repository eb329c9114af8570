using System.Net;
using Transfer.Concurrency;
using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>Ends a multipart upload without an object, whatever the caller's token says: what stays open is billed for ever.</summary>
internal static class MultipartAbort
{
    /// <summary>The maximum number of abort requests for one upload.</summary>
    private const int MaxAborts = 3;

    /// <param name="context">What the client's transfers share.</param>
    /// <param name="address">The object.</param>
    /// <param name="uploadId">The upload.</param>
    /// <param name="reporter">Counts the requests.</param>
    /// <param name="partsMayLand">
    /// Whether requests for parts were interrupted. The store may still accept such a part after the abort, which must then be repeated (Amazon S3 API Reference,
    /// "AbortMultipartUpload").
    /// </param>
    /// <returns>The error; null if the upload was aborted or no longer exists.</returns>
    public static async Task<Exception?> RunAsync(ClientContext context, ObjectAddress address, string uploadId, TransferReporter reporter, bool partsMayLand = false)
    {
        using CancellationTokenSource timeout = new(TransferDefaults.AbortTimeout, context.Time);
        try
        {
            for (int aborts = 1; ; aborts++)
            {
                if (!await TryAbortAsync(context, address, uploadId, reporter, timeout.Token).ConfigureAwait(false)
                    || !partsMayLand
                    || aborts == MaxAborts
                    || !await IsThereAsync(context, address, uploadId, reporter, timeout.Token).ConfigureAwait(false))
                {
                    return null;
                }
            }
        }
#pragma warning disable CA1031 // reported beside the first failure, never instead of it
        catch (Exception e)
#pragma warning restore CA1031
        {
            Log.AbortFailed(context.Logger, address.Bucket, address.Key, uploadId, e);
            return e is WireException wire ? Failures.Of(address, $"abort the multipart upload {uploadId}", null, wire) : e;
        }
    }

    /// <returns>False if there is no such upload.</returns>
    private static async Task<bool> TryAbortAsync(ClientContext context, ObjectAddress address, string uploadId, TransferReporter reporter, CancellationToken cancellationToken)
    {
        try
        {
            return await context.Scheduler.SendAsync(
                async token =>
                {
                    await context.Wire.AbortMultipartUploadAsync(address, uploadId, token).ConfigureAwait(false);
                    return true;
                },
                reporter,
                cancellationToken,
                cost: RequestCost.Cleanup).ConfigureAwait(false);
        }
        catch (WireException e) when (e.ErrorCode == "NoSuchUpload")
        {
            return false;
        }
    }

    /// <summary>
    /// Returns whether the store still has the upload. If it refuses to say, the abort is repeated to be safe. If it gives no answer, the abort is taken to have succeeded.
    /// </summary>
    private static async Task<bool> IsThereAsync(ClientContext context, ObjectAddress address, string uploadId, TransferReporter reporter, CancellationToken cancellationToken)
    {
        try
        {
            await context.Scheduler.SendAsync(token => context.Wire.ListPartsAsync(address, uploadId, 0, token), reporter, cancellationToken, cost: RequestCost.Cleanup).ConfigureAwait(false);
            return true;
        }
        catch (WireException e)
        {
            return e.Kind == FailureKind.Final && e.StatusCode != HttpStatusCode.NotFound;
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }
}
