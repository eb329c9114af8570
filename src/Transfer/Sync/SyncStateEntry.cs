namespace Transfer.S3.Sync;

/// <summary>A name whose source and target had the same content while both had these marks.</summary>
internal readonly record struct SyncStateEntry(string Name, SyncMark Source, SyncMark Target);
