using System.Collections.Concurrent;
using System.Net.Http.Headers;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The minimum cost of a transfer as a reference: a plain <see cref="HttpClient"/> without verification and retries.</summary>
internal static class PlainHttp
{
    public const int DefaultConnections = 4;
    public const long DefaultRangeBytes = 8 * 1024 * 1024;
    public static readonly Lazy<HttpClient> Client = new(static () => new HttpClient());

    private const int BufferBytes = 64 * 1024;

    // The number of ranges that the library's client has in flight on loopback.
    private const int HeldRanges = 12;

    // All requests send the same array.
    private static readonly Lazy<byte[]> Content = new(static () =>
    {
        byte[] content = new byte[DefaultRangeBytes];
        new Random(1).NextBytes(content);
        return content;
    });

    /// <summary>Reads the object in ranges, with an array for each connection.</summary>
    public static Task GetAsync(Workbench bench) => GetAsync(bench, DefaultConnections, DefaultRangeBytes);

    /// <summary>Reads the object in ranges, with the given number of connections and range size.</summary>
    public static Task GetAsync(Workbench bench, int connections, long rangeBytes)
        => ForRangesAsync(bench, connections, rangeBytes, (address, offset, length, buffer) => ReadAsync(address, offset, length, _ => buffer, static _ => { }), HttpVerb.GET, bench.Key);

    /// <summary>Reads the object in ranges, and computes the CRC-64 of all data, which is the minimum cost of a verified read.</summary>
    public static Task GetWithChecksumAsync(Workbench bench) => ForRangesAsync(
        bench,
        DefaultConnections,
        DefaultRangeBytes,
        (address, offset, length, buffer) =>
        {
            ulong checksum = 0;
            return ReadAsync(address, offset, length, _ => buffer, data => checksum = Crc.Crc64Nvme.Append(checksum, data.Span));
        },
        HttpVerb.GET,
        bench.Key);

    /// <summary>
    /// Reads and verifies the object, and keeps the ranges of all connections in memory, in reused arrays of 64 KiB. This is the minimum cost of a
    /// verified read in order, because a range must wait until all ranges before it have been read.
    /// </summary>
    public static async Task GetIntoMemoryWithChecksumAsync(Workbench bench)
    {
        ConcurrentQueue<byte[][]> ranges = new();
        for (int i = 0; i < HeldRanges; i++)
        {
            ranges.Enqueue([.. Enumerable.Range(0, (int)(DefaultRangeBytes / BufferBytes)).Select(_ => new byte[BufferBytes])]);
        }

        await ForRangesAsync(
            bench,
            DefaultConnections,
            DefaultRangeBytes,
            async (address, offset, length, _) =>
            {
                // Ranges are used in turn, so that each is reused only after all others, as when they wait for a reader.
                byte[][] range = ranges.TryDequeue(out byte[][]? free) ? free : throw new InvalidOperationException("There are fewer ranges than connections.");
                ulong checksum = 0;
                await ReadAsync(address, offset, length, received => range[received / BufferBytes].AsMemory((int)(received % BufferBytes)), data => checksum = Crc.Crc64Nvme.Append(checksum, data.Span));
                ranges.Enqueue(range);
            },
            HttpVerb.GET,
            bench.Key);
    }

    private static async Task ReadAsync(Uri address, long offset, long length, Func<long, Memory<byte>> bufferAt, Action<ReadOnlyMemory<byte>> use)
    {
        using HttpRequestMessage request = new(HttpMethod.Get, address) { Headers = { Range = new RangeHeaderValue(offset, offset + length - 1) } };
        using HttpResponseMessage response = await Client.Value.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
        response.EnsureSuccessStatusCode();
        await using Stream body = await response.Content.ReadAsStreamAsync();
        long received = 0;
        while (received < length)
        {
            Memory<byte> buffer = bufferAt(received);
            int count = await body.ReadAsync(buffer);
            if (count == 0)
            {
                throw new InvalidDataException($"Received {received} of {length} bytes.");
            }

            use(buffer[..count]);
            received += count;
        }
    }

    /// <summary>Sends as many bytes as the object has from prepared memory, as objects of the size of a part.</summary>
    public static Task PutAsync(Workbench bench) => PutAsync(bench, DefaultConnections, DefaultRangeBytes);

    /// <summary>Sends the bytes with the given number of connections and part size, which is at most the default.</summary>
    public static Task PutAsync(Workbench bench, int connections, long rangeBytes) => ForRangesAsync(bench, connections, rangeBytes, async (address, _, length, _) =>
    {
        using HttpRequestMessage request = new(HttpMethod.Put, address) { Content = new ReadOnlyMemoryContent(Content.Value.AsMemory(0, (int)length)) };
        using HttpResponseMessage response = await Client.Value.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
        response.EnsureSuccessStatusCode();
    }, HttpVerb.PUT, "plain");

    /// <summary>Sends a request for each range of the object, over a few connections.</summary>
    public static async Task ForRangesAsync(Workbench bench, int connections, long rangeBytes, Func<Uri, long, long, byte[], Task> sendAsync, HttpVerb verb, string key)
    {
        Uri address = new(await bench.S3.GetPreSignedURLAsync(new GetPreSignedUrlRequest
        {
            BucketName = BenchmarkStore.Bucket,
            Key = key,
            Verb = verb,
            Expires = DateTime.UtcNow.AddHours(1),
            Protocol = bench.S3.Config.ServiceURL.StartsWith("https:", StringComparison.Ordinal) ? Protocol.HTTPS : Protocol.HTTP,
        }));
        long next = 0;
        await Task.WhenAll(Enumerable.Range(0, connections).Select(async _ =>
        {
            byte[] buffer = new byte[BufferBytes];
            while (Interlocked.Add(ref next, rangeBytes) - rangeBytes is var offset && offset < bench.ObjectBytes)
            {
                await sendAsync(address, offset, Math.Min(rangeBytes, bench.ObjectBytes - offset), buffer);
            }
        }));
    }
}
