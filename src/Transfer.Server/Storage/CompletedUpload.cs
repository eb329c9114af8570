using Transfer.S3.Server.Checksums;

namespace Transfer.S3.Server.Storage;

/// <summary>The result of a completed upload, so that a client that lost the response can get it again.</summary>
/// <param name="UploadId">The ID of the upload.</param>
/// <param name="Key">The key of the object.</param>
/// <param name="Parts">The number and ETag of each part, in one string.</param>
/// <param name="ETag">The ETag of the published object.</param>
/// <param name="Checksum">The checksum of the published object.</param>
internal sealed record CompletedUpload(string UploadId, string Key, string Parts, string ETag, ObjectChecksum Checksum);
