using System.Globalization;
using System.Text.Json.Serialization;

namespace Transfer.S3.Wire;

/// <summary>The ETag of a part and, if one was sent, its checksum.</summary>
/// <remarks>It can't be created without an ETag, because the object can't be completed without that of each part.</remarks>
internal sealed record UploadedPart
{
    [JsonConstructor]
    public UploadedPart(int number, string etag, string? checksum = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(etag);
        Number = number;
        ETag = etag;
        Checksum = checksum;
    }

    /// <param name="number">The number of the part.</param>
    /// <param name="etag">The ETag in the response, if any.</param>
    /// <param name="checksum">The checksum of the part, if any.</param>
    /// <param name="response">The response.</param>
    /// <exception cref="WireException">Thrown when the response has no ETag, or isn't that of a store.</exception>
    public UploadedPart(int number, string? etag, string? checksum, StoreResponse response)
    {
        // A store that returns no ETag for one part returns none for the others either, so no more data is sent.
        ETag = !response.IsWebPage && !string.IsNullOrEmpty(etag) ? etag
            : response.IsOfStore ? throw response.Failure(FailureKind.Final, string.Create(CultureInfo.InvariantCulture, $"the store returned no ETag for part {number}"))
            : throw response.Unclear("it has no ETag");
        Number = number;
        Checksum = checksum;
    }

    public int Number { get; }

    public string ETag { get; }

    public string? Checksum { get; }

    /// <summary>Gets a value that indicates whether the store returned the checksum, so that it knows checksums of parts.</summary>
    public bool IsChecksumKnown { get; init; }
}
