using System.Globalization;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>Which state of an object an answer is about, as its headers tell. An entity tag decides; without one the version and the time do.</summary>
/// <param name="ETag">The entity tag, quoted.</param>
/// <param name="VersionId">The object's version.</param>
/// <param name="LastModified">When the object was written, to the second.</param>
internal sealed record ObjectState(string? ETag, string? VersionId, DateTimeOffset? LastModified)
{
    /// <summary>What makes the store refuse a request for another state. A weak tag can't (RFC 9110, section 13.1.1).</summary>
    /// <remarks>
    /// The header has no fractions of a second, and a store that compares them would refuse the object itself. So a replacement in that second is left to
    /// <see cref="DifferenceFrom"/>.
    /// </remarks>
    public ReadCondition Condition => HasStrong(ETag) ? new ReadCondition { IfMatch = ETag }
        : LastModified is { Year: < 9999 } modified ? new ReadCondition { IfUnmodifiedSince = modified.AddSeconds(1) }
        : ReadCondition.None;

    public static ObjectState Of(ObjectInfo info) => new(Tag(info), info.VersionId, info.LastModified);

    /// <summary>This state with what another answer about it tells besides.</summary>
    public ObjectState With(ObjectInfo info)
        => HasStrong(ETag) ? this : new ObjectState(ETag ?? Tag(info), VersionId ?? info.VersionId, LastModified ?? info.LastModified);

    /// <summary>What tells that an answer is about another state; null where nothing does.</summary>
    public string? DifferenceFrom(ObjectInfo info)
    {
        if (!ETags.AreSame(ETag, info.ETag))
        {
            return $"its ETag is {info.ETag}, but {ETag} was expected";
        }

        // The same strong tag means the same bytes, even where they were written twice.
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
