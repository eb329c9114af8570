namespace Transfer.Download;

/// <summary>The first line of a download's journal: which state of which object the parts are of.</summary>
internal sealed record DownloadHeader(int Format, string Bucket, string Key, string ETag, long Bytes)
{
    public const int CurrentFormat = 1;
}
