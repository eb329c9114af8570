namespace Transfer.Wire;

/// <summary>What the store tells of an object's content without its bytes.</summary>
/// <param name="Info">What the object is.</param>
/// <param name="HidesMd5">
/// Whether the object is encrypted in a way that makes its entity tag something else than an MD5: by a key of KMS or of the customer (Amazon S3 API Reference,
/// "Object").
/// </param>
internal sealed record StoredContent(ObjectInfo Info, bool HidesMd5);
