using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Ranges;

/// <summary>Random lists of ranges return the same bytes as the array that was stored, whatever faults happen.</summary>
public sealed class RangePropertyTests : RangeTest
{
    [Theory]
    [InlineData(1, false)]
    [InlineData(2, false)]
    [InlineData(3, true)]
    [InlineData(4, true)]
    public async Task RandomRanges_SameBytesAsTheArray(int seed, bool hasFaults)
    {
        Random random = new(seed);
        for (int round = 0; round < 40; round++)
        {
            FakeS3 s3 = new();
            byte[] content = s3.Put(1 + SomeLength(random, 900_000), random.Next());
            if (hasFaults)
            {
                int faultSeed = random.Next();
                s3.Before = (call, _) => (faultSeed + call.Number) % 5 == 0 ? throw FakeS3.Busy() : Task.CompletedTask;
                s3.Body = (call, bytes) => (faultSeed + call.Number) % 3 == 0 ? new ScriptedStream(bytes[..(int)Math.Min(bytes.Length, 5000L + (faultSeed % 9000))]) : new ScriptedStream(bytes) { BytesPerRead = 1 + (faultSeed % 5000) };
            }

            ObjectRange[] ranges = [.. Enumerable.Range(0, random.Next(1, random.Next(2, 60))).Select(_ => SomeRange(random, content.Length))];
            RangeReadOptions options = new()
            {
                MaxCoalescedBytes = (128 + random.Next(512)) * 1024,
                Hint = random.Next(3) == 0 ? new ObjectHint { Length = content.Length } : null,
                MaxConcurrency = random.Next(3) == 0 ? random.Next(1, 6) : null,
            };
            TransferClient client = NewClient(s3.Client, o => o.Advanced.ChunkSizeBytes = 4096 * random.Next(1, 5));

            await ReadAndCompareAsync(client, content, ranges, enumerates: random.Next(2) == 0, options);

            Assert.Equal(0, client.RentedBytes);
            Assert.Equal(0, client.Context.Pool.Budget.ReservedBytes);
        }
    }

    private static ObjectRange SomeRange(Random random, int size) => random.Next(6) switch
    {
        0 => ObjectRange.Last(1 + SomeLength(random, 2 * size)),
        1 => ObjectRange.From(random.Next(size)),
        _ => ObjectRange.From(random.Next(size), 1 + SomeLength(random, size)),
    };

    /// <summary>Returns a length that is often small.</summary>
    private static int SomeLength(Random random, int most) => random.Next(1 + (int)(most * Math.Pow(random.NextDouble(), 6)));
}
