namespace Transfer.Wire;

/// <summary>The object that an upload is to publish, beside its bytes.</summary>
internal sealed record NewObject(
    ObjectAddress Address,
    ChecksumAlgorithm Checksum,
    bool OnlyIfAbsent,
    string? ContentType,
    IReadOnlyDictionary<string, string>? Metadata);
