using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Locks;

/// <summary>The object lock of a bucket, which allows locks on its objects.</summary>
/// <param name="Default">The retention of objects that are stored without one; null for none.</param>
internal sealed record BucketLock(DefaultRetention? Default)
{
    /// <summary>Returns a new object with the retention of the bucket if it has none of its own.</summary>
    public StoredObject Apply(StoredObject value) => Default is null || value.Attributes.LockMode is not null
        ? value
        : value with { Attributes = value.Attributes with { LockMode = Default.Mode, RetainUntil = Default.EndFrom(value.LastModified) } };
}
