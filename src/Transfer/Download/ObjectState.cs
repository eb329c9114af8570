using System.Globalization;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>Identifies the state of an object by the headers of a response. The ETag decides; without one, the version and the time do.</summary>
/// <param name="ETag">The ETag, in quotes.</param>
/// <param name="VersionId">The version of the object.</param>
/// <param name="LastModified">The last-modified time, with a resolution of one second.</param>
internal sealed record ObjectState(string? ETag, string? VersionId, DateTimeOffset? LastModified)
{
    /// <summary>
    /// Gets the condition that makes the store reject a request for another state. A weak ETag can't be used (RFC 9110, section 13.1.1).
    /// </summary>
    /// <remarks>
    /// The header has no fractions of a second, and a store that compares them would reject the object itself. <see cref="DifferenceFrom"/> detects a
    /// replacement within the same second.
    /// </remarks>
    public ReadCondition Condition => HasStrong(ETag) ? new ReadCondition { IfMatch = ETag }
        : LastModified is { Year: < 9999 } modified ? new ReadCondition { IfUnmodifiedSince = modified.AddSeconds(1) }
        : ReadCondition.None;

    public static ObjectState From(ObjectInfo info) => new(Tag(info), info.VersionId, info.LastModified);

    /// <summary>Returns this state, completed with the headers of another response about it.</summary>
    public ObjectState With(ObjectInfo info)
        => HasStrong(ETag) ? this : new ObjectState(ETag ?? Tag(info), VersionId ?? info.VersionId, LastModified ?? info.LastModified);

    /// <summary>Gets a description of how a response about another state differs; null if there is no difference.</summary>
    public string? DifferenceFrom(ObjectInfo info)
    {
        if (!ETags.AreSame(ETag, info.ETag))
        {
            return $"its ETag is {info.ETag}, but {ETag} was expected";
        }

        // The same strong ETag means the same bytes, even if they were written twice.
        if (HasStrong(ETag) && HasStrong(info.ETag))
        {
            return null;
        }

        if (VersionId is not null && info.VersionId is not null && VersionId != info.VersionId)
        {
            return $"its version is {info.VersionId}, but {VersionId} was expected";
        }

        return LastModified is { } expected && info.LastModified is { } modified && modified != expected
            ? string.Create(CultureInfo.InvariantCulture, $"it was modified at {modified:u}, but {expected:u} was expected")
            : null;
    }

    private static bool HasStrong(string? etag) => !string.IsNullOrEmpty(etag) && !ETags.IsWeak(etag);

    private static string? Tag(ObjectInfo info) => string.IsNullOrEmpty(info.ETag) ? null : ETags.Quoted(info.ETag);
}
