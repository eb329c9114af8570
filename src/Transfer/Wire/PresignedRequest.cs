namespace Transfer.S3.Wire;

/// <summary>A request that somebody without credentials sends: it is signed in its URL (Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters").</summary>
/// <param name="Method">GET to read the object, or PUT to send one part of an upload.</param>
/// <param name="Address">The object.</param>
/// <param name="Lifetime">How long the URL works, in whole seconds.</param>
internal sealed record PresignedRequest(HttpMethod Method, ObjectAddress Address, TimeSpan Lifetime)
{
    /// <summary>Gets the ID of the upload that the part belongs to; null to read the object.</summary>
    public string? UploadId { get; init; }

    public int? PartNumber { get; init; }

    /// <summary>Gets the length that the body must have; null to read the object.</summary>
    public long? LengthBytes { get; init; }

    /// <summary>Gets the name and the value of the header with the checksum that the body must have; null for any.</summary>
    public (string Name, string Value)? Checksum { get; init; }

    /// <summary>Gets the Content-Disposition header of the response; null for that of the object.</summary>
    public string? ContentDisposition { get; init; }

    /// <summary>Gets the Content-Type header of the response; null for that of the object.</summary>
    public string? ContentType { get; init; }
}
