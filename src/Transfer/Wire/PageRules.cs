namespace Transfer.S3.Wire;

/// <summary>The rules for the lists of S3.</summary>
internal static class PageRules
{
    /// <summary>The uploads of one key are listed by age, so their IDs have no order (Amazon S3 API Reference, "ListMultipartUploads").</summary>
    public static readonly PageRule<UnfinishedUpload> Uploads = new("list of uploads", static upload => new PagePlace(upload.Key)) { CanShare = true };

    public static readonly PageRule<SentPart> SentParts = new("list of parts", static part => new PagePlace(string.Empty, part.Number)) { GetSize = static part => part.LengthBytes };

    public static readonly PageRule<ListedPart> StoredParts = new("list of parts", static part => new PagePlace(string.Empty, part.Number)) { GetSize = static part => part.Length };

    /// <summary>Not every store lists its buckets in the order of their names.</summary>
    public static readonly PageRule<ListedBucket> Buckets = new("list of buckets", static bucket => new PagePlace(bucket.Name)) { IsOrdered = false };

    private static readonly PageRule<ListedObject> Ordered = new("listing", static item => new PagePlace(item.Key)) { GetSize = static item => item.Length };

    private static readonly PageRule<ListedObject> Unordered = Ordered with { IsOrdered = false };

    /// <summary>The rule for versions. Those of one key are listed by age, so their IDs have no order (Amazon S3 API Reference, "ListObjectVersions").</summary>
    public static readonly PageRule<ListedObject> Versions = Ordered with { CanShare = true };

    /// <summary>Gets the rule for the objects of a bucket. Directory buckets have no order (Amazon S3 API Reference, "ListObjectsV2").</summary>
    public static PageRule<ListedObject> GetObjects(string bucket) => BucketKind.IsDirectory(bucket) ? Unordered : Ordered;
}
