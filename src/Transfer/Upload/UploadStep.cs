namespace Transfer.Upload;

/// <summary>A step of an upload.</summary>
/// <param name="Part">The number of a part that the store has received; 0 if the upload is about to be completed.</param>
/// <param name="ETag">The ETag of the part.</param>
/// <param name="Checksum">The checksum of the part or, for a completion, of the object.</param>
internal sealed record UploadStep(int Part, string? ETag, string? Checksum);
