namespace Transfer.Wire;

/// <summary>What the store tells of an object's content without its bytes.</summary>
/// <param name="Info">What the object is.</param>
/// <param name="HidesMd5">
/// Whether its entity tag is something else than an MD5 by all rules: the object is encrypted with a key of KMS or of the customer, or in a directory bucket
/// (Amazon S3 API Reference, "Object").
/// </param>
internal sealed record StoredContent(ObjectInfo Info, bool HidesMd5);
