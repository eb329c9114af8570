using Amazon.S3.Transfer;
using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>How equally three clients, each with its own slots and limits, share one link.</summary>
internal static class SharedLinkContest
{
    private const int Clients = 3;
    private const long MiB = 1024 * 1024;

    public static Contest SharedLink { get; } = new("link-shared", [12 * 1024 * MiB],
    [
        new("TransferUtility.OpenStream", static bench => ReadAsync(bench, OpenUtilityAsync)),
        new("OpenReadAsync, Stream", static bench => ReadAsync(bench, OpenAsync)),
    ])
    {
        Description = "Three clients that start together and read over one link: the rates of the slowest and the fastest in the second half, relative to a third of the link.",
        Figures = Figures.Shares,
        WarmUp = null,
        Servers = [ServerKind.DiscardingLink],
    };

    /// <summary>Reads until all clients together have read as many bytes as the object has.</summary>
    private static async Task ReadAsync(Workbench bench, Func<Workbench, Task<(Stream Stream, IAsyncDisposable Owner)>> openAsync)
    {
        long[] bytes = new long[Clients];
        long[]? half = null;
        long total = 0;
        await Task.WhenAll(Enumerable.Range(0, Clients).Select(ReadOneAsync));
        double second = bytes.Sum() - half!.Sum();
        bench.Shares = [.. bytes.Zip(half!, (end, middle) => (end - middle) / second)];

        async Task ReadOneAsync(int client)
        {
            byte[] buffer = new byte[128 * 1024];
            (Stream stream, IAsyncDisposable owner) = await openAsync(bench);
            await using (owner)
            await using (stream)
            {
                int count;
                while (Interlocked.Read(ref total) < bench.ObjectBytes && (count = await stream.ReadAsync(buffer)) > 0)
                {
                    Interlocked.Add(ref bytes[client], count);
                    if (Interlocked.Add(ref total, count) >= bench.ObjectBytes / 2 && half is null)
                    {
                        Interlocked.CompareExchange(ref half, [.. bytes], null);
                    }
                }
            }
        }
    }

    private static async Task<(Stream Stream, IAsyncDisposable Owner)> OpenAsync(Workbench bench)
    {
        TransferClient client = new(bench.S3, new TransferClientOptions());
        return (await client.OpenReadAsync(BenchmarkStore.Bucket, bench.Key), client);
    }

    private static async Task<(Stream Stream, IAsyncDisposable Owner)> OpenUtilityAsync(Workbench bench)
    {
        TransferUtilityOpenStreamResponse response = await bench.Utility.OpenStreamWithResponseAsync(Contests.Ranges(bench));
        return (response.ResponseStream, response.ResponseStream);
    }
}
