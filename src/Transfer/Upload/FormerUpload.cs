namespace Transfer.Upload;

/// <summary>What an earlier run says that it has done.</summary>
/// <param name="Header">Of what, and how.</param>
/// <param name="Parts">The parts that the store has taken, by their numbers.</param>
/// <param name="Completing">The object's checksum, if it was about to be completed.</param>
internal sealed record FormerUpload(UploadHeader Header, IReadOnlyDictionary<int, UploadStep> Parts, string? Completing);
