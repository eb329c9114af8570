namespace Transfer.S3;

/// <summary>A bucket in the list of all buckets.</summary>
/// <param name="Name">The name of the bucket.</param>
/// <param name="Created">The time at which the bucket was created; <see langword="null"/> if the store didn't return it.</param>
public readonly record struct ListedBucket(string Name, DateTimeOffset? Created);
