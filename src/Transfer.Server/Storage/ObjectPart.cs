namespace Transfer.Server.Storage;

/// <summary>A part of an object that was uploaded in parts.</summary>
/// <param name="Number">Its part number.</param>
/// <param name="Size">Its bytes.</param>
/// <param name="Checksum">Its checksum, of the object's algorithm.</param>
internal sealed record ObjectPart(int Number, long Size, string Checksum);
