using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>The outcome of an upload.</summary>
internal sealed record PublishedUpload(PublishedObject Object, ChecksumVerdict Verdict, int Parts)
{
    public UploadResult ToResult(TransferReporter reporter) => new()
    {
        ETag = Object.ETag,
        VersionId = Object.VersionId,
        Verdict = Verdict,
        Parts = Parts,
        Statistics = reporter.GetStatistics(),
    };
}
