namespace Transfer.S3;

/// <summary>Selects files and objects by their path, size, time, and storage class. What is selected meets all of its conditions.</summary>
/// <example>
/// <code>
/// ObjectFilter filter = new()
/// {
///     Rules = [new FilterRule("*", IsIncluded: false), new FilterRule("*.jpg", IsIncluded: true)], // the last one that matches decides
///     MaxSizeBytes = 10 &lt;&lt; 20,
/// };
/// await client.DownloadDirectoryAsync("bucket", "photos/", "photos", new DirectoryOptions { Filter = filter });
/// </code>
/// </example>
public sealed record ObjectFilter
{
    /// <summary>Gets the rules for paths, in their order. The last rule that matches a path decides, as with the AWS CLI.</summary>
    /// <value>The default is an empty list: all paths are selected.</value>
    /// <remarks>
    /// A path that no rule matches is selected if the first rule excludes, and not selected if the first rule includes. For the syntax of patterns, see
    /// <see cref="TreeOptions.Include"/>. Rules can't be combined with <see cref="TreeOptions.Include"/> and <see cref="TreeOptions.Exclude"/>, which
    /// are the same as rules that include, followed by rules that exclude.
    /// </remarks>
    public IReadOnlyList<FilterRule> Rules { get; init; } = [];

    /// <summary>Gets the minimum size, in bytes.</summary>
    /// <value>The default is <see langword="null"/>: no minimum. Range: 0 or more.</value>
    public long? MinSizeBytes { get; init; }

    /// <summary>Gets the maximum size, in bytes.</summary>
    /// <value>The default is <see langword="null"/>: no maximum. Range: 0 or more, and not less than <see cref="MinSizeBytes"/>.</value>
    public long? MaxSizeBytes { get; init; }

    /// <summary>Gets the earliest last-modified time: of a file, or of an object as the store lists it.</summary>
    /// <value>The default is <see langword="null"/>: any time. What has no known time isn't selected by a time.</value>
    public DateTimeOffset? ModifiedSince { get; init; }

    /// <summary>Gets the time before which a file or an object must have been modified.</summary>
    /// <value>The default is <see langword="null"/>: any time. What has no known time isn't selected by a time.</value>
    public DateTimeOffset? ModifiedBefore { get; init; }

    /// <summary>Gets the storage classes of the objects, such as <c>GLACIER</c>. An object without a storage class in the listing has <c>STANDARD</c>.</summary>
    /// <value>The default is an empty list: any storage class. Files have none, so an upload can't have this condition.</value>
    public IReadOnlyList<string> StorageClasses { get; init; } = [];
}
