using System.Globalization;
using Amazon.S3.Model;
using Transfer.S3.Jobs;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Sync;

namespace Transfer.S3.Tests.Jobs;

/// <summary>Plans a copy of a million objects, some of which are huge.</summary>
[Collection(ProcessMemoryCollection.Name)]
public sealed class PlanMemoryTests : TransferTest
{
    private const int PageSize = 1000;
    private const long MaxLiveBytes = 256L * 1024 * 1024;
    private static readonly int Pages = LongTests.Choose(full: 1000, quick: 50);

    [Fact]
    public async Task ManyObjects_ShardsHaveTheSameCostAndMemoryIsBounded()
    {
        using TemporaryFolder folder = new();
        FakeS3 store = new() { Page = Fill };
        TransferClient client = NewClient(store.Client);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        long most = 0;
        int listed = 0;
        store.Before = (_, _) =>
        {
            if (Interlocked.Increment(ref listed) % (Pages / 10) == 0)
            {
                most = Math.Max(most, GC.GetTotalMemory(forceFullCollection: true) - before);
            }

            return Task.CompletedTask;
        };

        TransferJob job = new(client, JobFolder.InDirectory(folder.Path));
        JobPlan plan = await job.PlanAsync(new Place { Bucket = FakeS3.Bucket, Prefix = SyncPair.SourcePrefix }, new Place { Bucket = FakeS3.Bucket, Prefix = SyncPair.TargetPrefix }, new JobOptions { Workers = 8 }).Within();

        most = Math.Max(most, GC.GetTotalMemory(forceFullCollection: true) - before);
        Assert.EachEqual((Pages * PageSize, Pages / 10), (plan.Objects, plan.SplitObjects));
        Assert.InRange(most, 0, MaxLiveBytes);
        long[] costs = [.. plan.Shards.Select(shard => shard.Bytes + (shard.Items * JobItem.ObjectCost))];
        ShardBalanceTests.ExpectShares(costs, plan.Items);
    }

    /// <summary>A list in another order than that of its keys.</summary>
    [Fact]
    public async Task ListOfKeys_MemoryIsBounded()
    {
        using TemporaryFolder folder = new();
        FakeS3 store = new();
        TransferClient client = NewClient(store.Client);
        int keys = Pages * PageSize;
        long before = GC.GetTotalMemory(forceFullCollection: true);
        long most = 0;

        TransferJob job = new(client, JobFolder.InDirectory(folder.Path));
        JobOptions options = new() { Workers = 8, Transfer = new DirectoryOptions { Keys = ReadAsync() } };
        JobPlan plan = await job.PlanAsync(new Place { Bucket = FakeS3.Bucket, Prefix = SyncPair.SourcePrefix }, new Place { Bucket = FakeS3.Bucket, Prefix = SyncPair.TargetPrefix }, options).Within();

        most = Math.Max(most, GC.GetTotalMemory(forceFullCollection: true) - before);
        Assert.EachEqual((keys, 5L * keys), (plan.Objects, plan.Bytes));
        Assert.InRange(most, 0, MaxLiveBytes / 4);
        Assert.EachEqual((1, 1), (store.GetCount(S3Call.Head), store.GetCount(S3Call.List))); // of the target, which is empty

        async IAsyncEnumerable<ObjectKey> ReadAsync()
        {
            await Task.Yield();
            for (int i = 0; i < keys; i++)
            {
                if (i % (keys / 10) == 0)
                {
                    most = Math.Max(most, GC.GetTotalMemory(forceFullCollection: true) - before);
                }

                const int Prime = 7919; // it visits every number
                yield return new ObjectKey { Key = $"{SyncPair.SourcePrefix}{(long)i * Prime % keys:D7}", Length = 5, ETag = "0123456789abcdef0123456789abcdef" };
            }
        }
    }

    /// <summary>Fills a page with objects of lognormal sizes. Every tenth page has a huge one.</summary>
    private static void Fill(ListObjectsV2Response page)
    {
        if (page.Prefix != SyncPair.SourcePrefix)
        {
            return;
        }

        int number = page.ContinuationToken is { } after ? (int.Parse(after[^7..], CultureInfo.InvariantCulture) + 1) / PageSize : 0;
        Random random = new(number);
        page.S3Objects = [.. Enumerable.Range(number * PageSize, PageSize).Select(i => new S3Object { Key = $"{SyncPair.SourcePrefix}{i:D7}", Size = GetSize(random, i), ETag = "\"0123456789abcdef0123456789abcdef\"" })];
        page.IsTruncated = number < Pages - 1;
        page.NextContinuationToken = page.IsTruncated == true ? page.S3Objects[^1].Key : null;
    }

    private static long GetSize(Random random, int number)
    {
        double normal = Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
        return number % (10 * PageSize) == 0 ? 20_000_000_000 : (long)Math.Min(4e9, Math.Exp(12 + (2.5 * normal)));
    }
}
