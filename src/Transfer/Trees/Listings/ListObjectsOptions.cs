namespace Transfer.S3;

/// <summary>The options of <see cref="ITransferClient.ListObjectsAsync"/>.</summary>
/// <example>
/// <code>
/// ListObjectsOptions options = new() { Delimiter = "/" }; // as in a file manager
/// await foreach (ListedObject item in client.ListObjectsAsync("bucket", "photos/", options))
/// {
///     Console.WriteLine(item.IsPrefix ? $"folder {item.Key}" : $"{item.Key}, {item.Length} bytes");
/// }
/// </code>
/// </example>
public sealed record ListObjectsOptions
{
    /// <summary>Gets the delimiter that ends a level of keys, which is almost always a slash.</summary>
    /// <value>
    /// The default is <see langword="null"/>: all objects under the prefix are listed. With a delimiter, the keys that contain it after the prefix are replaced with
    /// one <see cref="ListedObject.IsPrefix"/> for each of their beginnings, up to and including the delimiter.
    /// </value>
    public string? Delimiter { get; init; }

    /// <summary>Gets the patterns of the objects to list. For their syntax, see <see cref="TreeOptions.Include"/>.</summary>
    /// <value>The default is an empty list: everything is listed.</value>
    /// <remarks>
    /// Patterns are matched against the path relative to the folder of the prefix, which ends in its last slash: <c>*.jpg</c> and <c>raw/</c> are the same for the
    /// prefixes <c>photos/</c> and <c>photos/r</c>. The object <c>photos/</c> itself has no name there, so it is listed only without patterns. With a
    /// <see cref="Delimiter"/>, prefixes are listed if the patterns can select an object below them, whatever the <see cref="Filter"/> says of its properties.
    /// </remarks>
    public IReadOnlyList<string> Include { get; init; } = [];

    /// <summary>Gets the patterns of the objects to exclude from <see cref="Include"/>. Excluded folders of more than a page are skipped without a request for each page.</summary>
    /// <value>The default is an empty list: nothing is excluded.</value>
    public IReadOnlyList<string> Exclude { get; init; } = [];

    /// <summary>Gets the filter by ordered rules for paths, sizes, times, and storage classes.</summary>
    /// <value>The default is <see langword="null"/>: only <see cref="Include"/> and <see cref="Exclude"/> select.</value>
    public ObjectFilter? Filter { get; init; }

    /// <summary>Gets the time whose objects are listed, in a bucket that keeps versions.</summary>
    /// <value>The default is <see langword="null"/>: the current objects are listed. With a time that is in the future, they are, too.</value>
    /// <remarks>
    /// <para>
    /// All versions are listed, and for each key the newest one that is not younger than this is returned, with its <see cref="ListedObject.VersionId"/>. A key
    /// that was deleted at that time is left out. Times are those of the store, and many stores have no fractions of seconds.
    /// </para>
    /// <para>
    /// A bucket without versions has only its current objects, so those that were replaced or deleted since are missing.
    /// </para>
    /// </remarks>
    public DateTimeOffset? AsOf { get; init; }

    /// <summary>Gets a value that indicates whether all versions and delete markers are listed.</summary>
    /// <value><see langword="true"/> to list them; otherwise, <see langword="false"/>. The default is <see langword="false"/>: only current objects are listed.</value>
    /// <remarks>
    /// Each has its <see cref="ListedObject.VersionId"/>, and <see cref="ListedObject.IsLatest"/> and <see cref="ListedObject.IsDeleteMarker"/> say what it is. The
    /// versions of a key follow one another in the order of the store, from the newest to the oldest. In a bucket without versions, each object is its only version. It can't be combined with
    /// <see cref="AsOf"/>.
    /// </remarks>
    /// <example>
    /// <code>
    /// await foreach (ListedObject version in client.ListObjectsAsync("bucket", "photos/", new ListObjectsOptions { Versions = true }))
    /// {
    ///     Console.WriteLine($"{version.Key} {version.VersionId}{(version.IsLatest ? ", the latest" : "")}{(version.IsDeleteMarker ? ", deleted" : "")}");
    /// }
    /// </code>
    /// </example>
    public bool Versions { get; init; }

    /// <summary>Gets a value that indicates whether the requester pays for the requests (Requester Pays buckets).</summary>
    /// <value>
    /// <see langword="true"/> if the requester pays; otherwise, <see langword="false"/>. The default is <see langword="false"/>: Requester Pays buckets reject the
    /// requests with status 403.
    /// </value>
    public bool RequesterPays { get; init; }
}
