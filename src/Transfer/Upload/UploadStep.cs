namespace Transfer.S3.Upload;

/// <summary>A step of an upload.</summary>
/// <param name="Part">The number of a part that the store has received; 0 if the upload is about to be completed.</param>
/// <param name="ETag">The ETag of the part.</param>
/// <param name="Checksum">The checksum of the part or, for a completion, of the object.</param>
/// <param name="SourceAlgorithm">The algorithm of the checksum that the source is verified with, if it is another one and the source is an object.</param>
/// <param name="SourceChecksum">The checksum of the part with that algorithm.</param>
internal sealed record UploadStep(int Part, string? ETag, string? Checksum, ChecksumAlgorithm? SourceAlgorithm = null, string? SourceChecksum = null)
{
    /// <summary>Creates the step of a part that was sent.</summary>
    public static UploadStep Sent(int number, string? etag, PartBody body)
        => new(number, etag, body.Checksum.ToBase64(), body.SourceChecksum?.Algorithm, body.SourceChecksum is { } source ? source.Crc.ToBase64(source.Algorithm) : null);
}
