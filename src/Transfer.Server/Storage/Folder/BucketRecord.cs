namespace Transfer.S3.Server.Storage.Folder;

/// <summary>The stored form of a bucket.</summary>
internal sealed record BucketRecord(int Schema, DateTimeOffset Created) : IRecord
{
    public bool IsSound() => true;
}
