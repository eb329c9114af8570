using Transfer.Integrity;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>The parts that an earlier run has sent, by its journal and by the store's own list.</summary>
/// <param name="former">What the journal says.</param>
/// <param name="sent">What the store says.</param>
internal sealed class FormerParts(FormerUpload? former, IReadOnlyDictionary<int, SentPart> sent)
{
    public static readonly FormerParts None = new(null, new Dictionary<int, SentPart>());

    private long _unreadBytes = former?.Header.Checksum is null or ChecksumAlgorithm.None ? 0 : sent.Values.Sum(static part => part.LengthBytes);

    /// <summary>The size of the parts that were not compared yet. A later run can still use them.</summary>
    public long UnreadBytes => Interlocked.Read(ref _unreadBytes);

    /// <summary>Returns the part of this number if the store has it with the content that was read now. Called once per part.</summary>
    /// <remarks>
    /// Its checksum decides: the one that the store lists; or that of the journal, if the part that the store lists is still the one that the journal speaks of; or
    /// an entity tag that is the content's MD5.
    /// </remarks>
    public UploadedPart? Find(int number, PartBody body)
    {
        if (!sent.TryGetValue(number, out SentPart? part))
        {
            return null;
        }

        if (UnreadBytes > 0)
        {
            Interlocked.Add(ref _unreadBytes, -part.LengthBytes);
        }

        if (part.ETag is null || part.LengthBytes != body.Length || body.Checksum.ToBase64() is not { } checksum)
        {
            return null;
        }

        ChecksumAlgorithm algorithm = body.Checksum.Algorithm;
        bool isSame = part.Checksum is { } stored && stored.Algorithm == algorithm ? stored.Value == checksum
            : algorithm == ChecksumAlgorithm.Md5 && Md5Tag.Matches(part.ETag, checksum) ? true
            : former is not null && former.Header.Checksum == algorithm && former.Parts.TryGetValue(number, out UploadStep? step) && step.ETag == part.ETag && step.Checksum == checksum;
        return isSame ? new UploadedPart(number, part.ETag, checksum) : null;
    }
}
