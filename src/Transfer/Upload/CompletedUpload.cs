using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>An upload that has ended.</summary>
/// <param name="Result">The result.</param>
/// <param name="Published">What the store returned for the object; null if the client of another implementation has sent it.</param>
internal sealed record CompletedUpload(UploadResult Result, PublishedObject? Published);
