using System.Net;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Delete;

/// <summary>
/// Finds out whether two clients use the same bucket, although the addresses of their stores differ: a store can have many names, and all regions of Amazon S3 lead to
/// the same buckets.
/// </summary>
internal static class SameBucket
{
    /// <summary>Dates in listings have fractions of a second, and dates in headers don't.</summary>
    private static readonly TimeSpan Tolerance = TimeSpan.FromSeconds(1);

    /// <summary>Looks for an object that the source lists in the bucket of the target.</summary>
    /// <param name="run">The transfer to the target.</param>
    /// <param name="bucket">The bucket of the target, which has the same name, with the access options of the target.</param>
    /// <param name="listed">The object in the listing of the source.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>Null if the target doesn't tell.</returns>
    public static async Task<bool?> HasAsync(TransferRun run, ObjectAddress bucket, ListedObject listed, CancellationToken cancellationToken)
    {
        ObjectAddress address = bucket with { Key = listed.Key };
        try
        {
            ObjectInfo found = (await run.SendAsync(token => run.Client.Wire.HeadAsync(address, token), cancellationToken).ConfigureAwait(false)).Info;
            return found.Length == listed.Length
                && (listed.ETag is null || ETags.AreSame(listed.ETag, found.ETag))
                && (listed.LastModified is not { } one || found.LastModified is not { } other || (one - other).Duration() <= Tolerance);
        }
        catch (WireException e)
        {
            return e.StatusCode == HttpStatusCode.NotFound ? false : null;
        }
    }
}
