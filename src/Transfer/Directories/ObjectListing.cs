using System.Runtime.CompilerServices;
using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Directories;

/// <summary>Lists the objects under a prefix. The next page is requested while one is processed, and only these two pages are in memory.</summary>
internal static class ObjectListing
{
    public static async IAsyncEnumerable<ListedObject> ReadAsync(
        ClientContext context, string bucket, string prefix, ReadAccess access, TransferReporter reporter, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        Task<ObjectPage> coming = RequestPageAsync(null);
        try
        {
            while (true)
            {
                ObjectPage page = await coming.ConfigureAwait(false);
                if (page.Next is not null)
                {
                    coming = RequestPageAsync(page.Next);
                }

                foreach (ListedObject item in page.Objects)
                {
                    yield return item;
                }

                if (page.Next is null)
                {
                    yield break;
                }
            }
        }
        finally
        {
            await ((Task)coming).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        async Task<ObjectPage> RequestPageAsync(string? page)
        {
            try
            {
                ObjectPage answer = await context.Scheduler.SendAsync(
                    token => context.Wire.ListAsync(bucket, prefix, page, access, token), reporter, cancellationToken).ConfigureAwait(false);
                return answer.Next is null || answer.Next != page
                    ? answer
                    : throw new WireException(FailureKind.Final, "the store returned the same page of the listing again");
            }
            catch (WireException e)
            {
                ObjectAddress address = new(bucket, prefix);
                throw new TransferException($"{address}: the listing failed: {e.Message}{e.AttemptsText}", address, e);
            }
        }
    }
}
