namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>An idle reader and an incomplete writer, which hold memory of a client during another operation.</summary>
internal sealed class Bystanders : IAsyncDisposable
{
    public const string Bucket = "bystanders";
    private const string Key = "idle";
    private ObjectReadStream? _reader;
    private ObjectWriteStream? _writer;

    /// <summary>Opens both on a store that does not fail yet.</summary>
    public static async Task<Bystanders> OpenAsync(FaultStage stage)
    {
        await stage.StoreAsync(Key, FaultStage.Small, Bucket);
        Bystanders bystanders = new()
        {
            _reader = await stage.Client.OpenReadAsync(Bucket, Key).Within(),
            _writer = await stage.Client.OpenWriteAsync(Bucket, "unfinished").Within(),
        };
        byte[] first = new byte[1];
        await bystanders._reader.ReadExactlyAsync(first).Within();
        await bystanders._writer.WriteAsync(new byte[100_000]).Within(); // fits into the memory that each stream always has
        return bystanders;
    }

    public async ValueTask DisposeAsync()
    {
        await _reader!.DisposeAsync().Within();
        await _writer!.DisposeAsync().Within();
    }
}
