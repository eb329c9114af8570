using System.Runtime.CompilerServices;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>Creates a multipart upload. It must be aborted or completed.</summary>
internal static class MultipartCreate
{
    /// <remarks>
    /// A request that is in flight at the time of a cancellation may take as long as an abort, because the store may have created the upload, and
    /// only the response contains the ID to abort. If the response was lost, the upload can't be aborted, and an error reports that.
    /// </remarks>
    /// <param name="context">The state that the transfers of the client share.</param>
    /// <param name="address">The object.</param>
    /// <param name="sendAsync">Sends the request until one attempt succeeds. Each attempt is tracked and can be canceled.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async Task<string> RunAsync(
        ClientContext context, ObjectAddress address, Func<AmbiguousAttempts, CancellationToken, Task<string>> sendAsync, CancellationToken cancellationToken)
    {
        // Don't run on the caller's stack, because the caller may be writing.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        using CancellationTokenSource underWay = new(Timeout.InfiniteTimeSpan, context.Time);
        CancellationTokenRegistration cancelled = cancellationToken.UnsafeRegister(
            static state => ((CancellationTokenSource)state!).CancelAfter(TransferDefaults.AbortTimeout), underWay);
        await using ConfiguredAsyncDisposable registration = cancelled.ConfigureAwait(false);
        AmbiguousAttempts unclear = new();
        try
        {
            string uploadId = await sendAsync(unclear, underWay.Token).ConfigureAwait(false);
            if (unclear.LostAnswer)
            {
                Lost(context, address); // lost by an earlier attempt
            }

            return uploadId;
        }
        catch (WireException e)
        {
            throw Failures.WithCleanup(Failures.Create(address, "create the multipart upload", null, e), unclear.LostAnswer ? Lost(context, address) : null);
        }
        catch (OperationCanceledException e) when (unclear.LostAnswer)
        {
            throw Failures.WithCleanup(e, Lost(context, address));
        }
    }

    /// <summary>Creates the error for a lost response. Listing the uploads wouldn't help, because another client may have created one at the same time.</summary>
    private static TransferException Lost(ClientContext context, ObjectAddress address)
    {
        Log.UploadMayBeOpen(context.Logger, address.Bucket, address.Key);
        return new TransferException(
            $"{address}: the response to the creation of a multipart upload was lost. The store may keep an open upload whose ID is unknown. To find and abort it, use {nameof(ITransferClient.AbortUploadsAsync)}.")
        {
            Bucket = address.Bucket,
            Key = address.Key,
        };
    }
}
