using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>A download that has ended.</summary>
/// <param name="Result">The result.</param>
/// <param name="Answer">The response that the properties of the object were read from; null unless <see cref="ReadAccess.KeepsAnswer"/> was set.</param>
internal sealed record CompletedDownload(DownloadResult Result, object? Answer)
{
    /// <summary>Gets the checksum of the content that was received; null if it isn't known. It is known if it was compared, or if it was wanted.</summary>
    public ContentChecksum? Content { get; init; }

    /// <param name="first">What the first response told about the object.</param>
    /// <param name="length">The number of bytes that were downloaded.</param>
    /// <param name="verdict">The result of the verification.</param>
    /// <param name="reporter">The reporter of the transfer.</param>
    /// <param name="sum">Computes the CRC-64/NVME of the content, if its checksum must be known; otherwise, null.</param>
    public static CompletedDownload From(ObjectHead first, long length, ChecksumVerdict verdict, TransferReporter reporter, Func<string?>? sum = null) => new(
        new DownloadResult
        {
            Info = first.Info,
            Verdict = verdict,
            Parts = reporter.Bytes.Parts,
            Statistics = reporter.GetStatistics() with { BytesTransferred = length },
        },
        first.Answer)
    {
        Content = (verdict.IsVerified ? ContentChecksum.From(verdict.Algorithm, verdict.Value) : null)
            ?? (sum is null ? null : ContentChecksum.From(ChecksumAlgorithm.Crc64Nvme, sum())),
    };
}
