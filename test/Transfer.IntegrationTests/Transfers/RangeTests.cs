using System.Net;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

public class RangeTests : TransferSuite
{
    private const long Part = 64 * 1024;
    private const long Total = (5 * Part) + 100;

    private string Target => Path.Combine(Folder, "target");

    [Theory]
    [Stores]
    public async Task AnyRange_FilesAndReaders_GetItsBytes(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store, o => o.DownloadPartSizeBytes = Part);
        UploadResult up = await client.UploadAsync(new PatternSource(Total), store.Bucket, "key");
        byte[] content = Pattern.Bytes(Total);
        (ObjectRange Range, long Offset, long Length)[] cases =
        [
            (ObjectRange.From(0, 1), 0, 1),
            (ObjectRange.From(1, Part), 1, Part),
            (ObjectRange.From(Part - 1, (3 * Part) + 2), Part - 1, (3 * Part) + 2),
            (ObjectRange.From(Part + 7), Part + 7, Total - Part - 7),
            (ObjectRange.From(Total - 1), Total - 1, 1),
            (ObjectRange.From(Total - 10, 1000), Total - 10, 10),
            (ObjectRange.Last(1), Total - 1, 1),
            (ObjectRange.Last((3 * Part) + 5), Total - (3 * Part) - 5, (3 * Part) + 5),
        ];

        foreach ((ObjectRange range, long offset, long length) in cases)
        {
            foreach (ObjectHint? hint in (ObjectHint?[])[null, new ObjectHint { Length = Total, ETag = up.ETag }])
            {
                DownloadOptions options = new() { Range = range, Hint = hint };
                byte[] expected = content[(int)offset..(int)(offset + length)];

                DownloadResult file = await client.DownloadAsync(store.Bucket, "key", Target, options);
                await using ObjectReadStream stream = await client.OpenReadAsync(store.Bucket, "key", options);
                MemoryStream read = new();
                await stream.CopyToAsync(read);

                Assert.Equal(expected, await File.ReadAllBytesAsync(Target));
                Assert.Equal(expected, read.ToArray());
                Assert.EachEqual((length, Total, Total, length), (stream.Length, stream.Info.Length, file.Info.Length, file.Statistics.BytesTransferred));
                Assert.False(stream.Verdict!.IsVerified);
                Assert.Contains($"only {length} of the object's {Total} bytes", file.Verdict.Reason, StringComparison.Ordinal);
            }
        }
    }

    [Theory]
    [Stores(0L, 1L, Total)]
    public async Task RangeOfTheWholeObject_IsVerified(string storeName, long total)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store, o => o.DownloadPartSizeBytes = Part);
        await client.UploadAsync(new PatternSource(total), store.Bucket, "key");

        foreach (ObjectRange range in (ObjectRange[])[ObjectRange.From(0), ObjectRange.From(0, Total), ObjectRange.Last(Total + 1)])
        {
            DownloadResult down = await client.DownloadAsync(store.Bucket, "key", Target, new DownloadOptions { Range = range });

            AssertPattern(Target, total);
            Assert.Equal(total, down.Statistics.BytesTransferred);
            Assert.True(down.Verdict.IsVerified, $"{range}: {down.Verdict}");
        }
    }

    [Theory]
    [Stores(0L, Total)]
    public async Task RangeBeyondTheEnd_ErrorSaysSo(string storeName, long total)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store, o => o.DownloadPartSizeBytes = Part);
        UploadResult up = await client.UploadAsync(new PatternSource(total), store.Bucket, "key");

        foreach (ObjectHint? hint in (ObjectHint?[])[null, new ObjectHint { Length = total, ETag = up.ETag }])
        {
            DownloadOptions options = new() { Range = ObjectRange.From(total == 0 ? 1 : total, 10), Hint = hint };
            TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.DownloadAsync(store.Bucket, "key", Target, options));

            Assert.EachEqual((HttpStatusCode.RequestedRangeNotSatisfiable, "InvalidRange", "key"), (e.StatusCode!.Value, e.ErrorCode, e.Key));
            Assert.Contains($"has no byte {options.Range.Offset}", e.Message, StringComparison.Ordinal);
        }

        Assert.Empty(Directory.GetFileSystemEntries(Folder));
    }

    [Fact]
    public async Task RangeOfTwoParts_RequestsNothingElse()
    {
        await using EmbeddedStore store = await EmbeddedStore.StartAsync();
        await store.S3.PutBucketAsync(store.Bucket);
        TransferClient client = Client(store, o => o.DownloadPartSizeBytes = Part);
        await client.UploadAsync(new PatternSource(Total), store.Bucket, "key");
        store.Server.ClearRequests();

        await client.DownloadAsync(store.Bucket, "key", Target, new DownloadOptions { Range = ObjectRange.From(10, 2 * Part) });

        Assert.Equal([$"bytes=10-{Part + 9}", $"bytes={Part + 10}-{(2 * Part) + 9}"], store.Server.Requests.Select(r => r.Range!).Order());
    }
}
