namespace Transfer;

/// <summary>Options of one download. What is null is taken from the client's <see cref="TransferClientOptions"/>.</summary>
public sealed record DownloadOptions
{
    /// <summary>The object's size and entity tag where they are known: all parts start at once, and no HEAD is ever sent.</summary>
    /// <value>Default: null, the first range's answer tells.</value>
    public ObjectHint? Hint { get; init; }

    /// <summary>Bytes asked for in one request, at the most.</summary>
    /// <value>Default: <see cref="TransferClientOptions.DownloadPartSizeBytes"/>. Range: 64 KiB to 5 GiB.</value>
    public long? PartSizeBytes { get; init; }

    /// <summary>Requests of this download under way at once, at the most.</summary>
    /// <value>Default: <see cref="TransferClientOptions.Concurrency"/>. Range: 1 to 1024.</value>
    public int? Concurrency { get; init; }

    /// <summary>The version to read, in a bucket that keeps them.</summary>
    /// <value>Default: null, the newest.</value>
    public string? VersionId { get; init; }

    /// <summary>Compare the content with the checksum that the store holds.</summary>
    /// <value>
    /// Default: true. Where the first answer brings no checksum, the store is asked for it in one more request beside the parts.
    /// </value>
    public bool Verify { get; init; } = true;

    /// <summary>Replace a file that is there already.</summary>
    /// <value>Default: true. When false, a download to an existing path fails before anything is sent.</value>
    public bool Overwrite { get; init; } = true;

    /// <summary>Events of this transfer, beside those of the client.</summary>
    public TransferEvents? Events { get; init; }
}
