namespace Transfer.S3.Cli.Connections;

/// <summary>The clients of a copy.</summary>
/// <param name="Source">The client of the source, or of the only store.</param>
/// <param name="Other">The client of the target, if it is in another store.</param>
internal sealed record CopyClients(TransferClient Source, TransferClient? Other) : IAsyncDisposable
{
    /// <summary>Gets the client of the target.</summary>
    public TransferClient Target => Other ?? Source;

    /// <summary>Gets the largest number of bytes of buffer memory that were rented at the same time.</summary>
    public long PeakRentedBytes => Source.PeakRentedBytes + (Other?.PeakRentedBytes ?? 0);

    /// <summary>Gets the number of requests in flight.</summary>
    public int RequestsInFlight => InFlight(Source) + (Other is null ? 0 : InFlight(Other));

    public async ValueTask DisposeAsync()
    {
        await Source.DisposeAsync().ConfigureAwait(false);
        if (Other is not null)
        {
            await Other.DisposeAsync().ConfigureAwait(false);
        }
    }

    private static int InFlight(TransferClient client) => client.DownloadConcurrency.InFlight + client.UploadConcurrency.InFlight;
}
