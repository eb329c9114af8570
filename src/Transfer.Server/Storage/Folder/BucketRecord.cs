namespace Transfer.Server.Storage.Folder;

/// <summary>A bucket as it is written down.</summary>
internal sealed record BucketRecord(int Schema, DateTimeOffset Created) : IRecord
{
    public bool IsSound() => true;
}
