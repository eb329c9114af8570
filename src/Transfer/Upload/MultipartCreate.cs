using System.Runtime.CompilerServices;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>Begins a multipart upload: its id must be aborted or completed.</summary>
internal static class MultipartCreate
{
    /// <remarks>
    /// A request that is under way when it is cancelled is given the time of an abort to end: the store may have begun the upload, and only its answer
    /// tells what to abort. Where an answer was lost nobody can, and it is said.
    /// </remarks>
    /// <param name="context">What the client's transfers share.</param>
    /// <param name="address">The object that is to be.</param>
    /// <param name="sendAsync">Sends the request until one attempt succeeds: each is watched, and ended by the token.</param>
    /// <param name="cancellationToken">The caller's.</param>
    public static async Task<string> RunAsync(
        ClientContext context, ObjectAddress address, Func<UnclearAttempts, CancellationToken, Task<string>> sendAsync, CancellationToken cancellationToken)
    {
        // Off the caller's stack at once: it may be writing.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        using CancellationTokenSource underWay = new(Timeout.InfiniteTimeSpan, context.Time);
        CancellationTokenRegistration cancelled = cancellationToken.UnsafeRegister(
            static state => ((CancellationTokenSource)state!).CancelAfter(TransferDefaults.AbortTimeout), underWay);
        await using ConfiguredAsyncDisposable registration = cancelled.ConfigureAwait(false);
        UnclearAttempts unclear = new();
        try
        {
            string uploadId = await sendAsync(unclear, underWay.Token).ConfigureAwait(false);
            if (unclear.LostAnswer)
            {
                Lost(context, address); // by an earlier attempt
            }

            return uploadId;
        }
        catch (WireException e)
        {
            throw Failures.WithCleanup(Failures.Of(address, "create the multipart upload", null, e), unclear.LostAnswer ? Lost(context, address) : null);
        }
        catch (OperationCanceledException e) when (unclear.LostAnswer)
        {
            throw Failures.WithCleanup(e, Lost(context, address));
        }
    }

    /// <summary>Looking for it would not help: it can't be told from one that somebody else has just begun.</summary>
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
