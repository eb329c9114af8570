using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>Specifies how a synchronization finds out whether a source and its target of the same size have the same content.</summary>
/// <remarks>A target of another size is always replaced. Which of the two is newer is never considered.</remarks>
[JsonConverter(typeof(JsonStringEnumConverter<SyncComparison>))]
public enum SyncComparison
{
    /// <summary>
    /// The content must be known to agree: by an MD5 in the listing, or by a checksum that the store holds. A file is read to compute its checksum. Objects aren't
    /// downloaded for the comparison. A target whose content isn't known to agree is replaced.
    /// </summary>
    Auto = 0,

    /// <summary>The sizes are enough. A change that leaves the size as it was isn't noticed.</summary>
    Size,

    /// <summary>
    /// The recorded last-modified times must agree within <see cref="SyncOptions.ModifyWindow"/>. The time of a file is recorded in the metadata of its object. A
    /// target without a recorded time is replaced. A change that leaves size and time as they were isn't noticed.
    /// </summary>
    Time,

    /// <summary>As <see cref="Auto"/>, but content that isn't known to agree is read and compared, up to the first difference.</summary>
    Content,
}
