namespace Transfer.S3;

/// <summary>The result of an operation on many objects: a transfer, a synchronization, a comparison, or a deletion.</summary>
/// <example>
/// <code>
/// DirectoryOptions options = new() { OnFailure = FailurePolicy.Continue };
/// DirectoryResult result = await client.UploadDirectoryAsync("photos", "bucket", "photos/", options);
/// foreach (Outcome failure in result.Failures)
/// {
///     Console.WriteLine($"{failure.Name}: {failure.Error?.Message}");
/// }
/// </code>
/// </example>
public sealed record DirectoryResult
{
    /// <summary>Gets how many files or objects ended in which way.</summary>
    public required Counts Counts { get; init; }

    /// <summary>
    /// Gets the first 1,000 files or objects that failed, were in conflict, or differ, in the order of the bytes of their names. The callback of the options receives
    /// all of them.
    /// </summary>
    /// <remarks>With <see cref="FailurePolicy.Abort"/>, the first failure is thrown, and there is no result.</remarks>
    public required IReadOnlyList<Outcome> Failures { get; init; }

    /// <summary>
    /// Gets the time in which readers could see some of the new objects and not all, from the first request that published one to the last response, with
    /// <see cref="PublishMode.AllAtOnce"/>.
    /// </summary>
    /// <value><see langword="null"/> if nothing was published, or if each object was published when it was uploaded.</value>
    public TimeSpan? PublishWindow { get; init; }

    /// <summary>Gets the time, the requests, and the bytes of the operation.</summary>
    public required TransferStatistics Statistics { get; init; }
}
