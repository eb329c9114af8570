namespace Transfer.S3.Concurrency;

/// <summary>Specifies the direction in which a request transfers data. Each direction of a link has its own limit.</summary>
internal enum RequestDirection
{
    Download,
    Upload,
}
