using System.IO.Pipelines;
using Amazon.S3.Model;
using Amazon.S3.Transfer;
using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The contests.</summary>
internal static class Contests
{
    private const long MiB = 1024 * 1024;
    private const long GiB = 1024 * MiB;
    private const string Bucket = BenchmarkStore.Bucket;
    private static readonly long[] ReadSizes = [8 * MiB, 256 * MiB, 2 * GiB];

    public static IReadOnlyList<Contest> All { get; } =
    [
        new("read", ReadSizes,
        [
            new("TransferUtility.OpenStreamWithResponse", UtilityStreamAsync),
            new("OpenReadAsync, Stream", StreamAsync),
            new("OpenReadAsync, Reader", ReaderAsync),
        ])
        { Description = "Reading one object in order." },
        new("file", ReadSizes,
        [
            new("TransferUtility.DownloadWithResponse", UtilityFileAsync),
            new("DownloadAsync to a file", bench => bench.Client.DownloadAsync(Bucket, bench.Key, bench.Path)),
        ])
        { Description = "Downloading an object to a file." },
        new("memory", [8 * MiB, 256 * MiB],
        [
            new("TransferUtility.OpenStreamWithResponse, copied", UtilityMemoryAsync),
            new("DownloadAsync to memory", MemoryAsync),
        ])
        { Description = "Downloading an object to memory." },
        new("buffers", [2 * GiB],
        [
            new("One rented array a part, read in place", bench => WholeParts.ReadAsync(bench, null)),
            new("Chunks, read in place (Reader)", ReaderAsync),
        ])
        { Description = "Chunks compared with one array for each part, read in place." },
        new("buffers-copied", [2 * GiB],
        [
            new("One rented array a part, copied out", bench => WholeParts.ReadAsync(bench, bench.Buffer)),
            new("Chunks, copied out (Stream)", StreamAsync),
        ])
        { Description = "Chunks compared with one array for each part, copied to a buffer." },
        .. SmallContests.All,
        .. PublishedContests.All,
        BenchOverheadContest.BenchOverhead,
        UploadContest.Upload,
        .. VerdictContests.All,
        .. DirectoryContests.All,
        .. SyncContests.All,
        .. LinkContests.All,
        SharedLinkContest.SharedLink,
        .. DeltaContests.All,
        .. SlowContests.All,
        .. LoopbackContests.All,
        .. HttpsContests.All,
        BesideContest.Beside,
        TailContest.Tail,
        .. ScalingContests.All,
        JobContest.Job,
        TlsMemoryContest.TlsMemory,
        FactoryContest.Factory,
        .. RandomAccessContests.All,
        .. PeerContests.All,
        .. PeerLinkContests.All,
        .. WanContests.All,
    ];

    /// <summary>Finds a contest.</summary>
    /// <param name="name">The name.</param>
    /// <param name="objects">The number of objects; null for the default.</param>
    public static Contest Find(string name, int? objects)
    {
        Contest one = All.First(one => one.Name == name);
        return objects is { } number && number != one.ObjectsPerRun ? one.OfObjects!(number) : one;
    }

    public static async Task UtilityStreamAsync(Workbench bench)
    {
        using TransferUtilityOpenStreamResponse response = await bench.Utility.OpenStreamWithResponseAsync(Ranges(bench));
        await DrainAsync(response.ResponseStream, bench);
    }

    public static Task StreamAsync(Workbench bench) => StreamAsync(bench, null);

    public static async Task StreamAsync(Workbench bench, DownloadOptions? options)
    {
        await using ObjectReadStream stream = await bench.Client.OpenReadAsync(Bucket, bench.Key, options);
        await DrainAsync(stream, bench);
    }

    public static Task ReaderAsync(Workbench bench) => ReaderAsync(bench, null);

    public static async Task ReaderAsync(Workbench bench, DownloadOptions? options)
    {
        await using ObjectReadStream stream = await bench.Client.OpenReadAsync(Bucket, bench.Key, options);
        await DrainAsync(stream.Reader, bench);
    }

    public static async Task GetObjectAsync(Workbench bench)
    {
        using GetObjectResponse response = await bench.S3.GetObjectAsync(Bucket, bench.Key);
        await DrainAsync(response.ResponseStream, bench);
    }

    private static Task<TransferUtilityDownloadResponse> UtilityFileAsync(Workbench bench) => bench.Utility.DownloadWithResponseAsync(new TransferUtilityDownloadRequest
    {
        BucketName = Bucket,
        Key = bench.Key,
        FilePath = bench.Path,
        MultipartDownloadType = MultipartDownloadType.RANGE,
    });

    private static async Task UtilityMemoryAsync(Workbench bench)
    {
        using TransferUtilityOpenStreamResponse response = await bench.Utility.OpenStreamWithResponseAsync(Ranges(bench));
        await using Stream memory = NewMemory(bench);
        await response.ResponseStream.CopyToAsync(memory);
        Check(memory.Position, bench);
    }

    private static async Task MemoryAsync(Workbench bench)
    {
        await using Stream memory = NewMemory(bench);
        await bench.Client.DownloadAsync(Bucket, bench.Key, memory);
        Check(memory.Position, bench);
    }

    public static TransferUtilityOpenStreamRequest Ranges(Workbench bench) => new()
    {
        // Download by ranges, which works for all objects. By stored parts, it would be serial on the second server.
        BucketName = Bucket,
        Key = bench.Key,
        MultipartDownloadType = MultipartDownloadType.RANGE,
    };

    public static async Task DrainAsync(Stream stream, Workbench bench)
    {
        long total = 0;
        int count;
        while ((count = await stream.ReadAsync(bench.Buffer)) > 0)
        {
            total += count;
        }

        Check(total, bench);
    }

    public static async Task DrainAsync(PipeReader reader, Workbench bench)
    {
        long total = 0;
        ReadResult result;
        do
        {
            result = await reader.ReadAsync();
            total += result.Buffer.Length;
            reader.AdvanceTo(result.Buffer.End);
        }
        while (!result.IsCompleted);
        Check(total, bench);
    }

    private static MemoryStream NewMemory(Workbench bench) => new MemoryStream(bench.Memory);

    private static void Check(long bytes, Workbench bench)
    {
        if (bytes != bench.ObjectBytes)
        {
            throw new InvalidDataException($"Received {bytes} of {bench.ObjectBytes} bytes.");
        }
    }
}
