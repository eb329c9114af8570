using Transfer.S3.Integrity;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>The progress of an upload of an earlier run.</summary>
/// <param name="Header">The object and the options of the upload.</param>
/// <param name="Parts">The parts that the store has received, by their numbers.</param>
/// <param name="Completing">The checksum of the object if the upload was about to be completed.</param>
internal sealed record ResumedUpload(UploadHeader Header, IReadOnlyDictionary<int, UploadStep> Parts, string? Completing)
{
    /// <summary>Gets the parts as the store would list them, but without checksums, so that the file is compared with the checksums of the journal.</summary>
    public IReadOnlyDictionary<int, SentPart> ToSentParts() => Parts.Values.ToDictionary(
        part => part.Part,
        part => new SentPart(part.Part, GetLength(part.Part), part.ETag, null));

    /// <summary>Gets the checksum that was computed of a part; null if there is none, or the journal doesn't contain the part.</summary>
    public PartChecksumValue? GetChecksum(int number)
        => Parts.TryGetValue(number, out UploadStep? step) ? PartChecksum.TryParse(Header.Checksum, step.Checksum, GetLength(number)) : null;

    /// <summary>Gets the checksum of a part that the source can be verified with; null if there is none.</summary>
    public PartChecksumValue? GetSourceChecksum(int number)
        => Parts.TryGetValue(number, out UploadStep? step) && step.SourceAlgorithm is { } algorithm ? PartChecksum.TryParse(algorithm, step.SourceChecksum, GetLength(number)) : GetChecksum(number);

    private long GetLength(int number) => Math.Min(Header.PartBytes, Header.Bytes - ((number - 1) * Header.PartBytes));
}
