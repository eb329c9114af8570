namespace Transfer.S3.Download;

/// <summary>What was found under a key.</summary>
/// <param name="Object">The object; null if there is none, or if it can't be looked up.</param>
/// <param name="Error">The reason why it can't be looked up; null if it was.</param>
internal readonly record struct FoundObject(ListedObject? Object, TransferException? Error = null);
