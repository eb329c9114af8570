namespace Transfer.S3.Server.Storage;

/// <summary>A part of an object that was created by a multipart upload.</summary>
/// <param name="Number">The part number.</param>
/// <param name="Size">The size of the part, in bytes.</param>
/// <param name="Checksum">The checksum of the part, with the algorithm of the object.</param>
internal sealed record ObjectPart(int Number, long Size, string Checksum);
