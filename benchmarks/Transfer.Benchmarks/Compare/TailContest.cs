using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The end of a download and its slow connections, with and without the features that reduce their duration.</summary>
internal static class TailContest
{
    private const long MiB = 1024 * 1024;
    private const long PartBytes = 8 * MiB;

    public static Contest Tail { get; } = new("tail", [300 * MiB, 2048 * MiB],
    [
        new("TransferUtility.OpenStream", Contests.UtilityStreamAsync),
        ToFile("DownloadAsync to a file, fixed parts, no hedges", new TransferClientOptions { DownloadPartSizeBytes = PartBytes, HedgeRequests = false }),
        ToFile("DownloadAsync to a file, no hedges", new TransferClientOptions { HedgeRequests = false }),
        ToFile("DownloadAsync to a file", new TransferClientOptions()),
        new("OpenReadAsync, Stream", Contests.StreamAsync),
    ])
    {
        Description = "Downloading over a link, and over one where the data of 2% of the responses is slow, with and without smaller ranges at the end and hedged requests.",
        WarmUp = null,
        Servers = [ServerKind.Link, ServerKind.SlowConnections],
    };

    private static Contender ToFile(string name, TransferClientOptions options)
        => new(name, bench => bench.Client.DownloadAsync(BenchmarkStore.Bucket, bench.Key, bench.Path)) { ClientOptions = options };
}
