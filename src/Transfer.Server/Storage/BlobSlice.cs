namespace Transfer.S3.Server.Storage;

/// <summary>A range of a blob: <c>[Offset, Offset + Length)</c>.</summary>
internal readonly record struct BlobSlice(IBlob Blob, long Offset, long Length);
