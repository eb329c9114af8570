using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>What an earlier run says that it has done.</summary>
/// <param name="Header">Of what, and how.</param>
/// <param name="Parts">The parts that the store has taken, by their numbers.</param>
/// <param name="Completing">The object's checksum, if it was about to be completed.</param>
internal sealed record FormerUpload(UploadHeader Header, IReadOnlyDictionary<int, UploadStep> Parts, string? Completing)
{
    /// <summary>Returns the parts as the store would list them, but without checksums, so that the file is compared with the journal's.</summary>
    public IReadOnlyDictionary<int, SentPart> ToSentParts() => Parts.Values.ToDictionary(
        part => part.Part,
        part => new SentPart(part.Part, Math.Min(Header.PartBytes, Header.Bytes - ((part.Part - 1) * Header.PartBytes)), part.ETag, null));
}
