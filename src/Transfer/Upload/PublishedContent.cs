using System.Net;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>
/// Identifies an object that an upload or a copy publishes, to find out after a lost response whether it was published. The content alone is no proof, because the
/// same content may have existed before. The metadata and, as far as the store returns them, the other properties must be the same too, and the date must not be before the start of the upload.
/// </summary>
internal sealed record PublishedContent
{
    private const string EncryptionHeader = "x-amz-server-side-encryption";

    /// <summary>
    /// The maximum difference between the clocks of the store and this machine. If it is larger, the store rejects requests (Amazon S3 API Reference, "Error
    /// responses", RequestTimeTooSkewed).
    /// </summary>
    private static readonly TimeSpan MaxSkew = TimeSpan.FromMinutes(15);

    /// <summary>The tolerance for HTTP dates, which are whole seconds, and for differences between the clocks of the store's machines.</summary>
    private static readonly TimeSpan Tolerance = TimeSpan.FromSeconds(5);

    private static readonly StoreResponse Answered = new(HttpStatusCode.OK, RequestId: null, ContentType: null, IsOfStore: true);

    public required long LengthBytes { get; init; }

    public required ChecksumAlgorithm Algorithm { get; init; }

    /// <summary>Gets the checksum of the object; null if none was computed.</summary>
    public required string? Checksum { get; init; }

    /// <summary>Gets the MD5 of the content, or of the MD5s of the parts, which many stores use as the ETag; null if it isn't known.</summary>
    public string? Md5 { get; init; }

    /// <summary>Gets the headers that the object was published with.</summary>
    public required ObjectHeaders Headers { get; init; }

    /// <summary>
    /// Gets the time when the PUT or the multipart upload started, by the clock of this machine; null if it isn't known. The date of a multipart object is that of
    /// its creation request on Amazon S3 (Amazon S3 User Guide, "System-defined object metadata"), and that of its completion on other stores.
    /// </summary>
    public required DateTimeOffset? Began { get; init; }

    /// <summary>Finds the object with a HEAD request.</summary>
    public async Task<PublishedLookup> FindAsync(TransferRun run, ObjectAddress address, CancellationToken cancellationToken)
    {
        try
        {
            ObjectHead head = await run.SendAsync(token => run.Client.Wire.HeadAsync(address.WithHeaders, token), cancellationToken).ConfigureAwait(false);
            ObjectInfo found = head.Info;
            bool isIt = found.ETag is not null && HasContent(found) && HasMetadata(found) && HasProperties(head) && !IsOlder(head, run.Client.Time.GetUtcNow());
            return new PublishedLookup(isIt ? GetObject(head) : null, IsAnswered: true);
        }
        catch (WireException e)
        {
            return new PublishedLookup(null, IsAnswered: e.StatusCode == HttpStatusCode.NotFound);
        }
    }

    /// <summary>Creates the result for an object that is there already.</summary>
    public static PublishedObject GetObject(ObjectHead found) => new(found.Info.ETag, found.Info.VersionId, found.Info.Checksum, Answered) { Encryption = GetHeader(found, EncryptionHeader) };

    /// <summary>Returns whether an object that is there already has the properties that an upload would give it.</summary>
    /// <remarks>The tags, the lock, and the ACL aren't known. A storage class or an encryption that isn't given is that of the bucket, or of a lifecycle rule.</remarks>
    public static bool IsAsWanted(ObjectHead found, ObjectHeaders wanted)
    {
        PublishedContent content = new() { LengthBytes = 0, Algorithm = default, Checksum = null, Headers = wanted, Began = null };
        if (wanted.Lock is not null || wanted.Tags is { Count: > 0 } || wanted.Encryption is { Algorithm: not "AES256" } || wanted.Values[ObjectHeader.Acl] is not null
            || !content.HasMetadata(found.Info) || !content.HasProperties(found))
        {
            return false;
        }

        foreach (ObjectHeader header in ObjectHeader.All)
        {
            string? value = found.Info.Headers[header];
            bool isDefault = header == ObjectHeader.ContentType && wanted.Values[header] is null && value is ("application/octet-stream" or "binary/octet-stream"); // of stores
            if (header.IsKept && wanted.Values[header] != value && !isDefault)
            {
                return false;
            }
        }

        return true;
    }

    private bool HasContent(ObjectInfo found)
    {
        if (found.Length != LengthBytes)
        {
            return false;
        }

        if (Algorithm != ChecksumAlgorithm.ContentMd5 && Checksum is not null
            && found.Checksum is { } stored && stored.Algorithm == Algorithm && stored.IsComposite == Checksum.Contains('-', StringComparison.Ordinal))
        {
            return stored.Value == Checksum;
        }

        return (Md5 ?? (Algorithm is ChecksumAlgorithm.Md5 or ChecksumAlgorithm.ContentMd5 ? Checksum : null)) is { } md5 && Md5Tag.Matches(found.ETag, md5);
    }

    private bool HasMetadata(ObjectInfo found)
        => found.Metadata.Count == (Headers.Metadata?.Count ?? 0)
            && (Headers.Metadata is null || Headers.Metadata.All(pair => found.Metadata.TryGetValue(pair.Key.ToLowerInvariant(), out string? value) && value.Trim() == pair.Value.Trim()));

    /// <summary>Compares what stores return only sometimes: the number of tags, the storage class, and the encryption.</summary>
    private bool HasProperties(ObjectHead found)
        => (found.Info.TagCount is not { } tags || tags == (Headers.Tags?.Count ?? 0))
            && IsSame(Headers.Values[ObjectHeader.StorageClass], GetHeader(found, "x-amz-storage-class"))
            && IsSame(Headers.Encryption?.Algorithm, GetHeader(found, EncryptionHeader));

    private static bool IsSame(string? sent, string? found) => sent is null || found is null || sent == found;

    private static string? GetHeader(ObjectHead found, string name)
        => found.Headers.FirstOrDefault(header => header.Name.Equals(name, StringComparison.OrdinalIgnoreCase)).Value;

    /// <summary>
    /// Compares the age of the object by the clock of the store with the age of the upload by the clock of this machine, so that the clocks don't have to be
    /// synchronized.
    /// </summary>
    private bool IsOlder(ObjectHead found, DateTimeOffset now)
        => found.Info.LastModified is { } modified && Began is { } began
            && (found.AnsweredAt is { } answered ? answered - modified > now - began + Tolerance : modified < began - MaxSkew);
}
