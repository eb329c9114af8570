using System.Diagnostics;
using System.IO.Compression;
using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Reading parts of an object as if it were a file, compared with the obvious ways to do so: download it first, or request each read.</summary>
internal static class RandomAccessContests
{
    private const int KiB = 1024;
    private const long MiB = 1024 * KiB;
    private const string Bucket = BenchmarkStore.Bucket;
    private const string EachRead = "One GET a read";
    private const string BufferedReads = "BufferedStream of 128 KiB over one GET a read";
    private const string Downloaded = "DownloadAsync to memory, then read";
    private const string Ours = "OpenSeekableAsync";
    private const int BufferBytes = 128 * KiB;

    // A file of columns: a magic number, the chunks of each row group, the footer, and its length with the magic number again.
    private const int MagicBytes = 4;
    private const int RowGroups = 8;
    private const int Columns = 10;
    private const int FooterBytes = 64 * KiB;
    private const int TailBytes = 8;
    private const int ChunkBytes = (int)MiB;
    private const long ColumnFileBytes = MagicBytes + (RowGroups * Columns * ChunkBytes) + FooterBytes + TailBytes;

    // Half of the columns, of which two are neighbors.
    private static readonly int[] ReadColumns = [0, 2, 4, 5, 8];

    private const int Reads = 1_000;
    private const int ReadBytes = 4 * KiB;
    private const int ReadsAtOnce = 16;
    private const int WarmUpReads = 160;

    // The warm-up is repeated until this time is over, but at least once.
    private static readonly TimeSpan Once = TimeSpan.Zero;

    private static readonly Lazy<byte[]> Chunk = new(static () => new byte[ChunkBytes]);

    public static IEnumerable<Contest> All { get; } =
    [
        new("zip", [256 * MiB],
        [
            new(EachRead, bench => ReadArchiveAsync(async () => await OpenNaiveAsync(bench), bench)),
            new(BufferedReads, bench => ReadArchiveAsync(() => OpenBufferedAsync(bench), bench)),
            new(Downloaded, bench => ReadArchiveAsync(() => OpenDownloadedAsync(bench), bench)),
            new(Ours, bench => ReadArchiveAsync(async () => await OpenAsync(bench), bench)),
        ])
        {
            Description = "Listing a ZIP archive of 10,000 entries and reading one of 1 MiB: the requests, the time, and the bytes received beyond the entry.",
            Content = ArchiveContent.Create,
            Figures = Figures.Archive,
            Runs = 1,
            WarmUp = Once,
            Servers = [ServerKind.Remote],
        },
        new("parquet", [ColumnFileBytes],
        [
            new(EachRead, bench => ReadColumnsAsync(async () => await OpenNaiveAsync(bench))),
            new(BufferedReads, bench => ReadColumnsAsync(() => OpenBufferedAsync(bench))),
            new(Downloaded, bench => ReadColumnsAsync(() => OpenDownloadedAsync(bench))),
            new($"{Ours}, one read after another", bench => ReadColumnsAsync(async () => await OpenAsync(bench))),
            new($"{Ours} for the footer, ReadRangesAsync", ReadColumnRangesAsync),
        ])
        {
            Description = "Reading the footer and 40 column chunks of 1 MiB of a file with 80, as a Parquet reader does: the requests, and the time compared with one GET for each read.",
            Figures = Figures.Ranges((RowGroups * (long)ReadColumns.Length * ChunkBytes) + FooterBytes + TailBytes),
            Runs = 1,
            WarmUp = Once,
            Servers = [ServerKind.Remote],
        },
        new("seekable-sequential", [1024 * MiB],
        [
            new("OpenReadAsync, CopyToAsync", bench => CopyAsync(async () => await bench.Client.OpenReadAsync(Bucket, bench.Key), bench)) { IsReference = true },
            new($"{Ours}, CopyToAsync", bench => CopyAsync(async () => await bench.Client.OpenSeekableAsync(Bucket, bench.Key), bench)),
            new("OpenReadAsync, reads of 128 KiB", Contests.StreamAsync),
            new($"{Ours}, reads of 128 KiB", DrainAsync),
        ])
        {
            Description = "Reading an object in order through a seekable stream: the rate relative to OpenReadAsync.",
            Figures = [Figures.RelativeRate("OpenReadAsync"), Figures.PeakBuffers],
            Servers = [ServerKind.Remote],
        },
        new("random", [1024 * MiB],
        [
            Random($"{EachRead}, 1 stream", ReadNaiveAsync, 1),
            Random($"{EachRead}, {ReadsAtOnce} streams", ReadNaiveAsync, ReadsAtOnce),
            Random($"{Ours}, ReadAtAsync, 1 at a time", ReadAtAsync, 1) with { IsReference = true },
            Random($"{Ours}, ReadAtAsync, {ReadsAtOnce} at a time", ReadAtAsync, ReadsAtOnce),
        ])
        {
            Description = "1,000 random reads of 4 KiB of one object, one after another and 16 at a time: the rate relative to one after another, and the latencies.",
            ObjectsPerRun = Reads,
            Figures = [Figures.RelativeRate("1 at a time"), .. Figures.Reads, .. Figures.Latencies],
            WarmUp = Once,
            Servers = [ServerKind.Remote],
        },
    ];

