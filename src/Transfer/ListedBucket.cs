namespace Transfer.S3;

/// <summary>A bucket in the list of all buckets.</summary>
public readonly record struct ListedBucket
{
    /// <summary>Gets the name of the bucket.</summary>
    public required string Name { get; init; }

    /// <summary>Gets the time at which the bucket was created; <see langword="null"/> if the store didn't return it.</summary>
    public DateTimeOffset? Created { get; init; }
}
