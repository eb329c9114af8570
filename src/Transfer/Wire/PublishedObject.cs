namespace Transfer.S3.Wire;

/// <summary>The response to the request that published an object.</summary>
/// <remarks>
/// It can't be created without an ETag, which every store returns. A response without one can come from a proxy or a web server, so that it isn't known whether the
/// object was published.
/// </remarks>
internal sealed record PublishedObject
{
    /// <param name="etag">The ETag in the response, if any.</param>
    /// <param name="versionId">The version ID, if any.</param>
    /// <param name="checksum">The checksum of the object, if any.</param>
    /// <param name="response">The response.</param>
    /// <exception cref="WireException">Thrown when the response isn't that of a store.</exception>
    public PublishedObject(string? etag, string? versionId, StoredChecksum? checksum, StoreResponse response)
    {
        ETag = response.IsWebPage || string.IsNullOrEmpty(etag) ? throw response.Unclear("it has no ETag") : etag;
        VersionId = versionId;
        Checksum = checksum;
    }

    private PublishedObject() => ETag = string.Empty;

    /// <summary>Gets what stands for an object that isn't published yet (<see cref="StagedUpload"/>). Its ETag is empty.</summary>
    public static PublishedObject Staged { get; } = new();

    public string ETag { get; }

    public string? VersionId { get; }

    public StoredChecksum? Checksum { get; }

    /// <summary>
    /// Gets the original response, an <see cref="HttpResponseMessage"/> or a response of the SDK; null if the object was found after the response was lost. Only its headers can be
    /// used.
    /// </summary>
    public object? Answer { get; init; }

    /// <summary>Gets the server-side encryption of the object by its S3 name; null if the store didn't return it.</summary>
    public string? Encryption { get; init; }

    /// <summary>Gets the location of the object, which stores return for multipart uploads only.</summary>
    public string? Location { get; init; }
}