    private static Contender Random(string name, Func<Workbench, int, int, Task> readAsync, int atOnce) => new(name, bench => readAsync(bench, Reads, atOnce))
    {
        // A few reads, because a thousand would take much longer one after another.
        WarmUpAsync = bench => readAsync(bench, WarmUpReads, ReadsAtOnce),
    };

    private static Task<NaiveSeekableStream> OpenNaiveAsync(Workbench bench) => NaiveSeekableStream.OpenAsync(bench.S3, Bucket, bench.Key);

    private static async Task<Stream> OpenBufferedAsync(Workbench bench) => new BufferedStream(await OpenNaiveAsync(bench), BufferBytes);

    private static async Task<Stream> OpenDownloadedAsync(Workbench bench)
    {
        MemoryStream content = new(bench.Memory);
        await bench.Client.DownloadAsync(Bucket, bench.Key, content);
        return content;
    }

    private static Task<SeekableObjectStream> OpenAsync(Workbench bench)
        => bench.Client.OpenSeekableAsync(Bucket, bench.Key, new SeekableReadOptions { Open = SeekableOpen.End });

    private static async Task ReadArchiveAsync(Func<Task<Stream>> openAsync, Workbench bench)
    {
        await Workbench.MarkAsync();
        await using Stream stream = await openAsync();
        await using ZipArchive archive = await ZipArchive.CreateAsync(stream, ZipArchiveMode.Read, leaveOpen: true, entryNameEncoding: null);
        if (archive.Entries.Count != ArchiveContent.Entries)
        {
            throw new InvalidDataException($"The archive has {archive.Entries.Count} entries.");
        }

        await Workbench.MarkAsync();
        await using Stream entry = await archive.GetEntry(ArchiveContent.ReadName)!.OpenAsync();
        long total = 0;
        for (int count; (count = await entry.ReadAsync(bench.Buffer)) > 0; total += count)
        {
            TestData.Check(bench.Buffer.AsSpan(0, count), total);
        }

        Check(total, ArchiveContent.ReadBytes);
    }

    private static async Task ReadColumnsAsync(Func<Task<Stream>> openAsync)
    {
        await Workbench.MarkAsync();
        await using Stream stream = await openAsync();
        await ReadFooterAsync(stream);
        foreach (ObjectRange chunk in ColumnChunks())
        {
            stream.Seek(chunk.Offset!.Value, SeekOrigin.Begin);
            await stream.ReadExactlyAsync(Chunk.Value);
            TestData.Check(Chunk.Value, chunk.Offset.Value);
        }
    }

    private static async Task ReadColumnRangesAsync(Workbench bench)
    {
        await Workbench.MarkAsync();
        await using SeekableObjectStream stream = await OpenAsync(bench);
        await ReadFooterAsync(stream);
        using RangeBuffers chunks = await bench.Client.ReadRangesAsync(Bucket, bench.Key, ColumnChunks());
        foreach (RangeBuffer chunk in chunks)
        {
            Check(chunk.Data.Length, ChunkBytes);
            long offset = chunk.Offset;
            foreach (ReadOnlyMemory<byte> data in chunk.Data)
            {
                TestData.Check(data.Span, offset);
                offset += data.Length;
            }
        }
    }

