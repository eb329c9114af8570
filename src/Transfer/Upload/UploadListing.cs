using System.Runtime.CompilerServices;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>Lists the incomplete uploads under a prefix.</summary>
internal sealed class UploadListing(TransferRun run, string bucket, string prefix)
{
    /// <summary>Gets the time of the last response by the clock of the store; null if it isn't known.</summary>
    public DateTimeOffset? StoreTime { get; private set; }

    public async IAsyncEnumerable<UnfinishedUpload> ReadAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        bool isPrefix = prefix.Length == 0;
        await foreach (Page<UnfinishedUpload> page in PagesAsync(prefix, cancellationToken).ConfigureAwait(false))
        {
            // A store that ignores the prefix lists all uploads. Those of other keys were not requested, so nothing is missing without them.
            isPrefix |= page.Outside.Count > 0;
            foreach (UnfinishedUpload upload in page.Items)
            {
                isPrefix |= upload.Key.Length > prefix.Length;
                yield return upload;
            }
        }

        if (isPrefix)
        {
            yield break;
        }

        // MinIO takes a prefix for a whole key, and lists the whole bucket if there is none.
        IAsyncEnumerator<Page<UnfinishedUpload>> pages = PagesAsync(string.Empty, cancellationToken).GetAsyncEnumerator(cancellationToken);
        await using (pages.ConfigureAwait(false))
        {
            while (await MayGoOnAsync(pages).ConfigureAwait(false))
            {
                foreach (UnfinishedUpload upload in pages.Current.Items)
                {
                    if (upload.Key.Length > prefix.Length && upload.Key.StartsWith(prefix, StringComparison.Ordinal))
                    {
                        yield return upload;
                    }
                }
            }
        }
    }

    /// <summary>Gets the next page of the bucket, unless the credentials can list only the prefix.</summary>
    private static async ValueTask<bool> MayGoOnAsync(IAsyncEnumerator<Page<UnfinishedUpload>> pages)
    {
        try
        {
            return await pages.MoveNextAsync().ConfigureAwait(false);
        }
        catch (TransferException e) when (e.StatusCode is System.Net.HttpStatusCode.Forbidden)
        {
            return false;
        }
    }

    private IAsyncEnumerable<Page<UnfinishedUpload>> PagesAsync(string under, CancellationToken cancellationToken) => Pages.ReadAsync<UnfinishedUpload>(
        async (after, stopping) =>
        {
            try
            {
                Page<UnfinishedUpload> page = await run.SendAsync(token => run.Client.Wire.ListUploadsAsync(bucket, under, after, token), stopping).ConfigureAwait(false);
                StoreTime = page.StoreTime ?? StoreTime;
                return page;
            }
            catch (WireException e)
            {
                throw Failures.Create(new ObjectAddress(bucket, prefix), "list the incomplete uploads", null, e);
            }
        },
        cancellationToken);
}
