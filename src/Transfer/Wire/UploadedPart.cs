namespace Transfer.Wire;

/// <summary>The ETag of a part and, if one was sent, its checksum, as the store confirmed them.</summary>
internal readonly record struct UploadedPart(int Number, string? ETag, string? Checksum);
