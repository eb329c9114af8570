using System.Net;
using Transfer.S3.Requests;
using Transfer.S3.Stores;
using Transfer.S3.Wire;

namespace Transfer.S3.Copy;

/// <summary>Reads the tags of a source that a copy has to set itself.</summary>
internal static class TagLookup
{
    /// <summary>The entry of <see cref="CopyResult.LostProperties"/> for tags.</summary>
    public const string Lost = "tags";

    /// <summary>The number of objects without the number of tags that must have had none.</summary>
    private const int ProvingObjects = 3;

    /// <param name="run">The transfer.</param>
    /// <param name="address">The source.</param>
    /// <param name="info">The properties of the source.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The tags, or null if there are none; and whether tags that may exist could not be read.</returns>
    public static async Task<(IReadOnlyDictionary<string, string>? Tags, bool AreLost)> RunAsync(
        TransferRun run, ObjectAddress address, ObjectInfo info, CancellationToken cancellationToken)
    {
        if (!MayHaveTags(run.Client.Profile, address.Bucket, info.TagCount))
        {
            return (null, false);
        }

        bool isCounted = info.TagCount is not null;
        try
        {
            ObjectAddress version = address with { VersionId = address.VersionId ?? info.VersionId };
            IReadOnlyDictionary<string, string> tags = await run.SendAsync(
                token => run.Client.Wire.GetTagsAsync(version, token), cancellationToken).ConfigureAwait(false);
            if (!isCounted && tags.Count > 0)
            {
                HidesCount(run.Client.Profile, address.Bucket, $"the response for '{address.Key}' had none, but the object has {tags.Count} tags");
            }
            else if (!isCounted && run.Client.Profile.GetSupport(StoreTrait.TagCount, address.Bucket) != StoreSupport.Ignored)
            {
                run.Client.Profile.Observe(StoreTrait.UntaggedWithoutCount, address.Bucket, ProvingObjects, StoreSupport.Supported);
            }

            return (tags.Count == 0 ? null : tags, false);
        }
        catch (WireException e) when (e.ErrorCode == "NoSuchTagSet")
        {
            return (null, false);
        }
        catch (WireException e) when (e.StatusCode == HttpStatusCode.NotImplemented && !isCounted)
        {
            run.Client.Profile.Learn(StoreTrait.Tags, address.Bucket, StoreSupport.Refused, e.Message);
            return (null, false);
        }
        catch (WireException e)
        {
            if (!isCounted)
            {
                HidesCount(run.Client.Profile, address.Bucket, e.Message); // others can have unreadable tags, too
            }

            Log.TagsNotCopied(run.Client.Logger, address.Bucket, address.Key, e.Message);
            return (null, true);
        }
    }

    /// <summary>
    /// Returns whether the tags of an object must be requested. Amazon S3 returns the number of tags only if the credentials can read them (Amazon S3 API Reference,
    /// "GetObject"), and other stores never return it. So an object without the number has no tags only in a bucket that has returned it for another object, and
    /// had no tags for the first objects without it.
    /// </summary>
    private static bool MayHaveTags(StoreProfile profile, string bucket, int? tagCount)
    {
        if (tagCount is { } count)
        {
            profile.Learn(StoreTrait.TagCount, bucket, StoreSupport.Supported);
            return count > 0;
        }

        bool isProven = profile.GetSupport(StoreTrait.TagCount, bucket) == StoreSupport.Supported && profile.GetSupport(StoreTrait.UntaggedWithoutCount, bucket) == StoreSupport.Supported;
        return !isProven && profile.GetSupport(StoreTrait.Tags, bucket) != StoreSupport.Refused;
    }

    /// <summary>Gets the request that reads the tags of an object about which nothing is known; none if objects like it have none.</summary>
    public static StoreUsage Estimate(StoreProfile profile, string bucket) => MayHaveTags(profile, bucket, tagCount: null) ? RequestKind.GetObjectTagging.ToUsage() : default;

    private static void HidesCount(StoreProfile profile, string bucket, string reason)
    {
        profile.Disprove(StoreTrait.TagCount, bucket, reason);
        profile.Forget(StoreTrait.UntaggedWithoutCount, bucket);
    }
}
