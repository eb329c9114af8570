using Transfer.S3.Integrity;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>The parts that an earlier run has sent, from its journal and from the list of the store.</summary>
/// <param name="former">The upload in the journal.</param>
/// <param name="sent">The parts in the list of the store.</param>
/// <param name="areCopied">Whether the store has copied the parts, so that they have no checksum of this machine.</param>
internal sealed class ResumedParts(ResumedUpload? former, IReadOnlyDictionary<int, SentPart> sent, bool areCopied = false)
{
    public static readonly ResumedParts None = new(null, new Dictionary<int, SentPart>());

    private long _unreadBytes = former is null || (former.Header.Checksum == ChecksumAlgorithm.None && !areCopied) ? 0 : sent.Values.Sum(static part => part.LengthBytes);

    /// <summary>Gets the size of the parts that were not compared yet, in bytes. A later run can still use them.</summary>
    public long UnreadBytes => Interlocked.Read(ref _unreadBytes);

    /// <summary>Gets a part if the store has it with the content that was just read. Called once per part.</summary>
    /// <remarks>
    /// The checksum of the content must be equal to the checksum that the store lists, to that of the journal if its ETag is still the one that the store lists, or
    /// to an ETag that is the MD5 of the content.
    /// </remarks>
    public UploadedPart? Find(int number, PartBody body) => Find(number, body.Length, body.Checksum.Algorithm, body.Checksum.ToBase64());

    /// <inheritdoc cref="Find(int, PartBody)"/>
    public UploadedPart? Find(int number, long length, ChecksumAlgorithm algorithm, string? content)
    {
        if (!sent.TryGetValue(number, out SentPart? part))
        {
            return null;
        }

        Count(part);
        if (part.ETag is null || part.LengthBytes != length || content is not { } checksum)
        {
            return null;
        }

        bool isSame = part.Checksum is { } stored && stored.Algorithm == algorithm ? stored.Value == checksum
            : algorithm is ChecksumAlgorithm.Md5 or ChecksumAlgorithm.ContentMd5 && Md5Tag.Matches(part.ETag, checksum) ? true
            : former is not null && former.Header.Checksum == algorithm && former.Parts.TryGetValue(number, out UploadStep? step) && step.ETag == part.ETag && step.Checksum == checksum;
        return isSame ? new UploadedPart(number, part.ETag, checksum) { IsChecksumKnown = part.Checksum is not null } : null;
    }

    /// <summary>Gets a part that the store has as the journal describes it, and the checksums that were computed when it was read.</summary>
    /// <remarks>It is used only for sources that can't have changed.</remarks>
    public (UploadedPart Part, PartChecksumValue Checksum, PartChecksumValue SourceChecksum)? FindUnread(int number, long length)
    {
        if (former is null
            || !sent.TryGetValue(number, out SentPart? part) || part.ETag is null || part.LengthBytes != length
            || !former.Parts.TryGetValue(number, out UploadStep? step) || step.ETag != part.ETag
            || former.GetChecksum(number) is not { } checksum || former.GetSourceChecksum(number) is not { } ofSource
            || (part.Checksum is { } stored && stored.Algorithm == checksum.Algorithm && stored.Value != step.Checksum))
        {
            return null;
        }

        return (new UploadedPart(number, part.ETag, step.Checksum) { IsChecksumKnown = part.Checksum is not null }, checksum, ofSource);
    }

    /// <summary>Gets a part that the store has as the journal describes it. Its source can't have changed.</summary>
    public UploadedPart? FindCopied(int number, long length)
        => former is not null && sent.TryGetValue(number, out SentPart? part) && part.ETag is { Length: > 0 } etag && part.LengthBytes == length
            && former.Parts.TryGetValue(number, out UploadStep? step) && step.ETag == etag ? new UploadedPart(number, etag, step.Checksum) : null;

    /// <summary>Counts a part as compared that was not read again.</summary>
    public void Skip(int number)
    {
        if (sent.TryGetValue(number, out SentPart? part))
        {
            Count(part);
        }
    }

    private void Count(SentPart part)
    {
        if (UnreadBytes > 0)
        {
            Interlocked.Add(ref _unreadBytes, -part.LengthBytes);
        }
    }
}
