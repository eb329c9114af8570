namespace Transfer.S3.Requests;

/// <summary>What a transfer is about, as its listeners are told.</summary>
internal readonly record struct TransferSubject(TransferDirection Direction, string Bucket, string Key);
