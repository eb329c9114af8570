namespace Transfer.Upload;

/// <summary>What an upload has done.</summary>
/// <param name="Part">The number of a part that the store has taken; 0 where the upload is about to be completed.</param>
/// <param name="ETag">The part's entity tag.</param>
/// <param name="Checksum">The part's checksum, or the object's.</param>
internal sealed record UploadStep(int Part, string? ETag, string? Checksum);
