namespace Transfer.S3;

/// <summary>The result of <see cref="ITransferClient.DeleteAsync"/>.</summary>
public sealed record DeleteResult
{
    /// <summary>
    /// Gets the version that was deleted, or the version of the delete marker that was created; <see langword="null"/> if the store didn't return it.
    /// </summary>
    public string? VersionId { get; init; }

    /// <summary>Gets a value that indicates whether <see cref="VersionId"/> is a delete marker.</summary>
    public bool IsDeleteMarker { get; init; }

    /// <summary>Gets the time, the requests, and the bytes of the deletion.</summary>
    public required TransferStatistics Statistics { get; init; }
}
