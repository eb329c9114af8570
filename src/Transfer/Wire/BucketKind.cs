namespace Transfer.Wire;

/// <summary>What a bucket's name tells of it.</summary>
internal static class BucketKind
{
    /// <summary>Whether it is a directory bucket (Amazon S3 User Guide, "Directory bucket naming rules").</summary>
    public static bool IsDirectory(string bucket) => bucket.EndsWith("--x-s3", StringComparison.Ordinal);
}