    /// <summary>Reads the length of the footer, and the footer.</summary>
    private static async Task ReadFooterAsync(Stream stream)
    {
        foreach (int fromEnd in (int[])[TailBytes, TailBytes + FooterBytes])
        {
            long offset = stream.Seek(-fromEnd, SeekOrigin.End);
            Memory<byte> data = Chunk.Value.AsMemory(0, fromEnd == TailBytes ? TailBytes : FooterBytes);
            await stream.ReadExactlyAsync(data);
            TestData.Check(data.Span, offset);
        }
    }

    private static ObjectRange[] ColumnChunks() =>
    [
        .. from rowGroup in Enumerable.Range(0, RowGroups)
           from column in ReadColumns
           select ObjectRange.From(MagicBytes + (((rowGroup * Columns) + column) * (long)ChunkBytes), ChunkBytes),
    ];

    private static async Task CopyAsync(Func<Task<Stream>> openAsync, Workbench bench)
    {
        await using Stream stream = await openAsync();
        await stream.CopyToAsync(Stream.Null);
        Check(stream.Position, bench.ObjectBytes);
    }

    private static async Task DrainAsync(Workbench bench)
    {
        await using SeekableObjectStream stream = await bench.Client.OpenSeekableAsync(Bucket, bench.Key);
        await Contests.DrainAsync(stream, bench);
    }

    private static async Task ReadNaiveAsync(Workbench bench, int reads, int atOnce)
    {
        await Workbench.MarkAsync();
        NaiveSeekableStream[] streams = await Task.WhenAll(Enumerable.Range(0, atOnce).Select(_ => OpenNaiveAsync(bench)));
        await ReadAsync(bench, reads, atOnce, async (worker, buffer, offset) =>
        {
            streams[worker].Position = offset;
            await streams[worker].ReadExactlyAsync(buffer);
        });
    }

    private static async Task ReadAtAsync(Workbench bench, int reads, int atOnce)
    {
        await Workbench.MarkAsync();
        await using SeekableObjectStream stream = await bench.Client.OpenSeekableAsync(Bucket, bench.Key);
        await ReadAsync(bench, reads, atOnce, async (_, buffer, offset) =>
        {
            while (buffer.Length > 0)
            {
                int count = await stream.ReadAtAsync(buffer, offset);
                if (count == 0)
                {
                    throw new EndOfStreamException();
                }

                buffer = buffer[count..];
                offset += count;
            }
        });
    }

    /// <summary>Reads at random offsets, which are the same for all contenders.</summary>
    /// <param name="bench">The objects of the process.</param>
    /// <param name="reads">The number of reads.</param>
    /// <param name="atOnce">The number of concurrent reads.</param>
    /// <param name="readAsync">Reads into a buffer at an offset. It gets the number of the worker, which has one read at a time.</param>
    private static async Task ReadAsync(Workbench bench, int reads, int atOnce, Func<int, Memory<byte>, long, Task> readAsync)
    {
        Random random = new(reads);
        long[] offsets = [.. Enumerable.Range(0, reads).Select(_ => random.NextInt64(bench.ObjectBytes - ReadBytes))];
        TimeSpan[] times = new TimeSpan[reads];
        int begun = 0;
        await Task.WhenAll(Enumerable.Range(0, atOnce).Select(WorkAsync));
        bench.Times = times;

        async Task WorkAsync(int worker)
        {
            byte[] buffer = new byte[ReadBytes];
            for (int i; (i = Interlocked.Increment(ref begun) - 1) < reads;)
            {
                long start = Stopwatch.GetTimestamp();
                await readAsync(worker, buffer, offsets[i]);
                times[i] = Stopwatch.GetElapsedTime(start);
                TestData.Check(buffer, offsets[i]);
            }
        }
    }

    private static void Check(long bytes, long expected)
    {
        if (bytes != expected)
        {
            throw new InvalidDataException($"Received {bytes} of {expected} bytes.");
        }
    }
}
