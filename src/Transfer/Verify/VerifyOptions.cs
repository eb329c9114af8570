namespace Transfer;

/// <summary>Options of one comparison of a file with an object.</summary>
public sealed record VerifyOptions
{
    /// <summary>The version to compare with, in a bucket that keeps them.</summary>
    /// <value>Default: null, the newest.</value>
    public string? VersionId { get; init; }

    /// <summary>Gets the limits of the bytes per second that are read for this comparison. The client's limits apply as well.</summary>
    /// <value>The default is <see langword="null"/>, only those of the client.</value>
    public RateLimit? RateLimit { get; init; }

    /// <summary>The key that the object was encrypted with, where the store does not keep it (SSE-C).</summary>
    /// <value>Default: null, none. It is refused over plain http to anything but this machine, before anything is sent.</value>
    public CustomerKey? CustomerKey { get; init; }

    /// <summary>Agree to pay for the requests, where the bucket's owner leaves that to those who read.</summary>
    /// <value>Default: false; such a bucket then refuses with status 403.</value>
    public bool RequesterPays { get; init; }

    /// <summary>Read the object, up to the first byte that differs, where neither its size nor a checksum nor its entity tag can tell.</summary>
    /// <value>Default: true. When false, such a comparison ends with <see cref="VerifyMethod.None"/>: nothing was compared.</value>
    public bool ReadContent { get; init; } = true;
}
