using Transfer.S3.Observability;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>A download that has ended.</summary>
/// <param name="Result">The result.</param>
/// <param name="Answer">The response that the properties of the object were read from; null unless <see cref="ReadAccess.KeepsAnswer"/> was set.</param>
internal sealed record CompletedDownload(DownloadResult Result, object? Answer)
{
    /// <param name="first">What the first response told about the object.</param>
    /// <param name="length">The number of bytes that were downloaded.</param>
    /// <param name="verdict">The result of the verification.</param>
    /// <param name="reporter">The reporter of the transfer.</param>
    public static CompletedDownload From(ObjectHead first, long length, ChecksumVerdict verdict, TransferReporter reporter) => new(
        new DownloadResult
        {
            Info = first.Info,
            Verdict = verdict,
            Parts = reporter.Parts,
            Statistics = reporter.GetStatistics() with { BytesTransferred = length },
        },
        first.Answer);
}
