namespace Transfer.S3;

/// <summary>The result of an upload.</summary>
public sealed record UploadResult
{
    /// <summary>Gets the ETag of the object, with its quotes, as the store returned it.</summary>
    public string? ETag { get; init; }

    /// <summary>Gets the version of the object; <see langword="null"/> if the bucket isn't versioned.</summary>
    public string? VersionId { get; init; }

    /// <summary>Gets the size of the object, in bytes.</summary>
    public required long BytesTransferred { get; init; }

    /// <summary>Gets the number of these bytes that an interrupted earlier upload had already sent. They were compared with the file, and not sent again.</summary>
    public long BytesResumed { get; init; }

    /// <summary>Gets the result of the verification: whether the store confirmed the checksum that the client computed.</summary>
    public required ChecksumVerdict Verdict { get; init; }

    /// <summary>Gets the time from the call to the end of the upload.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Gets the number of parts of the multipart upload; 0 if the object was uploaded with a single PUT request.</summary>
    public required int Parts { get; init; }

    /// <summary>Gets the number of requests that were sent, including retries.</summary>
    public required int Requests { get; init; }

    /// <summary>Gets the number of requests that were retries of failed requests.</summary>
    public required int Retries { get; init; }

    /// <summary>Gets the number of requests that were sent again because the first one was slow. They are included in <see cref="Requests"/>.</summary>
    public int Hedged { get; init; }

    /// <summary>Gets a breakdown of the time that the upload took, with the factor that limited its speed.</summary>
    public TransferTimes Times { get; init; } = new();

    /// <summary>
    /// Gets the response of the store, an <see cref="HttpResponseMessage"/> or the SDK's response. Only its headers can be used. With
    /// <see cref="TransferWire.Http"/>, it is available only if <see cref="UploadOptions.KeepAnswer"/> was set.
    /// </summary>
    internal object? Answer { get; init; }

    /// <summary>Gets the location of the object as the store returned it.</summary>
    internal string? Location { get; init; }
}
