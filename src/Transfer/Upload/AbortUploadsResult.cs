namespace Transfer.S3;

/// <summary>The result of <see cref="ITransferClient.AbortUploadsAsync"/>.</summary>
public sealed record AbortUploadsResult
{
    /// <summary>Gets the uploads that were aborted or, for a dry run, that would be aborted. They are in the order of the store, which is by key.</summary>
    public required IReadOnlyList<UnfinishedUpload> Aborted { get; init; }

    /// <summary>Gets the uploads that could not be aborted, each with its <see cref="UnfinishedUpload.Error"/>.</summary>
    public required IReadOnlyList<UnfinishedUpload> Failures { get; init; }

    /// <summary>Gets the number of uploads that were kept because they are too recent, or because the store doesn't return their age.</summary>
    public required int KeptCount { get; init; }

    /// <summary>Gets the time, the requests, and the bytes of the call.</summary>
    public required TransferStatistics Statistics { get; init; }
}
