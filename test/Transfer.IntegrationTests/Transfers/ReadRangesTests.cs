using System.Buffers;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

public class ReadRangesTests : TransferSuite
{
    private const int Total = 3_000_001;

    [Theory]
    [Stores]
    public async Task ManyRanges_BothMethods_GetTheirBytes(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        UploadResult up = await client.UploadAsync(new PatternSource(Total), store.Bucket, "key");
        byte[] content = Pattern.Bytes(Total);
        ObjectRange[] ranges =
        [
            ObjectRange.Last(100_000),
            ObjectRange.From(0, 1),
            ObjectRange.From(500, 300_000),
            ObjectRange.From(500, 300_000),
            ObjectRange.From(1_500_000, 1_000_000),
            ObjectRange.From(Total - 1),
            ObjectRange.From(Total - 1000, 1_000_000),
        ];

        foreach (ObjectHint? hint in (ObjectHint?[])[null, new ObjectHint { Length = Total, ETag = up.ETag }])
        {
            RangeReadOptions options = new() { Hint = hint, MaxCoalescedBytes = 256 * 1024 };
            using RangeBuffers buffers = await client.ReadRangesAsync(store.Bucket, "key", ranges, options);
            Assert.All(buffers, buffer => Check(content, ranges, buffer));
            Assert.Equal(Total, buffers.Info!.Length);

            int count = 0;
            await foreach (RangeBuffer buffer in client.EnumerateRangesAsync(store.Bucket, "key", ranges, options))
            {
                Check(content, ranges, buffer);
                buffer.Dispose();
                count++;
            }

            Assert.Equal(ranges.Length, count);
        }

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => client.ReadRangesAsync(store.Bucket, "key", [ObjectRange.From(Total, 1)]));
        Assert.Equal(System.Net.HttpStatusCode.RequestedRangeNotSatisfiable, error.StatusCode);
        Assert.Equal(0, client.RentedBytes);
    }

    [Theory]
    [Stores]
    public async Task EmptyObject_RangesAreEmpty(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        await client.UploadAsync(new PatternSource(0), store.Bucket, "key");

        foreach (ObjectRange[] ranges in (ObjectRange[][])[[ObjectRange.From(0, 5), ObjectRange.Last(5)], [ObjectRange.Last(5)]])
        {
            using RangeBuffers buffers = await client.ReadRangesAsync(store.Bucket, "key", ranges);

            Assert.All(buffers, buffer => Assert.True(buffer.Data.IsEmpty));
        }
    }

    private static void Check(byte[] content, ObjectRange[] ranges, RangeBuffer buffer)
    {
        ObjectRange range = ranges[buffer.Index];
        long offset = range.Offset ?? content.Length - range.Length!.Value;
        long length = Math.Min(range.Length ?? long.MaxValue, content.Length - offset);
        Assert.EachEqual((offset, length), (buffer.Offset, buffer.Length));
        Assert.Equal(content[(int)offset..(int)(offset + length)], buffer.Data.ToArray());
    }
}
