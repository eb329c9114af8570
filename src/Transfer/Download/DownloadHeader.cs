namespace Transfer.S3.Download;

/// <summary>The first line of a download's journal, which identifies the object and the ETag that the parts belong to.</summary>
internal sealed record DownloadHeader(int Format, string Bucket, string Key, string ETag, long Bytes)
{
    public const int CurrentFormat = 1;
}
