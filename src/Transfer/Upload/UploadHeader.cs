namespace Transfer.S3.Upload;

/// <summary>The first line of an upload's journal: the source, the object, and the options.</summary>
/// <param name="Format">The version of the format.</param>
/// <param name="Bucket">The bucket.</param>
/// <param name="Key">The key.</param>
/// <param name="UploadId">The ID of the multipart upload.</param>
/// <param name="Path">The path of the file, or what identifies another source.</param>
/// <param name="Bytes">The length of the source, in bytes.</param>
/// <param name="Modified">The time of the last change of the source, in ticks of UTC.</param>
/// <param name="PartBytes">The length of all parts but the last, in bytes.</param>
/// <param name="Options">A digest of the headers and other options.</param>
/// <param name="Checksum">The algorithm of the checksums of parts.</param>
/// <param name="Begun">The time when the upload started, by the clock of this machine; null in journals of earlier versions.</param>
/// <param name="Unaborted">The IDs of earlier uploads to the same key that could not be aborted yet.</param>
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

    /// <summary>Returns whether the parts of two uploads are the same.</summary>
    public bool IsSameAs(UploadHeader other)
        => this with { UploadId = other.UploadId, Checksum = other.Checksum, Begun = other.Begun, Unaborted = other.Unaborted } == other;
}
