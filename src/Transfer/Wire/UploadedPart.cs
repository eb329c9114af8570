namespace Transfer.Wire;

/// <summary>What the store confirmed of a part or an object: its entity tag and, where one was sent, its checksum.</summary>
internal readonly record struct UploadedPart(int Number, string? ETag, string? Checksum);
