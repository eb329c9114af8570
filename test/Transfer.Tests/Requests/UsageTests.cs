using Transfer.S3.Requests;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Requests;

/// <summary>Counts requests by their class, and ends transfers at a limit.</summary>
public sealed class UsageTests : TransferTest
{
    [Fact]
    public void Kinds_HaveTheClassesOfPrices()
    {
        Dictionary<RequestKind, StoreUsage> all = Enum.GetValues<RequestKind>().ToDictionary(static kind => kind, static kind => kind.ToUsage());

        Assert.All(all.Values, static usage => Assert.Equal(1, usage.Requests));
        Assert.Equal((9, 4, 5), (all.Values.Count(static usage => usage.Writes == 1), all.Values.Count(static usage => usage.Lists == 1), all.Values.Count(static usage => usage.Deletes == 1)));
        Assert.Equal(
            [RequestKind.GetObject, RequestKind.HeadObject, RequestKind.GetObjectAttributes, RequestKind.GetObjectTagging],
            all.Where(static one => one.Value.Reads == 1).Select(static one => one.Key));
    }

    [Fact]
    public void Sum_AndMultiple_HaveAllNumbers()
    {
        StoreUsage one = new() { Writes = 1, Lists = 2, Reads = 3, Deletes = 4, BytesSent = 5, BytesReceived = 6, BytesCopied = 7 };

        Assert.Equal(10, one.Requests);
        Assert.Equal(one + one + one, one * 3);
        Assert.Equal(new StoreUsage { Writes = 2, Lists = 4, Reads = 6, Deletes = 8, BytesSent = 10, BytesReceived = 12, BytesCopied = 14 }, StoreUsage.Add(one, one));
        Assert.Equal(one * 2, StoreUsage.Multiply(one, 2));
    }

    [Fact]
    public void Amount_IsTheSumOfAllPrices()
    {
        StorePrices prices = new() { WritesPer1000 = 1, ListsPer1000 = 2, ReadsPer1000 = 3, DeletesPer1000 = 4, SentPerGB = 5, ReceivedPerGB = 6, CopiedPerGB = 7 };

        Assert.Equal(28, prices.GetAmount(new StoreUsage { Writes = 1000, Lists = 1000, Reads = 1000, Deletes = 1000, BytesSent = 1_000_000_000, BytesReceived = 1_000_000_000, BytesCopied = 1_000_000_000 }));
        Assert.Equal(0, new StorePrices().GetAmount(new StoreUsage { Writes = 1, BytesSent = 1 }));
    }

    [Fact]
    public async Task Usage_CountsAttemptsAndContent()
    {
        S3.Put(1000);
        S3.Before = (call, _) => call.Number == 1 ? throw FakeS3.Busy() : Task.CompletedTask;
        await using TransferClient client = NewClient();

        await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within();
        StoreUsage down = client.Usage;
        await client.UploadAsync(new MemoryStream(new byte[500]), FakeS3.Bucket, "new").Within();

        Assert.Equal((1000, 0), (down.BytesReceived, down.Writes));
        Assert.InRange(down.Reads, 2, 3);
        Assert.Equal((1, 500), (client.Usage.Writes, client.Usage.BytesSent));
    }

    [Fact]
    public async Task Limit_IsNeverExceeded_ByRequestsThatBeginTogether()
    {
        UsageLimit limit = new() { MaxRequests = 100 };
        UsageCounter one = new(limit, Time);
        UsageCounter other = new(limit, Time);
        int refused = 0;

        await Parallel.ForAsync(0, 1000, (i, _) =>
        {
            try
            {
                (i % 2 == 0 ? one : other).Begin(RequestKind.GetObject);
            }
            catch (TransferException e) when (e.Error == TransferError.LimitReached)
            {
                Interlocked.Increment(ref refused);
            }

            return ValueTask.CompletedTask;
        }).Within();

        Assert.Equal((100, 900), ((one.Current + other.Current).Requests, refused));
    }

    [Fact]
    public async Task Limit_OfCleanup_IsExcepted()
    {
        UsageCounter counter = new(new UsageLimit { MaxRequests = 0 }, Time);

        await CleanUpAsync().Within();

        Assert.Equal(1, counter.Current.Deletes);
        Assert.Throws<TransferException>(() => counter.Begin(RequestKind.AbortMultipartUpload));

        async Task CleanUpAsync()
        {
            await Task.CompletedTask;
            UsageLimit.ExceptCleanup();
            counter.Begin(RequestKind.AbortMultipartUpload);
        }
    }

    [Fact]
    public void Limit_OfBytesTimeAndCost()
    {
        UsageCounter bytes = new(new UsageLimit { MaxBytes = 100 }, Time);
        bytes.Begin(RequestKind.PutObject, sent: 60);
        bytes.Begin(RequestKind.CopyObject, copied: 1000);
        Assert.Equal("Stopped at MaxBytes 100 B; the same call goes on later.", Assert.Throws<TransferException>(() => bytes.Begin(RequestKind.GetObject, requested: 41)).Message);
        bytes.Begin(RequestKind.GetObject, requested: 40);
        bytes.CorrectRequested(-10);
        bytes.Begin(RequestKind.PutObject, sent: 10);

        UsageCounter time = new(new UsageLimit { MaxTime = TimeSpan.FromMinutes(1) }, Time);
        Time.Advance(TimeSpan.FromHours(1)); // it begins with the first request
        time.Begin(RequestKind.GetObject);
        Time.Advance(TimeSpan.FromSeconds(59));
        time.Begin(RequestKind.GetObject);
        Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Contains("MaxTime 00:01:00", Assert.Throws<TransferException>(() => time.Begin(RequestKind.GetObject)).Message, StringComparison.Ordinal);

        UsageCounter cost = new(new UsageLimit { MaxCost = 2.5m, Prices = new StorePrices { WritesPer1000 = 1000, Currency = "EUR" } }, Time);
        cost.Begin(RequestKind.PutObject);
        cost.Begin(RequestKind.GetObject);
        cost.Begin(RequestKind.PutObject);
        Assert.Contains("MaxCost 2.5 EUR", Assert.Throws<TransferException>(() => cost.Begin(RequestKind.PutObject)).Message, StringComparison.Ordinal);
        Assert.Equal(3, cost.Current.Requests);
    }

    [Fact]
    public void Limit_WrongValues_AreRefused()
    {
        Assert.All(
            new[] { new UsageLimit { MaxRequests = -1 }, new UsageLimit { MaxBytes = -1 }, new UsageLimit { MaxTime = TimeSpan.FromTicks(-1) }, new UsageLimit { MaxCost = -1, Prices = new StorePrices() } },
            limit => Assert.Throws<ArgumentOutOfRangeException>(() => NewClient(options => options.Limit = limit)));
        Assert.Throws<ArgumentException>(() => NewClient(options => options.Limit = new UsageLimit { MaxCost = 1 }));
    }

    [Fact]
    public async Task Limit_EndsATransferOfManyObjects_WhateverItsPolicy()
    {
        for (int i = 0; i < 50; i++)
        {
            S3.Put($"p/{i}", 10);
        }

        await using TransferClient client = NewClient(options => options.Limit = new UsageLimit { MaxRequests = 10 });
        int failed = 0;
        DirectoryOptions options = new() { OnFailure = FailurePolicy.Continue, ObjectEnded = outcome => failed += outcome.Error is null ? 0 : 1 };

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, options).Within());

        Assert.Equal((TransferError.LimitReached, 0), (e.Error, failed));
        Assert.Equal(10, client.Usage.Requests);
    }
}
