namespace Transfer;

/// <summary>Options of one question for what an object is.</summary>
public sealed record ObjectInfoOptions
{
    /// <summary>The version that is asked about, in a bucket that keeps them.</summary>
    /// <value>Default: null, the newest.</value>
    public string? VersionId { get; init; }

    /// <summary>The key that the object was encrypted with, where the store does not keep it (SSE-C).</summary>
    /// <value>Default: null, none. It is refused over plain http to anything but this machine, before anything is sent.</value>
    public CustomerKey? CustomerKey { get; init; }

    /// <summary>Agree to pay for the request, where the bucket's owner leaves that to those who read.</summary>
    /// <value>Default: false; such a bucket then refuses with status 403.</value>
    public bool RequesterPays { get; init; }
}
