namespace Transfer.S3.Wire;

/// <summary>The objects to list.</summary>
/// <param name="Bucket">The bucket.</param>
/// <param name="Prefix">The prefix of the keys.</param>
/// <param name="Access">The access options.</param>
/// <param name="Delimiter">The delimiter of the level to list; null for all levels.</param>
internal sealed record ListQuery(string Bucket, string Prefix, ReadAccess Access, string? Delimiter = null)
{
    /// <summary>Gets the key after which the listing starts; null for the first one. Directory buckets don't support it.</summary>
    public string? StartAfter { get; init; }

    /// <summary>Gets the maximum number of objects of a page; null for that of the store.</summary>
    public int? MaxKeys { get; init; }

    /// <summary>Gets a value that indicates whether the states of restorations are requested, which not every store returns.</summary>
    public bool WithRestoreStates { get; init; }

    /// <summary>Gets a value that indicates whether all versions and delete markers are listed.</summary>
    public bool Versions { get; init; }

    /// <summary>Gets the time whose objects are listed; null for now. A store can't do that, so it is never part of a request.</summary>
    public DateTimeOffset? AsOf { get; init; }
}
