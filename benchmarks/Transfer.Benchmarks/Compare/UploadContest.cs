using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Uploads from different kinds of sources.</summary>
internal static class UploadContest
{
    private const long MiB = 1024 * 1024;
    private const string Bucket = BenchmarkStore.Bucket;
    private const string Key = "upload";

    public static Contest Upload { get; } = new("upload", [16 * MiB, 64 * MiB, 256 * MiB, 1024 * MiB],
    [
        new("TransferUtility.Upload of a file", bench => bench.Utility.UploadAsync(bench.Source, Bucket, Key)),
        new("UploadAsync of a file", bench => bench.Client.UploadAsync(bench.Source, Bucket, Key)),
        new("UploadAsync of a file, every body signed", bench => bench.Client.UploadAsync(bench.Source, Bucket, Key)) { ClientOptions = new() { Advanced = { PayloadSigning = PayloadSigning.Always } } },
        new("UploadAsync of memory", bench => bench.Client.UploadAsync(bench.Content, Bucket, Key)),
        new("UploadAsync of a stream of unknown length", bench => StreamAsync(bench, null)),
        new("OpenWriteAsync, Stream", bench => WriteAsync(bench, null)),
        new("OpenWriteAsync, Writer", WriterAsync),
        new("UploadAsync of a stream of unknown length, serial", bench => StreamAsync(bench, 1)),
        new("OpenWriteAsync, Stream, serial", bench => WriteAsync(bench, 1)),
        new("HttpClient, 4 connections, the file", PlainFile.PutAsync) { IsReference = true, Prepare = Write },
        new("sendfile, 4 connections", PlainFile.SendFileAsync) { IsReference = true, NeedsHttp = true, Prepare = Write },
    ])
    {
        Description = "Uploading from a file, memory, or a stream, and by writing to a stream.",
        IsUpload = true,
        WarmUp = TimeSpan.FromSeconds(12), // before that, the JIT compiler takes a third of the CPU time
        Servers = [ServerKind.Discarding, ServerKind.DiscardingSlow, ServerKind.DiscardingTls, ServerKind.Embedded],
    };

    public static async Task StreamAsync(Workbench bench, int? partsInFlight)
    {
        await using ForwardOnlyStream stream = new(new FileStream(bench.Source, new FileStreamOptions { BufferSize = 0 }));
        await bench.Client.UploadAsync(stream, Bucket, Key, new UploadOptions { MaxConcurrency = partsInFlight });
    }

    public static async Task WriteAsync(Workbench bench, int? partsInFlight)
    {
        await using ObjectWriteStream stream = await bench.Client.OpenWriteAsync(Bucket, Key, new UploadOptions { MaxConcurrency = partsInFlight });
        for (long rest = bench.ObjectBytes; rest > 0;)
        {
            int count = (int)Math.Min(rest, bench.Buffer.Length);
            await stream.WriteAsync(bench.Buffer.AsMemory(0, count));
            rest -= count;
        }

        await stream.CompleteAsync();
    }

    private static void Write(Workbench bench) => _ = bench.Source;

    private static async Task WriterAsync(Workbench bench)
    {
        await using ObjectWriteStream stream = await bench.Client.OpenWriteAsync(Bucket, Key);
        for (long rest = bench.ObjectBytes; rest > 0;)
        {
            // As in code that generates the bytes, write directly to the chunk.
            int count = (int)Math.Min(rest, 16 * 1024);
            bench.Buffer.AsSpan(0, count).CopyTo(stream.Writer.GetSpan(count));
            stream.Writer.Advance(count);
            await stream.Writer.FlushAsync();
            rest -= count;
        }

        await stream.CompleteAsync();
    }
}
