namespace Transfer.Concurrency;

/// <summary>The direction in which a request moves data. Each direction of a link has its own limit.</summary>
internal enum RequestDirection
{
    Download,
    Upload,
}
