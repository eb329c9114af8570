using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>The options that calls about one existing object share: its version, and what its store needs to give access to it.</summary>
/// <example>
/// <code>
/// ObjectAccessOptions options = new() { VersionId = "3HL4kqtJlcpXroDTDmJ.rmSpXd3dIbrHY" };
/// ObjectInfo info = await client.GetInfoAsync("bucket", "report.csv", options);
/// </code>
/// </example>
public record ObjectAccessOptions
{
    /// <summary>Gets the version of the object, in a versioned bucket.</summary>
    /// <value>The default is <see langword="null"/>: the latest version at the time of the first request.</value>
    public string? VersionId { get; init; }

    /// <summary>Gets the customer-provided key that the object was encrypted with (SSE-C).</summary>
    /// <value>
    /// The default is <see langword="null"/>, no key. The key is sent only over HTTPS or to this machine. Otherwise, the call fails before anything is sent.
    /// </value>
    [JsonIgnore]
    public CustomerKey? CustomerKey { get; init; }

    /// <summary>Gets a value that indicates whether the requester pays for the requests (Requester Pays buckets).</summary>
    /// <value>
    /// <see langword="true"/> if the requester pays; otherwise, <see langword="false"/>. The default is <see langword="false"/>: Requester Pays buckets reject the
    /// requests with status 403.
    /// </value>
    public bool RequesterPays { get; init; }
}
