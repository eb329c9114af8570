using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Storage;

/// <summary>An object to delete together with others, and its result.</summary>
internal sealed class KeyDeletion
{
    public string Key { get; set; } = string.Empty;

    public string? VersionId { get; set; }

    /// <summary>Gets or sets the ID of the deleted version, or of the delete marker that hides the object now; null in a bucket without versions.</summary>
    public string? DeletedId { get; set; }

    /// <summary>Gets or sets a value that indicates whether <see cref="DeletedId"/> is that of a delete marker.</summary>
    public bool IsDeleteMarker { get; set; }

    /// <summary>Gets or sets the ETag that the object must have; null for any.</summary>
    public string? IfMatch { get; set; }

    /// <summary>Gets or sets a value that indicates whether a retention in GOVERNANCE mode doesn't keep the object.</summary>
    public bool BypassesGovernance { get; set; }

    /// <summary>Gets or sets the reason why the object was not deleted; null if it was.</summary>
    public S3Exception? Error { get; set; }
}
