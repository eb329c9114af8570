using System.Net.Http.Headers;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.Benchmarks.Macro;

namespace Transfer.Benchmarks.Compare;

/// <summary>What a transfer costs with a plain <see cref="HttpClient"/>, which checks nothing and repeats nothing: the floor that others are compared with.</summary>
internal static class PlainHttp
{
    public const int DefaultConnections = 4;
    public const long DefaultRangeBytes = 8 * 1024 * 1024;
    public static readonly Lazy<HttpClient> Client = new(static () => new HttpClient());

    private const int BufferBytes = 64 * 1024;

    // One array for all requests: they send the same bytes.
    private static readonly Lazy<byte[]> Content = new(static () =>
    {
        byte[] content = new byte[DefaultRangeBytes];
        new Random(1).NextBytes(content);
        return content;
    });

    /// <summary>Reads the object in ranges, each connection into an array of its own.</summary>
    public static Task GetAsync(Workbench bench) => GetAsync(bench, DefaultConnections, DefaultRangeBytes);

    /// <summary>The same with so many connections and ranges of this size.</summary>
    public static Task GetAsync(Workbench bench, int connections, long rangeBytes) => ForRangesAsync(bench, connections, rangeBytes, async (address, offset, length, buffer) =>
    {
        using HttpRequestMessage request = new(HttpMethod.Get, address) { Headers = { Range = new RangeHeaderValue(offset, offset + length - 1) } };
        using HttpResponseMessage response = await Client.Value.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
        response.EnsureSuccessStatusCode();
        await using Stream body = await response.Content.ReadAsStreamAsync();
        long received = 0;
        int count;
        while ((count = await body.ReadAsync(buffer)) > 0)
        {
            received += count;
        }

        if (received != length)
        {
            throw new InvalidDataException($"Received {received} of {length} bytes.");
        }
    }, HttpVerb.GET, bench.Key);

    /// <summary>Sends as many bytes as the object has, from memory that is prepared, as objects of one part's length.</summary>
    public static Task PutAsync(Workbench bench) => PutAsync(bench, DefaultConnections, DefaultRangeBytes);

    /// <summary>The same with so many connections and parts of this size, which is at most the default's.</summary>
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
