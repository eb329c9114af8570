using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Benchmarks.Macro;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>
/// The cost of one small object compared with a bare <see cref="SocketsHttpHandler"/>, which signs once, and neither schedules, reserves memory, nor
/// verifies. That is the minimum cost in .NET.
/// </summary>
internal static class SmallContests
{
    private const int Objects = 10_000;
    private const string Bucket = BenchmarkStore.Bucket;
    private const string UploadKey = "upload";
    private const string Floor = "bare handler";

    // The time until the JIT compiler, which initially takes half of the time, has optimized hot code.
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(8);

    public static IEnumerable<Contest> All { get; } =
    [
        new("small", [4 * 1024],
        [
            new("IAmazonS3.GetObject", bench => RepeatAsync(() => Contests.GetObjectAsync(bench))),
            new("OpenReadAsync", bench => RepeatAsync(() => Contests.StreamAsync(bench))),
            new("SocketsHttpHandler, signed beforehand, unverified", GetBareAsync) { IsReference = true },
            new("SocketsHttpHandler, each request signed, each object verified", GetVerifiedAsync) { IsReference = true },
        ])
        {
            Description = "10,000 verified reads of 4 KiB, one after another: the CPU time relative to a bare handler. The last row does only what any verified read must do.",
            ObjectsPerRun = Objects,
            Figures = [Figures.RelativeCpu(Floor)],
            WarmUp = WarmUp,
            Servers = [ServerKind.Embedded, ServerKind.Nginx, ServerKind.Tls, ServerKind.NginxTls],
        },
        new("small-put", [4 * 1024],
        [
            new("IAmazonS3.PutObject", bench => RepeatAsync(() => PutObjectAsync(bench))),
            new("UploadAsync of memory", bench => RepeatAsync(() => bench.Client.UploadAsync(bench.Content, Bucket, UploadKey))),
            new("SocketsHttpHandler, signed beforehand, no checksum", PutBareAsync) { IsReference = true },
        ])
        {
            Description = "10,000 uploads of 4 KiB, one after another: the CPU time relative to a bare handler.",
            IsUpload = true,
            ObjectsPerRun = Objects,
            Figures = [Figures.RelativeCpu(Floor)],
            WarmUp = WarmUp,
            Servers = [ServerKind.Discarding, ServerKind.DiscardingTls],
        },
    ];

    private static async Task RepeatAsync(Func<Task> runAsync)
    {
        for (int i = 0; i < Objects; i++)
        {
            await runAsync();
        }
    }

    private static async Task PutObjectAsync(Workbench bench)
    {
        using MemoryStream content = new(bench.Content.First.ToArray());
        await bench.S3.PutObjectAsync(new PutObjectRequest { BucketName = Bucket, Key = UploadKey, InputStream = content });
    }

    private static async Task GetBareAsync(Workbench bench)
    {
        Uri address = await SignAsync(bench, HttpVerb.GET, bench.Key);
        using HttpMessageInvoker invoker = new(new SocketsHttpHandler());
        await RepeatAsync(async () =>
        {
            using HttpRequestMessage request = new(HttpMethod.Get, address);
            using HttpResponseMessage response = await invoker.SendAsync(request, CancellationToken.None);
            await using Stream stream = await response.Content.ReadAsStreamAsync();
            await Contests.DrainAsync(stream, bench);
        });
    }

    /// <summary>Does nothing but sign, receive, and compare the CRC-64 of the store: no retry, no limit of memory, and no measurement.</summary>
    private static async Task GetVerifiedAsync(Workbench bench)
    {
        StoreEndpoint endpoint = StoreEndpoint.At(bench.Endpoint, $"/{Bucket}/", "us-east-1");
        ImmutableCredentials credentials = new(Workbench.AccessKey, Workbench.SecretKey, null);
        RequestSigner signer = new();
        using HttpMessageInvoker invoker = new(new SocketsHttpHandler());
        await RepeatAsync(async () =>
        {
            SignedRequest signed = new(HttpMethod.Get, bench.Key);
            signed.Amz("x-amz-checksum-mode", "ENABLED");
            using HttpRequestMessage request = signed.Build(endpoint, credentials, signer, signsBody: false, DateTimeOffset.UtcNow);
            using HttpResponseMessage response = await invoker.SendAsync(request, CancellationToken.None);
            response.EnsureSuccessStatusCode();
            await using Stream stream = await response.Content.ReadAsStreamAsync();
            ulong checksum = 0;
            int count;
            while ((count = await stream.ReadAsync(bench.Buffer)) > 0)
            {
                checksum = Crc.Crc64Nvme.Append(checksum, bench.Buffer.AsSpan(0, count));
            }

            if (response.Headers.GetValues("x-amz-checksum-crc64nvme").Single() != Crc.Crc64Nvme.ToBase64(checksum))
            {
                throw new InvalidDataException("The content differs from its checksum.");
            }
        });
    }

    private static async Task PutBareAsync(Workbench bench)
    {
        Uri address = await SignAsync(bench, HttpVerb.PUT, UploadKey);
        ReadOnlyMemory<byte> content = bench.Content.First;
        using HttpMessageInvoker invoker = new(new SocketsHttpHandler());
        await RepeatAsync(async () =>
        {
            using HttpRequestMessage request = new(HttpMethod.Put, address) { Content = new ReadOnlyMemoryContent(content) };
            using HttpResponseMessage response = await invoker.SendAsync(request, CancellationToken.None);
            response.EnsureSuccessStatusCode();
        });
    }

    private static async Task<Uri> SignAsync(Workbench bench, HttpVerb verb, string key) => new(await bench.S3.GetPreSignedURLAsync(new GetPreSignedUrlRequest
    {
        BucketName = Bucket,
        Key = key,
        Verb = verb,
        Expires = DateTime.UtcNow.AddHours(1),
        Protocol = bench.S3.Config.ServiceURL.StartsWith("https:", StringComparison.Ordinal) ? Protocol.HTTPS : Protocol.HTTP,
    }));
}
