using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Copies between stores that are interrupted and run again.</summary>
public sealed class StoreCopyResumeTests : TransferSuite
{
    private const long MiB = 1024 * 1024;
    private const long Part = 5 * MiB;
    private const int Parts = 4;
    private const long Length = ((Parts - 1) * Part) + 1;
    private static readonly StoreCopyOptions OneByOne = new() { Target = new UploadOptions { PartSizeBytes = Part, MultipartThresholdBytes = Part, MaxConcurrency = 1 } };

    [Theory]
    [InlineData(ChecksumAlgorithm.Auto)]
    [InlineData(ChecksumAlgorithm.Crc32)]
    [InlineData(ChecksumAlgorithm.Sha256)]
    public async Task Copy_CanceledAtAnyRequest_ResumesWithoutReadingOrSendingPartsAgain(ChecksumAlgorithm checksum)
    {
        bool isInterrupted = true;
        for (int at = 1; isInterrupted; at++)
        {
            await using RecordedStore from = await RecordedStore.StartAsync();
            await using RecordedStore to = await RecordedStore.StartAsync();
            await using TransferClient source = NewClient(from);
            await using TransferClient target = NewClient(to);
            await source.UploadAsync(new PatternSource(Length), from.Bucket, "key", new UploadOptions { Checksum = checksum, PartSizeBytes = Part });
            using CancellationTokenSource stop = new();
            int requests = 0;
            from.Answer = to.Answer = _ =>
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
                await source.CopyAsync(new(from.Bucket, "key"), target, new(to.Bucket, "copy"), OneByOne, cancellationToken: stop.Token);
            }
            catch (OperationCanceledException)
            {
                isInterrupted = true;
            }

            from.Answer = to.Answer = null;
            await Deadline.Until(() => from.Server.Statistics.ActiveRequests == 0 && to.Server.Statistics.ActiveRequests == 0);
            int sent = PartsSent(to);
            long read = from.Server.Statistics.BytesSent;
            CopyResult result = await source.CopyAsync(new(from.Bucket, "key"), target, new(to.Bucket, "copy"), OneByOne);

            using PatternSink sink = new();
            await target.DownloadAsync(to.Bucket, "copy", sink);
            Assert.EachEqual((Length, Length), (sink.Written, result.Statistics.BytesTransferred));
            Assert.Empty((await to.S3.ListMultipartUploadsAsync(to.Bucket)).MultipartUploads ?? []);
            Assert.Empty(Directory.EnumerateFiles(GetState(to)));
            if (isInterrupted)
            {
                // A part whose response was lost may be sent again.
                Assert.InRange(PartsSent(to), Parts, Parts + 1);
                Assert.InRange(result.Statistics.BytesResumed, Math.Max(0, (sent - 1) * Part), Length);
            }

            if (isInterrupted && checksum == ChecksumAlgorithm.Auto)
            {
                // A part whose response was lost is read again, to compare it.
                Assert.True(result.Verdict.IsVerified, $"{at}: {result.Verdict}");
                Assert.InRange(from.Server.Statistics.BytesSent - read, 0, Length - result.Statistics.BytesResumed + Part + (64 * 1024));
            }
        }
    }

    [Fact]
    public async Task Copy_Again_ReadsOneByteAndTheMissingParts()
    {
        await using RecordedStore from = await RecordedStore.StartAsync();
        await using RecordedStore to = await RecordedStore.StartAsync();
        await using TransferClient source = NewClient(from);
        await using TransferClient target = NewClient(to);
        await source.UploadAsync(new PatternSource(Length), from.Bucket, "key");
        await InterruptAsync(source, from, target, to);
        from.Server.ClearRequests();

        CopyResult result = await source.CopyAsync(new(from.Bucket, "key"), target, new(to.Bucket, "copy"), OneByOne);

        Assert.Equal(2 * Part, result.Statistics.BytesResumed);
        Assert.Equal(
            ["bytes=0-0", $"bytes={2 * Part}-{(3 * Part) - 1}", $"bytes={3 * Part}-{Length - 1}"],
            from.Server.Requests.Where(request => request.Operation == "GetObject").Select(request => request.Range));
    }

    [Fact]
    public async Task Copy_SourceWasReplacedBetween_BeginsAgain()
    {
        await using RecordedStore from = await RecordedStore.StartAsync();
        await using RecordedStore to = await RecordedStore.StartAsync();
        await using TransferClient source = NewClient(from);
        await using TransferClient target = NewClient(to);
        await source.UploadAsync(new MemoryStream(new byte[Length]), from.Bucket, "key");
        await InterruptAsync(source, from, target, to);
        await source.UploadAsync(new PatternSource(Length), from.Bucket, "key");

        CopyResult result = await source.CopyAsync(new(from.Bucket, "key"), target, new(to.Bucket, "copy"), OneByOne);

        using PatternSink sink = new();
        await target.DownloadAsync(to.Bucket, "copy", sink);
        Assert.EachEqual((Length, 0L), (sink.Written, result.Statistics.BytesResumed));
        Assert.Empty((await to.S3.ListMultipartUploadsAsync(to.Bucket)).MultipartUploads ?? []);
    }

    [Fact]
    public async Task Copy_PartOfTheEarlierRunWasReplaced_IsSentAgain()
    {
        await using RecordedStore from = await RecordedStore.StartAsync();
        await using RecordedStore to = await RecordedStore.StartAsync();
        await using TransferClient source = NewClient(from);
        await using TransferClient target = NewClient(to);
        await source.UploadAsync(new PatternSource(Length), from.Bucket, "key");
        await InterruptAsync(source, from, target, to);
        string id = (await to.S3.ListMultipartUploadsAsync(to.Bucket)).MultipartUploads.Single().UploadId;
        byte[] other = new byte[Part];
        await to.S3.UploadPartAsync(new UploadPartRequest
        {
            BucketName = to.Bucket,
            Key = "copy",
            UploadId = id,
            PartNumber = 1,
            InputStream = new MemoryStream(other),
            ChecksumCRC64NVME = Crc.Crc64Nvme.ToBase64(Crc.Crc64Nvme.Append(0, other)),
        });

        CopyResult result = await source.CopyAsync(new(from.Bucket, "key"), target, new(to.Bucket, "copy"), OneByOne);

        using PatternSink sink = new();
        await target.DownloadAsync(to.Bucket, "copy", sink);
        Assert.EachEqual((Length, Part, true), (sink.Written, result.Statistics.BytesResumed, result.Verdict.IsVerified));
    }

    [Fact]
    public async Task Copy_ResumeIsOff_AbortsAndLeavesNothing()
    {
        await using RecordedStore from = await RecordedStore.StartAsync();
        await using RecordedStore to = await RecordedStore.StartAsync();
        await using TransferClient source = NewClient(from);
        await using TransferClient target = NewClient(to);
        await source.UploadAsync(new PatternSource(Length), from.Bucket, "key");

        await InterruptAsync(source, from, target, to, OneByOne with { Target = OneByOne.Target with { Resume = false } });

        Assert.Empty((await to.S3.ListMultipartUploadsAsync(to.Bucket)).MultipartUploads ?? []);
        Assert.False(Directory.Exists(GetState(to)) && Directory.EnumerateFiles(GetState(to)).Any());
    }

    /// <summary>Cancels a copy when its third part is sent.</summary>
    private static async Task InterruptAsync(TransferClient source, RecordedStore from, TransferClient target, RecordedStore to, StoreCopyOptions? options = null)
    {
        using CancellationTokenSource stop = new();
        to.Answer = request =>
        {
            if (request.RequestUri!.Query.Contains("partNumber=3", StringComparison.Ordinal))
            {
                stop.Cancel();
            }

            return null;
        };
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => source.CopyAsync(new(from.Bucket, "key"), target, new(to.Bucket, "copy"), options ?? OneByOne, cancellationToken: stop.Token));
        to.Answer = null;
        await Deadline.Until(() => to.Server.Statistics.ActiveRequests == 0);
    }

    private static int PartsSent(RecordedStore store) => store.Server.Requests.Count(request => request is { Operation: "UploadPart", StatusCode: 200 });

    private string GetState(RecordedStore store) => Path.Combine(Folder, new Uri(store.S3.Config.ServiceURL).Port.ToString(System.Globalization.CultureInfo.InvariantCulture));

    private TransferClient NewClient(RecordedStore store) => new(store.S3, new TransferClientOptions { StateDirectory = GetState(store) });
}
