namespace Transfer.S3;

/// <summary>
/// The protection of a new object from deletion and replacement (Amazon S3 User Guide, "Locking objects with Object Lock"). The bucket must have Object Lock enabled.
/// </summary>
/// <example>
/// <code>
/// ObjectLock protection = new() { Mode = RetentionMode.Compliance, RetainUntil = DateTimeOffset.UtcNow.AddYears(7) };
/// await client.UploadAsync("invoice.pdf", "bucket", "invoice.pdf", new UploadOptions { Lock = protection });
/// </code>
/// </example>
public sealed record ObjectLock
{
    /// <summary>Gets who can change the retention.</summary>
    /// <value>The default is <see cref="RetentionMode.Governance"/>. It has a meaning only together with <see cref="RetainUntil"/>.</value>
    public RetentionMode Mode { get; init; }

    /// <summary>Gets the time until which the object is retained.</summary>
    /// <value>The default is <see langword="null"/>: the object isn't retained for a time, apart from the default retention of the bucket.</value>
    public DateTimeOffset? RetainUntil { get; init; }

    /// <summary>Gets a value that indicates whether the object has a legal hold, which protects it until the hold is removed.</summary>
    /// <value><see langword="true"/> to place a legal hold; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    public bool LegalHold { get; init; }

    /// <summary>Gets the mode in its header; null if there is no time.</summary>
    internal string? ModeHeader => RetainUntil is null ? null : Mode == RetentionMode.Compliance ? "COMPLIANCE" : "GOVERNANCE";

    /// <summary>Gets the time in its header; null if there is none.</summary>
    internal string? RetainUntilHeader => RetainUntil?.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", System.Globalization.CultureInfo.InvariantCulture);

    /// <summary>Gets the legal hold in its header; null if there is none.</summary>
    internal string? LegalHoldHeader => LegalHold ? "ON" : null;
}
