using Transfer.Server.Checksums;

namespace Transfer.Server.Storage;

/// <summary>How an upload was completed, so that a client that lost the answer gets it again.</summary>
/// <param name="UploadId">The upload.</param>
/// <param name="Key">The object's key.</param>
/// <param name="Parts">Number and ETag of each part, as one text.</param>
/// <param name="ETag">The tag of the object that was published.</param>
/// <param name="Checksum">Its checksum.</param>
internal sealed record CompletedUpload(string UploadId, string Key, string Parts, string ETag, ObjectChecksum Checksum);
