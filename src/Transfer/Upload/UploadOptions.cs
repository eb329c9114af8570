namespace Transfer;

/// <summary>Options of one upload. What is null is taken from the client's <see cref="TransferClientOptions"/>.</summary>
public sealed record UploadOptions
{
    /// <summary>Bytes of a part. It grows where 10,000 parts of it would not hold the object.</summary>
    /// <value>
    /// Default: <see cref="TransferClientOptions.UploadPartSizeBytes"/>. Range: 5 MiB to 5 GiB, S3's own limits
    /// (Amazon S3 User Guide, "Multipart upload limits"), and not more than the memory budget.
    /// </value>
    public long? PartSizeBytes { get; init; }

    /// <summary>Parts of this object under way at once, at the most.</summary>
    /// <value>Default: <see cref="TransferClientOptions.UploadConcurrency"/>. Range: 1 to 1024.</value>
    public int? MaxPartsInFlight { get; init; }

    /// <summary>Objects smaller than this go up in one PUT.</summary>
    /// <value>Default: <see cref="TransferClientOptions.MultipartThresholdBytes"/>. Range: 0 to 5 GiB.</value>
    public long? MultipartThresholdBytes { get; init; }

    /// <summary>The checksum that is sent with every part and compared with what the store answers.</summary>
    /// <value>Default: <see cref="ChecksumAlgorithm.Auto"/>, which is CRC-64/NVME as long as the store does not refuse it. <see cref="ChecksumAlgorithm.Sha1"/> is refused.</value>
    public ChecksumAlgorithm Checksum { get; init; }

    /// <summary>Fail with status 412 if the key exists when the upload is published (S3's <c>If-None-Match: *</c>).</summary>
    /// <value>Default: false.</value>
    public bool OnlyIfAbsent { get; init; }

    /// <summary>The media type to store.</summary>
    /// <value>
    /// Default: null, which is what the extension of the source's file name stands for, or else the key's;
    /// <c>application/octet-stream</c> where neither is known.
    /// </value>
    public string? ContentType { get; init; }

    /// <summary>User metadata, without the <c>x-amz-meta-</c> prefix.</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    /// <summary>Events of this transfer, beside those of the client.</summary>
    public TransferEvents? Events { get; init; }
}
