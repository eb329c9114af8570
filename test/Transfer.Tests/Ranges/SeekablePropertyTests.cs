using System.Net;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Ranges;

/// <summary>Random operations on a stream, with a <see cref="MemoryStream"/> as the oracle.</summary>
public sealed class SeekablePropertyTests : TransferTest
{
    public static TheoryData<int> Seeds => [.. Enumerable.Range(0, LongTests.Choose(full: 300, quick: 40))];

    [Theory]
    [MemberData(nameof(Seeds))]
    public async Task Operations_AnyOrder_ReadWhatAMemoryStreamReads(int seed)
    {
        Random random = new(seed);
        int length = random.Next(4) switch { 0 => random.Next(3 * 4096), 1 => 4096 * random.Next(1, 40), _ => random.Next(1, 6 * 1024 * 1024) };
        byte[] content = S3.Put(length, seed);
        bool hasFaults = random.Next(2) == 0;
        Random faults = new(seed);
        if (hasFaults)
        {
            S3.Before = (call, _) => Sometimes() ? throw FakeS3.Error(HttpStatusCode.InternalServerError, "InternalError") : Task.CompletedTask;
            S3.Body = (_, bytes) => new MemoryStream(bytes[..(Sometimes() ? bytes.Length / 2 : bytes.Length)].ToArray());
        }

        long memory = random.Next(3) switch { 0 => 1024 * 1024, 1 => 4 * 1024 * 1024, _ => 64 * 1024 * 1024 };
        TransferClient client = NewClient(options => (options.MemoryBytes, options.MaxAttempts) = (memory, 10));
        SeekableReadOptions open = new()
        {
            Open = (SeekableOpen)random.Next(3),
            Hint = random.Next(3) == 0 ? new ObjectHint { Length = length, ETag = S3.Objects[FakeS3.Key].ETag } : null,
            MaxConcurrency = random.Next(2) == 0 ? random.Next(1, 5) : null,
            MaxReadAheadBytes = random.Next(3) == 0 ? random.Next(200_000) : null,
        };
        SeekableObjectStream[] streams = await OpenAsync();
        MemoryStream[] oracles = [.. streams.Select(_ => new MemoryStream(content, writable: false))];
        for (int i = 0; i < 60; i++)
        {
            int which = random.Next(streams.Length);
            await StepAsync(streams[which], oracles[which], content, random);
        }

        Assert.InRange(client.PeakRentedBytes, 0, memory);
        foreach (SeekableObjectStream stream in streams)
        {
            await stream.DisposeAsync().AsTask().Within();
        }

        bool Sometimes()
        {
            lock (faults)
            {
                return faults.Next(15) == 0;
            }
        }

        async Task<SeekableObjectStream[]> OpenAsync()
        {
            List<SeekableObjectStream> opened = [];
            for (int i = random.Next(1, 4); i > 0; i--)
            {
                opened.Add(await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, open).Within());
            }

            return [.. opened];
        }
    }

    private static async Task StepAsync(SeekableObjectStream stream, MemoryStream oracle, byte[] content, Random random)
    {
        byte[] buffer = new byte[random.Next(4) == 0 ? random.Next(1, 1_000_000) : random.Next(0, 20_000)];
        byte[] expected = new byte[buffer.Length];
        int count;
        switch (random.Next(12))
        {
            case 0:
                long to = random.NextInt64(content.Length + 100);
                Assert.Equal(oracle.Seek(to, SeekOrigin.Begin), stream.Seek(to, SeekOrigin.Begin));
                break;
            case 1:
                long back = -random.NextInt64(oracle.Position + 1);
                Assert.Equal(oracle.Seek(back, SeekOrigin.Current), stream.Seek(back, SeekOrigin.Current));
                break;
            case 2:
                long fromEnd = -random.NextInt64(content.Length + 1);
                Assert.Equal(oracle.Seek(fromEnd, SeekOrigin.End), stream.Seek(fromEnd, SeekOrigin.End));
                break;
            case 3:
                Task<int>[] reads = [.. Enumerable.Range(0, 4).Select(_ => ReadAtAsync(stream, content, random.NextInt64(content.Length + 10), random.Next(0, 50_000)))];
                await Task.WhenAll(reads).Within();
                break;
            case 4:
                count = await Task.Run(() => stream.Read(buffer.AsSpan())).Within();
                Assert.Equal(oracle.Read(expected), count);
                Assert.Equal(expected, buffer);
                break;
            case 5:
                count = await Task.Run(stream.ReadByte).Within();
                Assert.Equal(oracle.ReadByte(), count);
                break;
            case 10:
                await PrefetchAsync().Within();
                break;
            case 11:
                _ = PrefetchAsync().ContinueWith(static task => task.Exception, TaskScheduler.Default); // the stream can be disposed meanwhile
                break;
            case 6 when random.Next(4) == 0:
                MemoryStream all = new();
                MemoryStream wanted = new();
                await stream.CopyToAsync(all).Within();
                oracle.CopyTo(wanted);
                Assert.Equal(wanted.ToArray(), all.ToArray());
                break;
            default:
                count = await stream.ReadAsync(buffer).AsTask().Within();
                Assert.Equal(oracle.Read(expected), count);
                Assert.Equal(expected, buffer);
                break;
        }

        Assert.Equal(oracle.Position, stream.Position);
        Assert.Equal(oracle.Length, stream.Length);

        Task PrefetchAsync()
        {
            ObjectRange[] ranges = [.. Enumerable.Range(0, random.Next(20)).Select(_ => ObjectRange.From(random.NextInt64(content.Length + 100), random.Next(1, 400_000)))];
            return stream.PrefetchAsync(ranges);
        }
    }

    private static async Task<int> ReadAtAsync(SeekableObjectStream stream, byte[] content, long offset, int count)
    {
        byte[] buffer = new byte[count];
        int read = await stream.ReadAtAsync(buffer, offset).AsTask().Within();
        Assert.Equal(Math.Clamp(content.Length - offset, 0, count), read);
        Assert.True(content.AsSpan((int)Math.Min(offset, content.Length), read).SequenceEqual(buffer.AsSpan(0, read)));
        return read;
    }
}
