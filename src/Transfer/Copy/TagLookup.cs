using System.Net;
using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Copy;

/// <summary>Reads the tags of a source that a copy has to set itself.</summary>
internal static class TagLookup
{
    /// <summary>The entry of <see cref="CopyResult.Lost"/> for tags.</summary>
    public const string Lost = "tags";

    /// <param name="context">The client of the source.</param>
    /// <param name="address">The source.</param>
    /// <param name="info">The properties of the source.</param>
    /// <param name="reporter">Counts the request.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The tags, or null if there are none; and whether tags that may exist could not be read.</returns>
    public static async Task<(IReadOnlyDictionary<string, string>? Tags, bool AreLost)> RunAsync(
        ClientContext context, ObjectAddress address, ObjectInfo info, TransferReporter reporter, CancellationToken cancellationToken)
    {
        if (!context.Tags.MayHaveTags(address.Bucket, info))
        {
            return (null, false);
        }

        bool isCounted = info.TagCount is not null;
        try
        {
            ObjectAddress version = address with { VersionId = address.VersionId ?? info.VersionId };
            IReadOnlyDictionary<string, string> tags = await context.Scheduler.SendAsync(
                token => context.Wire.GetTagsAsync(version, token), reporter, cancellationToken).ConfigureAwait(false);
            if (!isCounted)
            {
                context.Tags.Found(address.Bucket, tags.Count);
            }

            return (tags.Count == 0 ? null : tags, false);
        }
        catch (WireException e) when (e.ErrorCode == "NoSuchTagSet")
        {
            return (null, false);
        }
        catch (WireException e) when (e.StatusCode == HttpStatusCode.NotImplemented && !isCounted)
        {
            if (context.Tags.SetUnsupported(address.Bucket))
            {
                Log.TagsNotImplemented(context.Logger, address.Bucket, e.Message);
            }

            return (null, false);
        }
        catch (WireException e)
        {
            if (!isCounted)
            {
                context.Tags.Refused(address.Bucket);
            }

            Log.TagsNotCopied(context.Logger, address.Bucket, address.Key, e.Message);
            return (null, true);
        }
    }
}
