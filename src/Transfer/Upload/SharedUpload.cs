using Transfer.S3.Integrity;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>A multipart upload whose parts are sent by several processes. None of them aborts or completes it at the end of its parts.</summary>
/// <param name="UploadId">The ID of the upload.</param>
/// <param name="Checksum">The algorithm of the checksums of its parts, unless the store rejects it.</param>
/// <param name="Sent">Called when the store has a part, with its length. It can throw, to end the upload of the other parts.</param>
internal sealed record SharedUpload(string UploadId, ChecksumAlgorithm Checksum, Action<UploadedPart, long, PartChecksumValue> Sent);
