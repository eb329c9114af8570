namespace Transfer.S3;

/// <summary>The options of <see cref="TransferClient.RestoreAsync"/>.</summary>
/// <example>
/// <code>
/// await client.RestoreAsync("bucket", "archive/2019.tar", new RestoreOptions { Days = 3 });
/// </code>
/// </example>
public sealed record RestoreOptions
{
    /// <summary>The maximum of <see cref="Days"/>: the most days that Amazon S3 keeps a restored copy (Amazon S3 API Reference, "RestoreRequest").</summary>
    public const int MaxDays = 36_500;

    /// <summary>The default of <see cref="Days"/>.</summary>
    internal const int DefaultDays = 7;

    /// <summary>Gets the number of days for which the restored copy can be read. It is stored, and paid for, in addition to the archived object.</summary>
    /// <value>The default is 7. Range: 1 to 36,500.</value>
    public int Days { get; init; } = DefaultDays;

    /// <summary>Gets the version of the object, in a versioned bucket.</summary>
    /// <value>The default is <see langword="null"/>: the latest version.</value>
    public string? VersionId { get; init; }

    /// <summary>Gets a value that indicates whether the requester pays for the request (Requester Pays buckets).</summary>
    /// <value>
    /// <see langword="true"/> if the requester pays; otherwise, <see langword="false"/>. The default is <see langword="false"/>: Requester Pays buckets reject the
    /// request with status 403.
    /// </value>
    public bool RequesterPays { get; init; }

    /// <summary>Validates a number of days.</summary>
    internal static void Check(string name, int days) => OptionGuard.Number(name, days, 1, MaxDays);
}
