using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>The progress of an upload of an earlier run.</summary>
/// <param name="Header">The object and the options of the upload.</param>
/// <param name="Parts">The parts that the store has received, by their numbers.</param>
/// <param name="Completing">The checksum of the object if the upload was about to be completed.</param>
internal sealed record ResumedUpload(UploadHeader Header, IReadOnlyDictionary<int, UploadStep> Parts, string? Completing)
{
    /// <summary>Gets the parts as the store would list them, but without checksums, so that the file is compared with the checksums of the journal.</summary>
    public IReadOnlyDictionary<int, SentPart> ToSentParts() => Parts.Values.ToDictionary(
        part => part.Part,
        part => new SentPart(part.Part, Math.Min(Header.PartBytes, Header.Bytes - ((part.Part - 1) * Header.PartBytes)), part.ETag, null));
}
