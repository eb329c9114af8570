namespace Transfer.S3.Server.Replay;

/// <summary>A response of a recording.</summary>
/// <param name="Status">The status; 0 if there was no response.</param>
/// <param name="Headers">The headers.</param>
/// <param name="Document">The body, if it is a document; null if it is the data of an object, which recordings don't contain.</param>
/// <param name="Received">The number of bytes of the body that arrived.</param>
/// <param name="IsBroken">Whether the connection broke before the end of the response.</param>
internal sealed record RecordedResponse(int Status, IReadOnlyList<KeyValuePair<string, string>> Headers, string? Document, long Received, bool IsBroken)
{
    /// <summary>Gets the length of the whole body.</summary>
    public long Length => long.TryParse(Header("Content-Length"), out long length) ? length : Received;

    /// <summary>Gets the size of the object; null if the response doesn't tell it.</summary>
    public long? ObjectSize
        => Header("Content-Range") is { } range ? (long.TryParse(range[(range.LastIndexOf('/') + 1)..], out long total) ? total : null)
            : Status == 200 && Document is null && Header("Content-Length") is not null ? Length
            : null;

    public string? Header(string name) => Headers.FirstOrDefault(header => string.Equals(header.Key, name, StringComparison.OrdinalIgnoreCase)).Value;
}
