namespace Transfer.S3;

/// <summary>The result of a download.</summary>
/// <example>
/// <code>
/// DownloadResult result = await client.DownloadAsync("bucket", "report.csv", "report.csv");
/// if (!result.Verdict.IsVerified)
/// {
///     Console.WriteLine($"Not verified: {result.Verdict.Reason}");
/// }
/// </code>
/// </example>
public sealed record DownloadResult
{
    /// <summary>Gets the properties of the object.</summary>
    public required ObjectInfo Info { get; init; }

    /// <summary>Gets the result of the verification of the content.</summary>
    public required ChecksumVerdict Verdict { get; init; }

    /// <summary>Gets the number of ranges in which the object was downloaded.</summary>
    public required int Parts { get; init; }

    /// <summary>Gets the time, the requests, and the bytes of the download.</summary>
    public required TransferStatistics Statistics { get; init; }
}
