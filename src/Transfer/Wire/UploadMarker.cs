namespace Transfer.Wire;

/// <summary>Where a page of a list of unfinished uploads ends.</summary>
internal sealed record UploadMarker(string Key, string? UploadId);
