using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>
/// Asks the store for an object's checksum beside the parts, where the first answer did not bring it. Amazon S3 sends it with
/// a range only where that is exactly one stored part (Amazon S3 User Guide, "Checking object integrity").
/// </summary>
internal static class ChecksumLookup
{
    public static async Task RunAsync(
        ClientContext context, DownloadRequest request, ObjectInfo info, ContentVerifier verifier, TransferReporter reporter, CancellationToken cancellationToken)
    {
        try
        {
            verifier.Expect(await AskAsync(context, request, info, reporter, cancellationToken).ConfigureAwait(false));
        }
        catch (WireException e)
        {
            verifier.Expect(null, $"the store did not tell its checksum: {e.Message}");
        }
        catch (OperationCanceledException)
        {
            // The transfer has ended: nobody asks any more.
        }
    }

    private static async Task<StoredChecksum?> AskAsync(
        ClientContext context, DownloadRequest request, ObjectInfo info, TransferReporter reporter, CancellationToken cancellationToken)
    {
        if (!context.RefusesAttributes)
        {
            try
            {
                return await context.Scheduler.SendAsync(
                    token => context.Wire.GetAttributesChecksumAsync(request.Address, info.ETag, token), reporter, cancellationToken).ConfigureAwait(false);
            }
            catch (WireException e) when (!e.MayRetry)
            {
                // Not every store has the call, and it needs a right of its own.
                context.RefusesAttributes = true;
                if (request.Hint is not null)
                {
                    throw;
                }
            }
        }

        // A HEAD tells as much and every reader may send it; but none is ever sent where the caller gave a hint.
        if (request.Hint is not null)
        {
            return null;
        }

        ObjectInfo head = await context.Scheduler.SendAsync(token => context.Wire.HeadAsync(request.Address, token), reporter, cancellationToken).ConfigureAwait(false);
        return ETags.AreSame(info.ETag, head.ETag) ? head.Checksum : null;
    }
}
