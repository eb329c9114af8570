namespace Transfer.S3.Cli.Rendering;

/// <summary>The concurrency at the end of a transfer, by direction.</summary>
internal sealed record ConcurrencyJson(DirectionJson Download, DirectionJson Upload)
{
    public static ConcurrencyJson From(TransferClient client) => new(DirectionJson.From(client.DownloadConcurrency), DirectionJson.From(client.UploadConcurrency));
}
