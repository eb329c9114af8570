namespace Transfer.S3;

/// <summary>The result of an upload.</summary>
/// <example>
/// <code>
/// UploadResult result = await client.UploadAsync("report.csv", "bucket", "report.csv");
/// Console.WriteLine($"{result.ETag}, {result.Verdict.Algorithm}: {result.Verdict.Value}, {result.Statistics.Elapsed.TotalSeconds} s");
/// </code>
/// </example>
public sealed record UploadResult
{
    /// <summary>Gets the ETag of the object, with its quotes, as the store returned it.</summary>
    public string? ETag { get; init; }

    /// <summary>Gets the version of the object; <see langword="null"/> if the bucket isn't versioned.</summary>
    public string? VersionId { get; init; }

    /// <summary>Gets the result of the verification: whether the store confirmed the checksum that the client computed.</summary>
    public required ChecksumVerdict Verdict { get; init; }

    /// <summary>
    /// Gets the number of parts of the multipart upload; 0 if the object was uploaded with a single PUT request, or if <see cref="UploadOptions.ReuseParts"/> was set and
    /// the object was the same already.
    /// </summary>
    public required int Parts { get; init; }

    /// <summary>Gets the time, the requests, and the bytes of the upload.</summary>
    public required TransferStatistics Statistics { get; init; }
}
