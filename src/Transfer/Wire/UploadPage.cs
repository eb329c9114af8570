namespace Transfer.Wire;

/// <summary>Some unfinished multipart uploads.</summary>
/// <param name="Uploads">In the store's order: by key, then by age.</param>
/// <param name="Next">Behind which the next page begins; null where there is none.</param>
/// <param name="StoreTime">The store's time when it answered; null if it did not tell.</param>
internal sealed record UploadPage(IReadOnlyList<UnfinishedUpload> Uploads, UploadMarker? Next, DateTimeOffset? StoreTime = null);
