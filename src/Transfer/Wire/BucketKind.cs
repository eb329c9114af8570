namespace Transfer.S3.Wire;

/// <summary>Determines the kind of a bucket by its name.</summary>
internal static class BucketKind
{
    /// <summary>Returns whether a bucket is a directory bucket (Amazon S3 User Guide, "Directory bucket naming rules").</summary>
    public static bool IsDirectory(string bucket) => bucket.EndsWith("--x-s3", StringComparison.Ordinal);
}
