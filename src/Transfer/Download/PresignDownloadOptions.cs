namespace Transfer.S3;

/// <summary>The options of a URL that anyone can read an object with: <see cref="ITransferClient.PresignDownloadAsync"/>.</summary>
/// <example>
/// <code>
/// Uri url = await client.PresignDownloadAsync("bucket", "2026/q3.pdf", new PresignDownloadOptions
/// {
///     Lifetime = TimeSpan.FromMinutes(5),
///     ContentDisposition = "attachment; filename=\"report.pdf\"",
/// });
/// </code>
/// </example>
public sealed record PresignDownloadOptions
{
    /// <summary>Gets how long the URL works. It stops working earlier if the credentials that signed it expire earlier.</summary>
    /// <value>The default is one hour. Range: 1 second to 7 days (Amazon S3 User Guide, "Sharing objects with presigned URLs"). Fractions of a second are ignored.</value>
    public TimeSpan Lifetime { get; init; } = TimeSpan.FromHours(1);

    /// <summary>Gets the version of the object, in a versioned bucket.</summary>
    /// <value>The default is <see langword="null"/>: the latest version at the time of each request.</value>
    public string? VersionId { get; init; }

    /// <summary>Gets the <c>Content-Disposition</c> header of the response, which tells a browser whether it saves the content, and under which name.</summary>
    /// <value>The default is <see langword="null"/>: the header of the object, if it has one.</value>
    public string? ContentDisposition { get; init; }

    /// <summary>Gets the <c>Content-Type</c> header of the response.</summary>
    /// <value>The default is <see langword="null"/>: the content type of the object.</value>
    public string? ContentType { get; init; }
}
