namespace Transfer.Upload;

/// <summary>The first line of an upload's journal: what is uploaded, and how.</summary>
/// <param name="Format">Of the journal.</param>
/// <param name="Bucket">Where to.</param>
/// <param name="Key">Where to.</param>
/// <param name="UploadId">The multipart upload.</param>
/// <param name="Path">The file.</param>
/// <param name="Bytes">Its length.</param>
/// <param name="Modified">When it was last written, in ticks of UTC.</param>
/// <param name="PartBytes">The length of all parts but the last.</param>
/// <param name="Options">What tells the object's headers and the like from others.</param>
/// <param name="Checksum">The algorithm by which parts are compared.</param>
/// <param name="Begun">When the upload began, by this machine's clock; null in journals of earlier versions.</param>
/// <param name="Unaborted">Earlier uploads to the same key that could not be aborted yet.</param>
internal sealed record UploadHeader(
    int Format,
    string Bucket,
    string Key,
    string UploadId,
    string Path,
    long Bytes,
    long Modified,
    long PartBytes,
    string Options,
    ChecksumAlgorithm Checksum,
    DateTimeOffset? Begun = null,
    IReadOnlyList<string>? Unaborted = null)
{
    public const int CurrentFormat = 1;

    /// <summary>Whether the parts of one are those of the other too.</summary>
    public bool IsSameAs(UploadHeader other)
        => this with { UploadId = other.UploadId, Checksum = other.Checksum, Begun = other.Begun, Unaborted = other.Unaborted } == other;
}
