using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>Ends a multipart upload without an object, whatever the caller's token says: what stays open is billed for ever.</summary>
internal static class MultipartAbort
{
    /// <returns>The error; null if the upload was aborted or no longer exists.</returns>
    public static async Task<Exception?> RunAsync(ClientContext context, ObjectAddress address, string uploadId, TransferReporter reporter)
    {
        using CancellationTokenSource timeout = new(TransferDefaults.AbortTimeout, context.Time);
        try
        {
            await context.Scheduler.SendAsync(
                async token =>
                {
                    await context.Wire.AbortMultipartUploadAsync(address, uploadId, token).ConfigureAwait(false);
                    return true;
                },
                reporter,
                timeout.Token).ConfigureAwait(false);
            return null;
        }
        catch (WireException e) when (e.ErrorCode == "NoSuchUpload")
        {
            return null;
        }
#pragma warning disable CA1031 // reported beside the first failure, never instead of it
        catch (Exception e)
#pragma warning restore CA1031
        {
            Log.AbortFailed(context.Logger, address.Bucket, address.Key, uploadId, e);
            return e is WireException wire ? Failures.Of(address, $"abort the multipart upload {uploadId}", null, wire) : e;
        }
    }
}
