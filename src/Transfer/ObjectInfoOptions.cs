namespace Transfer.S3;

/// <summary>The options of <see cref="ITransferClient.GetInfoAsync"/>.</summary>
public sealed record ObjectInfoOptions
{
    /// <summary>Gets the version of the object, in a versioned bucket.</summary>
    /// <value>The default is <see langword="null"/>: the latest version.</value>
    public string? VersionId { get; init; }

    /// <summary>Gets the customer-provided key that the object was encrypted with (SSE-C).</summary>
    /// <value>
    /// The default is <see langword="null"/>, no key. The key is sent only over HTTPS or to this machine. Otherwise, the call fails before anything is sent.
    /// </value>
    public CustomerKey? CustomerKey { get; init; }

    /// <summary>Gets a value that indicates whether the requester pays for the request (Requester Pays buckets).</summary>
    /// <value>
    /// <see langword="true"/> if the requester pays; otherwise, <see langword="false"/>. The default is <see langword="false"/>: Requester Pays buckets reject the
    /// request with status 403.
    /// </value>
    public bool RequesterPays { get; init; }
}
