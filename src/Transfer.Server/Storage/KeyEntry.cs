namespace Transfer.S3.Server.Storage;

/// <summary>A key in a listing, or the common prefix of a group of keys.</summary>
internal readonly record struct KeyEntry(string Text, bool IsGroup);
