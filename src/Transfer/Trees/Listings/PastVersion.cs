using System.Globalization;
using System.Net;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>Finds the version that one object had at a time.</summary>
internal static class PastVersion
{
    /// <param name="run">The call.</param>
    /// <param name="address">The object.</param>
    /// <param name="time">The time.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="TransferException">Thrown when the listing failed, or, with status 404, when there was no object.</exception>
    public static async Task<ListedObject> FindAsync(TransferRun run, ObjectAddress address, DateTimeOffset time, CancellationToken cancellationToken)
    {
        // The key comes before all others that begin with it.
        ListQuery query = new(address.Bucket, address.Key, address.Access) { Versions = true };
        KeyHistory history = new(address.Bucket, address.Key, time);
        await foreach (ListedPage page in ObjectListing.PagesAsync(run, query, cancellationToken).ConfigureAwait(false))
        {
            foreach (ListedObject version in page.Items.Where(version => version.Key == address.Key))
            {
                history.Add(version);
            }

            bool isComplete = page.Items.Any(version => version.Key != address.Key) || history.Marker is not null;
            if (history.Object is { } found)
            {
                return found; // the other pages have older versions
            }

            if (isComplete)
            {
                break;
            }
        }

        string reason = history.Marker is { } marker ? $"it was deleted at {GetText(marker.LastModified!.Value)}"
            : history.Since is { } since ? $"its oldest version is from {GetText(since)}"
            : "it has no versions at all";
        throw new TransferException($"{address} did not exist at {GetText(time)}: {reason}.") { Bucket = address.Bucket, Key = address.Key, StatusCode = HttpStatusCode.NotFound };
    }

    private static string GetText(DateTimeOffset time) => time.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.FFF'Z'", CultureInfo.InvariantCulture);
}
