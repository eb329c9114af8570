namespace Transfer;

/// <summary>
/// How the store is to encrypt an object with keys of its own or of its key service (SSE-S3, SSE-KMS, DSSE-KMS; Amazon S3 User Guide, "Protecting data with
/// server-side encryption"). A key of the caller's own is a <see cref="CustomerKey"/>.
/// </summary>
public sealed record ObjectEncryption
{
    private ObjectEncryption(string algorithm) => Algorithm = algorithm;

    /// <summary>With a key of the store's own (SSE-S3).</summary>
    public static ObjectEncryption Aes256 { get; } = new("AES256");

    /// <summary>The algorithm's name as S3 takes it: <c>AES256</c>, <c>aws:kms</c> or <c>aws:kms:dsse</c>.</summary>
    public string Algorithm { get; }

    /// <summary>The key's id, alias or ARN in the key service.</summary>
    /// <value>Null for the service's default key.</value>
    public string? KeyId { get; private init; }

    /// <summary>The encryption context: base64 of a JSON object of strings, as S3 takes it.</summary>
    public string? Context { get; private init; }

    /// <summary>Whether the store is to ask the key service for a key of the bucket instead of one for each object.</summary>
    /// <value>Null for the bucket's own setting.</value>
    public bool? UsesBucketKey { get; private init; }

    /// <summary>With a key of the key service (SSE-KMS).</summary>
    /// <param name="keyId">The key's id, alias or ARN; null for the service's default key.</param>
    /// <param name="context">The encryption context: base64 of a JSON object of strings.</param>
    /// <param name="usesBucketKey">Whether one key of the bucket is used instead of one for each object; null for the bucket's own setting.</param>
    /// <returns>The encryption.</returns>
    public static ObjectEncryption Kms(string? keyId = null, string? context = null, bool? usesBucketKey = null)
        => new("aws:kms") { KeyId = keyId, Context = context, UsesBucketKey = usesBucketKey };

    /// <summary>Twice, with a key of the key service (DSSE-KMS).</summary>
    /// <param name="keyId">The key's id, alias or ARN; null for the service's default key.</param>
    /// <param name="context">The encryption context: base64 of a JSON object of strings.</param>
    /// <returns>The encryption.</returns>
    public static ObjectEncryption KmsTwice(string? keyId = null, string? context = null) => new("aws:kms:dsse") { KeyId = keyId, Context = context };
}
