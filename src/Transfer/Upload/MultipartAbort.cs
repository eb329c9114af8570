using System.Net;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>Aborts a multipart upload, even if the caller's token is canceled, because an open upload uses storage until it is aborted.</summary>
internal static class MultipartAbort
{
    /// <summary>The maximum number of abort requests for one upload.</summary>
    private const int MaxAborts = 3;

    /// <param name="run">The transfer.</param>
    /// <param name="address">The object.</param>
    /// <param name="uploadId">The ID of the upload.</param>
    /// <param name="partsMayLand">
    /// Whether requests for parts were interrupted. The store can still accept such a part after the abort, which must then be repeated (Amazon S3 API Reference,
    /// "AbortMultipartUpload").
    /// </param>
    /// <returns>The error; null if the upload was aborted or no longer exists.</returns>
    public static async Task<Exception?> RunAsync(TransferRun run, ObjectAddress address, string uploadId, bool partsMayLand = false)
    {
        using CleanupCalls calls = new(run);
        try
        {
            for (int aborts = 1; ; aborts++)
            {
                if (!await TryAbortAsync(run, calls, address, uploadId).ConfigureAwait(false)
                    || !partsMayLand
                    || aborts == MaxAborts
                    || !await IsThereAsync(run, calls, address, uploadId).ConfigureAwait(false))
                {
                    return null;
                }
            }
        }
#pragma warning disable CA1031 // reported in addition to the first error, and never instead of it
        catch (Exception e)
#pragma warning restore CA1031
        {
            Log.AbortFailed(run.Client.Logger, address.Bucket, address.Key, uploadId, e);
            return e is WireException wire ? Failures.Create(address, $"abort the multipart upload {uploadId}", null, wire) : e;
        }
    }

    /// <returns>False if there is no such upload.</returns>
    private static async Task<bool> TryAbortAsync(TransferRun run, CleanupCalls calls, ObjectAddress address, string uploadId)
    {
        try
        {
            return await calls.SendAsync(
                async token =>
                {
                    await run.Client.Wire.AbortMultipartUploadAsync(address, uploadId, token).ConfigureAwait(false);
                    return true;
                }).ConfigureAwait(false);
        }
        catch (WireException e) when (e.ErrorCode == "NoSuchUpload")
        {
            return false;
        }
    }

    /// <summary>
    /// Returns whether the store still has the upload. If it rejects the request, the abort is repeated to be safe. If it doesn't respond, the abort is assumed to
    /// have succeeded.
    /// </summary>
    private static async Task<bool> IsThereAsync(TransferRun run, CleanupCalls calls, ObjectAddress address, string uploadId)
    {
        try
        {
            await calls.SendAsync(token => run.Client.Wire.ListPartsAsync(address, uploadId, null, token)).ConfigureAwait(false);
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
