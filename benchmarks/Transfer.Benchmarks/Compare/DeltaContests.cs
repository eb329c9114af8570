using Transfer.S3.Benchmarks.Macro;
using Transfer.S3.Requests;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>
/// Transfers of a file of which the store has another version: as a whole, and with only the parts that differ. One part in a hundred differs, unless nothing does.
/// </summary>
internal static class DeltaContests
{
    private const long MiB = 1024 * 1024;
    private const string Bucket = BenchmarkStore.Bucket;
    private const int PartBytes = (int)TransferDefaults.PartSizeBytes;
    private const int PartsPerChange = 100;
    private const int Seed = 59;
    private static readonly UploadOptions UploadDelta = new() { ReuseParts = true };
    private static readonly DownloadOptions DownloadDelta = new() { ReuseParts = true };

    public static IEnumerable<Contest> All { get; } =
    [
        Create(
            "delta-up",
            "Uploading",
            new("UploadAsync", bench => UploadAsync(bench, null)) { Prepare = WriteChanged, IsReference = true },
            new("UploadAsync, ReuseParts", bench => UploadAsync(bench, UploadDelta)) { Prepare = WriteChanged },
            new("UploadAsync, ReuseParts, unchanged", bench => UploadAsync(bench, UploadDelta)) { PrepareAsync = PublishAsync }),
        Create(
            "delta-down",
            "Downloading to",
            new("DownloadAsync", bench => DownloadAsync(bench, null)) { Prepare = WriteChanged, IsReference = true },
            new("DownloadAsync, ReuseParts", bench => DownloadAsync(bench, DownloadDelta)) { Prepare = WriteChanged },
            new("DownloadAsync, ReuseParts, unchanged", bench => DownloadAsync(bench, DownloadDelta)) { Prepare = bench => Write(bench, []) }),
    ];

    private static Contest Create(string name, string what, params Contender[] contenders) => new(name, [4096 * MiB], contenders)
    {
        Description = $"{what} a file over a link of 50 MiB/s, of which the store has a version where 1% of the parts differ: the time, the requests, and the data on the wire, as a whole and with ReuseParts.",
        Figures = Figures.Delta(contenders[0].Name),
        IsOnDisk = true,
        Runs = 1,
        WarmUp = null,
        Servers = [ServerKind.NarrowLink],
    };

    private static async Task UploadAsync(Workbench bench, UploadOptions? options)
    {
        await Workbench.MarkAsync();
        Check((await bench.Client.UploadAsync(bench.Path, Bucket, bench.Key, options)).Verdict);
    }

    private static async Task DownloadAsync(Workbench bench, DownloadOptions? options)
    {
        await Workbench.MarkAsync();
        Check((await bench.Client.DownloadAsync(Bucket, bench.Key, bench.Path, options)).Verdict);
    }

    /// <summary>Makes the object the same as the file.</summary>
    private static async Task PublishAsync(Workbench bench)
    {
        WriteChanged(bench);
        await bench.Client.UploadAsync(bench.Path, Bucket, bench.Key, UploadDelta);
    }

    /// <summary>Writes a file that differs from the object in one part of each hundred, whatever an earlier measurement has uploaded.</summary>
    private static void WriteChanged(Workbench bench)
    {
        int parts = (int)((bench.ObjectBytes + PartBytes - 1) / PartBytes);
        int changes = Math.Max(1, parts / PartsPerChange);
        Random random = new(Seed);
        Write(bench, Enumerable.Range(0, changes).Select(i => (((long)i * parts / changes) + random.Next(parts / changes)) * PartBytes));
    }

    /// <summary>Writes the file with the content of the object, and with other bytes at the given offsets.</summary>
    private static void Write(Workbench bench, IEnumerable<long> changed)
    {
        using FileStream file = File.Create(bench.Path);
        foreach (ReadOnlyMemory<byte> block in TestData.Create(bench.ObjectBytes))
        {
            file.Write(block.Span);
        }

        foreach (long offset in changed)
        {
            file.Position = offset;
            file.Write(Guid.NewGuid().ToByteArray());
        }

        file.Flush(flushToDisk: true); // so that it isn't written during the measurement
    }

    private static void Check(ChecksumVerdict verdict)
    {
        if (!verdict.IsVerified)
        {
            throw new InvalidDataException($"The transfer was not verified: {verdict}");
        }
    }
}
