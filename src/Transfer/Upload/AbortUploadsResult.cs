namespace Transfer.S3;

/// <summary>The result of <see cref="ITransferClient.AbortUploadsAsync"/>.</summary>
public sealed record AbortUploadsResult
{
    /// <summary>Gets the uploads that were aborted or, for a dry run, that would be aborted. They are in the order of the store, which is by key.</summary>
    public required IReadOnlyList<UnfinishedUpload> Aborted { get; init; }

    /// <summary>Gets the uploads that could not be aborted.</summary>
    public required IReadOnlyList<UploadAbortFailure> Failures { get; init; }

    /// <summary>Gets the number of uploads that were kept because they are too recent, or because the store doesn't return their age.</summary>
    public required int Kept { get; init; }

    /// <summary>Gets the time from the call to its end.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Gets the number of requests that were sent, including retries.</summary>
    public required int Requests { get; init; }

    /// <summary>Gets the number of requests that were retries of failed requests.</summary>
    public required int Retries { get; init; }
}
