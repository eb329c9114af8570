using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>
/// The additional memory of HTTPS connections, compared with that of a plain <see cref="HttpClient"/>. Parts are small or sent from the caller's
/// memory, so that the client has few other buffers.
/// </summary>
internal static class TlsMemoryContest
{
    private const long RangeBytes = 256 * 1024;
    private const long PartBytes = 8 * 1024 * 1024;
    private const string Bucket = BenchmarkStore.Bucket;
    private static readonly int[] Connections = [8, 64];

    public static Contest TlsMemory { get; } = new("tls-memory", [2048L * 1024 * 1024],
    [
        .. Connections.Select(number => new Contender($"DownloadAsync, {number} connections", bench => bench.Client.DownloadAsync(Bucket, bench.Key, Stream.Null)) { ClientOptions = Fixed(number) }),
        .. Connections.Select(number => new Contender($"HttpClient, download, {number} connections", bench => PlainHttp.GetAsync(bench, number, RangeBytes))),
        .. Connections.Select(number => new Contender($"UploadAsync of memory, {number} connections", bench => bench.Client.UploadAsync(bench.Content, Bucket, "upload")) { ClientOptions = Fixed(number) }),
        .. Connections.Select(number => new Contender($"HttpClient, upload, {number} connections", bench => PlainHttp.PutAsync(bench, number, PartBytes))),
    ])
    {
        Description = "Downloading in ranges of 256 KiB and uploading memory with 8 and 64 connections over HTTP and HTTPS: the peak memory, compared with a plain HttpClient.",
        Figures = [Figures.PeakBuffers],
        Servers = [ServerKind.Discarding, ServerKind.DiscardingTls],
    };

    private static TransferClientOptions Fixed(int connections) => new() { MaxConcurrency = connections, DownloadPartSizeBytes = RangeBytes, UploadPartSizeBytes = PartBytes };
}
