namespace Transfer.Wire;

/// <summary>The end of a page of incomplete uploads.</summary>
internal sealed record UploadMarker(string Key, string? UploadId);
