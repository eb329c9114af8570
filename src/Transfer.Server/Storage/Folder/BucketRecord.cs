namespace Transfer.S3.Server.Storage.Folder;

/// <summary>The stored form of a bucket.</summary>
internal sealed record BucketRecord(int Schema, DateTimeOffset Created, BucketSettings? Settings = null) : IRecord
{
    public bool IsSound() => Settings?.IsSound() != false;
}
