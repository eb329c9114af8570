using System.Net;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Copies within a store that are interrupted and made again.</summary>
public sealed class CopyResumeTests : TransferSuite
{
    private const long Part = 5 * 1024 * 1024;
    private const int Parts = 4;
    private const long Length = ((Parts - 1) * Part) + 1;
    private static readonly CopyOptions OneByOne = new() { PartSizeBytes = Part, MultipartThresholdBytes = Part, MaxConcurrency = 1 };

    private string State => Path.Combine(Folder, "state");

    [Fact]
    public async Task Copy_CanceledAtAnyRequest_ResumesWithoutCopyingPartsAgain()
    {
        bool isInterrupted = true;
        for (int at = 1; isInterrupted; at++)
        {
            await using RecordedStore store = await RecordedStore.StartAsync();
            await using TransferClient client = NewClient(store);
            await client.UploadAsync(new PatternSource(Length), store.Bucket, "key", new UploadOptions { PartSizeBytes = Part });
            using CancellationTokenSource stop = new();
            int requests = 0;
            store.Answer = _ =>
            {
                if (Interlocked.Increment(ref requests) == at)
                {
                    stop.Cancel();
                }

                return null;
            };
            isInterrupted = false;
            try
            {
                await client.CopyAsync(new(store.Bucket, "key"), new(store.Bucket, "copy"), OneByOne, cancellationToken: stop.Token);
            }
            catch (OperationCanceledException)
            {
                isInterrupted = true;
            }

            store.Answer = null;
            await Deadline.Until(() => store.Server.Statistics.ActiveRequests == 0);
            int copied = PartsCopied(store);
            CopyResult result = await client.CopyAsync(new(store.Bucket, "key"), new(store.Bucket, "copy"), OneByOne);

            await AssertCopyAsync(store, client);
            Assert.True(result.Verdict.IsVerified, $"{at}: {result.Verdict}");
            if (isInterrupted)
            {
                // A part whose response was lost may be copied again.
                Assert.InRange(PartsCopied(store), Parts, Parts + 1);
                Assert.InRange(result.Statistics.BytesResumed, Math.Max(0, (copied - 1) * Part), Length);
            }
        }
    }

    [Fact]
    public async Task Copy_SourceWasReplacedBetween_BeginsAgain()
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        await using TransferClient client = NewClient(store);
        await client.UploadAsync(new MemoryStream(new byte[Length]), store.Bucket, "key");
        await InterruptAsync(store, client, OneByOne);
        await client.UploadAsync(new PatternSource(Length), store.Bucket, "key");

        CopyResult result = await client.CopyAsync(new(store.Bucket, "key"), new(store.Bucket, "copy"), OneByOne);

        await AssertCopyAsync(store, client);
        Assert.Equal(0, result.Statistics.BytesResumed);
    }

    [Fact]
    public async Task Copy_UploadIsGone_BeginsAgain()
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        await using TransferClient client = NewClient(store);
        await client.UploadAsync(new PatternSource(Length), store.Bucket, "key");
        await InterruptAsync(store, client, OneByOne);
        string id = (await store.S3.ListMultipartUploadsAsync(store.Bucket)).MultipartUploads.Single().UploadId;
        await store.S3.AbortMultipartUploadAsync(store.Bucket, "copy", id);

        CopyResult result = await client.CopyAsync(new(store.Bucket, "key"), new(store.Bucket, "copy"), OneByOne);

        await AssertCopyAsync(store, client);
        Assert.Equal(0, result.Statistics.BytesResumed);
    }

    [Fact]
    public async Task Copy_PartsCannotBeListed_UsesTheJournal()
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        await using TransferClient client = NewClient(store);
        await client.UploadAsync(new PatternSource(Length), store.Bucket, "key");
        await InterruptAsync(store, client, OneByOne);
        store.Answer = request => request.Method == HttpMethod.Get && request.RequestUri!.Query.Contains("uploadId", StringComparison.Ordinal)
            ? new HttpResponseMessage(HttpStatusCode.Forbidden) { Content = new StringContent("<Error><Code>AccessDenied</Code></Error>") }
            : null;

        CopyResult result = await client.CopyAsync(new(store.Bucket, "key"), new(store.Bucket, "copy"), OneByOne);

        store.Answer = null;
        await AssertCopyAsync(store, client);
        Assert.Equal(Part, result.Statistics.BytesResumed); // the first part is copied again, to find out whether the upload exists
    }

    [Fact]
    public async Task Copy_ResumeIsOff_AbortsAndLeavesNothing()
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        await using TransferClient client = NewClient(store);
        await client.UploadAsync(new PatternSource(Length), store.Bucket, "key");

        await InterruptAsync(store, client, OneByOne with { Resume = false });

        Assert.Empty((await store.S3.ListMultipartUploadsAsync(store.Bucket)).MultipartUploads ?? []);
        Assert.False(Directory.Exists(State) && Directory.EnumerateFiles(State).Any());
    }

    /// <summary>Cancels a copy when its third part is copied.</summary>
    private static async Task InterruptAsync(RecordedStore store, TransferClient client, CopyOptions options)
    {
        using CancellationTokenSource stop = new();
        store.Answer = request =>
        {
            if (request.RequestUri!.Query.Contains("partNumber=3", StringComparison.Ordinal))
            {
                stop.Cancel();
            }

            return null;
        };
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => client.CopyAsync(new(store.Bucket, "key"), new(store.Bucket, "copy"), options, cancellationToken: stop.Token));
        store.Answer = null;
        await Deadline.Until(() => store.Server.Statistics.ActiveRequests == 0);
    }

    private static int PartsCopied(RecordedStore store) => store.Server.Requests.Count(request => request is { Operation: "UploadPartCopy", StatusCode: 200 });

    private async Task AssertCopyAsync(RecordedStore store, TransferClient client)
    {
        using PatternSink sink = new();
        await client.DownloadAsync(store.Bucket, "copy", sink);
        Assert.Equal(Length, sink.Written);
        Assert.Empty((await store.S3.ListMultipartUploadsAsync(store.Bucket)).MultipartUploads ?? []);
        Assert.Empty(Directory.EnumerateFiles(State));
    }

    private TransferClient NewClient(RecordedStore store) => new(store.S3, new TransferClientOptions { StateDirectory = State });
}
