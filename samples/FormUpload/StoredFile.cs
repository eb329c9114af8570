namespace FormUpload;

/// <summary>What the response says about a file of a form.</summary>
/// <param name="Key">The key of the object.</param>
/// <param name="Name">The name that the sender gave the file, without folders.</param>
/// <param name="ContentType">The content type that the sender gave the file.</param>
/// <param name="Bytes">The size.</param>
/// <param name="ETag">The ETag of the object.</param>
internal sealed record StoredFile(string Key, string Name, string ContentType, long Bytes, string? ETag);
