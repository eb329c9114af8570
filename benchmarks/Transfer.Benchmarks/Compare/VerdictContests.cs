using Transfer.S3.Benchmarks.Macro;
using Transfer.S3.Integrity;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The cost of verifying a download, by the checksum that the store holds, compared with the same download without verification.</summary>
internal static class VerdictContests
{
    private const long MiB = 1024 * 1024;
    private static readonly DownloadOptions Unverified = new() { Verify = false };

    public static IEnumerable<Contest> All { get; } =
    [
        Create("verdict", "The cost of verifying a read, for each kind of stored checksum.", Contests.ReaderAsync),
        Create("verdict-file", "The cost of verifying a download to a file, for each kind of stored checksum.", (bench, options) => bench.Client.DownloadAsync(BenchmarkStore.Bucket, bench.Key, bench.Path, options)),
    ];

    private static Contest Create(string name, string description, Func<Workbench, DownloadOptions?, Task> download)
    {
        return new Contest(name, [2048 * MiB],
        [
            Row("not verified", ChecksumAlgorithm.Crc64Nvme, null, Unverified),
            Row("CRC-64/NVME", ChecksumAlgorithm.Crc64Nvme, null),
            Row("CRC-32C", ChecksumAlgorithm.Crc32C, null),
            Row("composite CRC-32C, parts of 8 MiB", ChecksumAlgorithm.Crc32C, 8 * MiB),
            Row("composite CRC-32C, parts of 10 MB", ChecksumAlgorithm.Crc32C, 10_000_000),
            Row("SHA-256", ChecksumAlgorithm.Sha256, null),
            Row("MD5", ChecksumAlgorithm.Md5, null),
        ])
        { Description = description, Servers = [ServerKind.Nginx, ServerKind.Embedded] };

        Contender Row(string name, ChecksumAlgorithm algorithm, long? partBytes, DownloadOptions? options = null)
            => new(name, bench => download(bench, options)) { Prepare = bench => Tell(bench, algorithm, partBytes) };
    }

    private static void Tell(Workbench bench, ChecksumAlgorithm algorithm, long? partBytes)
    {
        List<long> parts = [];
        for (long rest = partBytes is null ? 0 : bench.ObjectBytes; rest > 0; rest -= parts[^1])
        {
            parts.Add(Math.Min(rest, partBytes!.Value));
        }

        using ContentDigest digest = new(algorithm, partBytes is null ? null : parts);
        foreach (ReadOnlyMemory<byte> block in bench.Content)
        {
            digest.Append(block.Span);
        }

        bench.Tell(new StoredChecksum { Algorithm = algorithm, Value = digest.ToBase64()!, IsComposite = partBytes is not null }, parts);
    }
}
