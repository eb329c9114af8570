using Transfer.S3.Integrity;

namespace Transfer.S3.Wire;

/// <summary>What the headers of a response tell about an object: its properties, and what only transfers need.</summary>
/// <param name="Info">The properties of the object.</param>
internal sealed record ObjectHead(ObjectInfo Info)
{
    /// <summary>Gets the type of <see cref="ObjectInfo.Checksum"/>, as the store returned it; null if it didn't.</summary>
    public string? ChecksumType { get; init; }

    /// <summary>Gets the reason why the checksum wasn't requested from the store although it was wanted; null if there is none.</summary>
    public string? ChecksumNotRequested { get; init; }

    /// <summary>Gets all headers of the response, in its order. They are available only if <see cref="ReadAccess.KeepsHeaders"/> was set.</summary>
    public IReadOnlyList<ResponseHeader> Headers { get; init; } = [];

    /// <summary>Gets the date of the response to a HEAD request, by the store's clock; null if it is not known.</summary>
    public DateTimeOffset? AnsweredAt { get; init; }

    /// <summary>
    /// Gets the response to a read, an <see cref="HttpResponseMessage"/> or a <see cref="Amazon.S3.Model.GetObjectResponse"/>. Only its headers can be used, and it is
    /// available only if <see cref="ReadAccess.KeepsAnswer"/> was set.
    /// </summary>
    public object? Answer { get; init; }

    /// <summary>Gets the checksum of the object, completed with what the ETag tells about its parts; null if there is none.</summary>
    public StoredChecksum? Checksum => Info.Checksum is { } stored ? CompositeChecksum.Complete(stored, ChecksumType, Info.ETag) : null;
}
