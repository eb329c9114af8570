namespace Transfer.Server.Storage;

/// <summary>A key of a listing, or the common prefix of a group of keys.</summary>
internal readonly record struct KeyEntry(string Text, bool IsGroup);
