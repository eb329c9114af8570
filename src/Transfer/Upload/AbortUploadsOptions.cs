namespace Transfer.S3;

/// <summary>The options of <see cref="ITransferClient.AbortUploadsAsync"/>.</summary>
/// <example>
/// <code>
/// AbortUploadsOptions options = new() { OlderThan = TimeSpan.FromDays(7), DryRun = true };
/// AbortUploadsResult result = await client.AbortUploadsAsync("bucket", "photos/", options);
/// Console.WriteLine($"{result.Aborted.Count} uploads would be aborted.");
/// </code>
/// </example>
public sealed record AbortUploadsOptions
{
    /// <summary>Gets the minimum age of the uploads to abort.</summary>
    /// <value>Zero or more. The default is <see langword="null"/>: all uploads are aborted, including those in progress.</value>
    /// <remarks>
    /// The age is determined by the clock of the store, or by <see cref="AdvancedOptions.TimeProvider"/> if responses have no date, for example with a mock.
    /// </remarks>
    public TimeSpan? OlderThan { get; init; }

    /// <summary>Gets a value that indicates whether the uploads that would be aborted are only listed.</summary>
    /// <value>The default is <see langword="false"/>.</value>
    public bool DryRun { get; init; }
}
