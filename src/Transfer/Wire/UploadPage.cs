namespace Transfer.Wire;

/// <summary>One page of the incomplete multipart uploads.</summary>
/// <param name="Uploads">The uploads, in the order of the store: by key, and then by age.</param>
/// <param name="Next">The marker after which the next page begins; null if there is none.</param>
/// <param name="StoreTime">The time of the response by the clock of the store; null if it isn't known.</param>
internal sealed record UploadPage(IReadOnlyList<UnfinishedUpload> Uploads, UploadMarker? Next, DateTimeOffset? StoreTime = null);
