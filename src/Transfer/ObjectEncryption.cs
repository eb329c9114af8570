using System.Text.Json;
using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>
/// The server-side encryption of an object with a key that the store or its key service manages (SSE-S3, SSE-KMS, or DSSE-KMS; Amazon S3 User Guide, "Protecting
/// data with server-side encryption"). For customer-provided keys, use <see cref="CustomerKey"/>.
/// </summary>
/// <example>
/// <code>
/// UploadOptions options = new() { Encryption = ObjectEncryption.Kms("alias/reports") };
/// await client.UploadAsync("report.csv", "bucket", "report.csv", options);
/// </code>
/// </example>
public sealed record ObjectEncryption
{
    [JsonConstructor]
    internal ObjectEncryption(string algorithm, string? keyId = null, string? context = null, bool? usesBucketKey = null)
    {
        Algorithm = algorithm is "AES256" or "aws:kms" or "aws:kms:dsse" ? algorithm : throw new JsonException($"the encryption '{algorithm}' is unknown");
        (KeyId, Context, UsesBucketKey) = (keyId, context, usesBucketKey);
    }

    /// <summary>Gets the encryption with a key that the store manages (SSE-S3).</summary>
    public static ObjectEncryption Aes256 { get; } = new("AES256");

    /// <summary>Gets the name of the algorithm in S3: <c>AES256</c>, <c>aws:kms</c>, or <c>aws:kms:dsse</c>.</summary>
    public string Algorithm { get; }

    /// <summary>Gets the ID, alias, or ARN of the KMS key; <see langword="null"/> for the default key of the service.</summary>
    public string? KeyId { get; }

    /// <summary>Gets the encryption context, the base64 encoding of a JSON object of strings; <see langword="null"/> if there is none.</summary>
    public string? Context { get; }

    /// <summary>
    /// Gets a value that indicates whether a key of the bucket is used instead of one key for each object; <see langword="null"/> for the setting of the bucket.
    /// </summary>
    public bool? UsesBucketKey { get; }

    /// <summary>Creates an encryption with a KMS key (SSE-KMS).</summary>
    /// <param name="keyId">The ID, alias, or ARN of the key; <see langword="null"/> for the default key of the service.</param>
    /// <param name="context">The encryption context, the base64 encoding of a JSON object of strings; <see langword="null"/> for none.</param>
    /// <param name="usesBucketKey">
    /// <see langword="true"/> to use a key of the bucket; <see langword="false"/> to use one key for each object; <see langword="null"/> for the setting of the
    /// bucket.
    /// </param>
    /// <returns>The encryption.</returns>
    public static ObjectEncryption Kms(string? keyId = null, string? context = null, bool? usesBucketKey = null)
        => new("aws:kms", keyId, context, usesBucketKey);

    /// <summary>Creates a dual-layer encryption with a KMS key (DSSE-KMS).</summary>
    /// <param name="keyId">The ID, alias, or ARN of the key; <see langword="null"/> for the default key of the service.</param>
    /// <param name="context">The encryption context, the base64 encoding of a JSON object of strings; <see langword="null"/> for none.</param>
    /// <returns>The encryption.</returns>
    public static ObjectEncryption KmsDualLayer(string? keyId = null, string? context = null) => new("aws:kms:dsse", keyId, context);
}
