using System.Buffers;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Faults;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Uploads and downloads that transfer only the parts in which a file and an object differ.</summary>
public sealed class PartReuseTests : TransferSuite
{
    private const int Part = 5 * 1024 * 1024;
    private const string Key = "disk.img";
    private static readonly UploadOptions Whole = new() { PartSizeBytes = Part, MultipartThresholdBytes = Part };
    private static readonly UploadOptions Delta = Whole with { ReuseParts = true };

    private string LocalFile => Path.Combine(Folder, Key);

    [Theory]
    [Stores(1, 2, 3, 4, OurWireOnly = true)]
    public async Task Upload_RandomEdits_PublishesTheFileAndSendsOnlyThePartsThatDiffer(string storeName, int seed)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        Random random = new(seed);
        byte[] old = new byte[(3 * Part) + random.Next(-1, 2)];
        random.NextBytes(old);
        for (int edit = 0; edit < 4; edit++)
        {
            await client.UploadAsync(new ReadOnlySequence<byte>(old), store.Bucket, Key, Whole);
            byte[] changed = Edit(old, random, (seed + edit) % 5);
            await File.WriteAllBytesAsync(LocalFile, changed);

            UploadResult result = await client.UploadAsync(LocalFile, store.Bucket, Key, Delta);

            string what = $"edit {edit}: {old.Length} to {changed.Length} bytes, {CountDiffering(old, changed)} differ";
            Assert.True(CountDiffering(old, changed) == Sent(result), $"{what}, {Sent(result)} sent");
            await AssertObjectAsync(store, changed);
            Assert.Empty(await store.OpenUploadsAsync());
            old = changed;
        }
    }

    [Theory]
    [Stores]
    public async Task Upload_SameFile_TakesTwoRequestsAndPublishesNothing(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        NewFile(Key, (2 * Part) + 1);
        UploadResult first = await client.UploadAsync(LocalFile, store.Bucket, Key, Whole);

        UploadResult second = await client.UploadAsync(LocalFile, store.Bucket, Key, Delta);

        Assert.Equal((first.ETag, 0, 2L, 0L), (second.ETag, second.Parts, second.Statistics.Requests, Sent(second)));
        Assert.Equal(first.Verdict.Value, second.Verdict.Value);
        Assert.True(second.Verdict.IsVerified);
    }

    [Fact]
    public async Task Upload_SameContentWithOtherProperties_CopiesAllParts()
    {
        await using EmbeddedStore store = await StartAsync();
        TransferClient client = Client(store);
        NewFile(Key, (2 * Part) + 1);
        await client.UploadAsync(LocalFile, store.Bucket, Key, Whole with { CacheControl = "max-age=1" });

        UploadResult result = await client.UploadAsync(LocalFile, store.Bucket, Key, Delta with { Metadata = new Dictionary<string, string> { ["color"] = "blue" } });

        Assert.Equal((3, 0L), (result.Parts, Sent(result)));
        Assert.True(result.Verdict.IsVerified);
        GetObjectMetadataResponse head = await store.S3.GetObjectMetadataAsync(store.Bucket, Key);
        Assert.EachEqual(("blue", (string?)null), (head.Metadata["color"], head.Headers.CacheControl));
        AssertPattern(LocalFile, (2 * Part) + 1);
    }

    [Theory]
    [InlineData(ChecksumAlgorithm.Crc32)]
    [InlineData(ChecksumAlgorithm.Crc32C)]
    [InlineData(ChecksumAlgorithm.Sha256)]
    [InlineData(ChecksumAlgorithm.Sha1)]
    public async Task Upload_AnyAlgorithm_ComparesWithTheOneOfTheParts(ChecksumAlgorithm algorithm)
    {
        await using EmbeddedStore store = await StartAsync();
        TransferClient client = Client(store);
        byte[] content = Pattern.Bytes((2 * Part) + 1);
        await client.UploadAsync(new ReadOnlySequence<byte>(content), store.Bucket, Key, Whole with { Checksum = algorithm });
        content[0]++;
        await File.WriteAllBytesAsync(LocalFile, content);

        UploadResult auto = await client.UploadAsync(LocalFile, store.Bucket, Key, Delta);
        Assert.Equal((Part, algorithm, true), (Sent(auto), auto.Verdict.Algorithm, auto.Verdict.IsVerified));

        content[^1]++;
        await File.WriteAllBytesAsync(LocalFile, content);
        UploadResult other = await client.UploadAsync(LocalFile, store.Bucket, Key, Delta with { Checksum = ChecksumAlgorithm.Crc64Nvme });
        Assert.Equal((1, ChecksumAlgorithm.Crc64Nvme, true), (Sent(other), other.Verdict.Algorithm, other.Verdict.IsVerified));
        await AssertObjectAsync(store, content);
    }

    [Fact]
    public async Task Upload_StoreDoesNotCopyParts_SendsTheWholeFile()
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        await using TransferClient client = new(store.S3);
        byte[] content = Pattern.Bytes((2 * Part) + 1);
        await client.UploadAsync(new ReadOnlySequence<byte>(content), store.Bucket, Key, Whole);
        content[0]++;
        await File.WriteAllBytesAsync(LocalFile, content);
        store.Answer = request => RecordedStore.Header(request, "x-amz-copy-source") is null ? null
            : new HttpResponseMessage(System.Net.HttpStatusCode.Forbidden) { Content = new StringContent("<Error><Code>InvalidObjectState</Code></Error>") };

        UploadResult result = await client.UploadAsync(LocalFile, store.Bucket, Key, Delta);

        Assert.Equal((content.Length, content.Length), (Sent(result), result.Statistics.BytesTransferred));
        Assert.Equal(content, await ReadAsync(store.S3, store.Bucket));
        Assert.Equal(0, store.Server.Statistics.OpenMultipartUploads);
    }

    [Theory]
    [InlineData("x-amz-copy-source")]
    [InlineData("If-Match")]
    public async Task Upload_ObjectIsReplacedBetween_PublishesNothing(string header)
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        await using TransferClient client = new(store.S3);
        byte[] content = Pattern.Bytes((2 * Part) + 1);
        await client.UploadAsync(new ReadOnlySequence<byte>(content), store.Bucket, Key, Whole);
        content[0]++;
        await File.WriteAllBytesAsync(LocalFile, content);
        using Amazon.S3.AmazonS3Client other = store.Server.CreateClient();
        ReplaceAt(store, other, request => RecordedStore.Header(request, header) is not null && request.Method != HttpMethod.Get);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.UploadAsync(LocalFile, store.Bucket, Key, Delta));

        Assert.Equal(header == "If-Match" ? TransferError.PreconditionFailed : TransferError.ObjectChanged, e.Error);
        Assert.Equal(7, (await other.GetObjectMetadataAsync(store.Bucket, Key)).ContentLength);
        Assert.Equal(0, store.Server.Statistics.OpenMultipartUploads);
    }

    [Theory]
    [InlineData(0)] // uploaded with one request
    [InlineData(1)] // parts of different sizes
    [InlineData(2)] // no checksums
    [InlineData(3)] // nothing is equal
    public async Task Upload_PartsCannotBeReused_SendsTheWholeFile(int reason)
    {
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { ReturnChecksums = reason != 2 });
        using Amazon.S3.AmazonS3Client s3 = server.CreateClient();
        await s3.PutBucketAsync("bucket");
        using WarningLog log = new(Microsoft.Extensions.Logging.LogLevel.Information);
        await using TransferClient client = new(s3, new TransferClientOptions { LoggerFactory = log });
        byte[] content = Pattern.Bytes((3 * Part) + 1);
        await client.UploadAsync(
            new ReadOnlySequence<byte>(reason == 3 ? new byte[content.Length] : content), "bucket", Key, reason == 0 ? Whole with { MultipartThresholdBytes = 1 << 30 } : Whole);
        if (reason == 1)
        {
            await ReplaceAsync(s3, content);
        }

        content[0]++;
        await File.WriteAllBytesAsync(LocalFile, content);

        UploadResult result = await client.UploadAsync(LocalFile, "bucket", Key, Delta);

        Assert.Equal((content.Length, 0L), (Sent(result), result.Statistics.BytesResumed));
        string[] why = ["it was uploaded with one request", "they have different sizes", "", "none of them is equal"];
        Assert.Contains(log.Warnings, line => line.Contains($"No parts of s3://bucket/{Key} are reused", StringComparison.Ordinal) && line.Contains(why[reason], StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("UploadPartCopy")]
    [InlineData("CompleteMultipartUpload")]
    public async Task Upload_ReplyIsLost_PublishesOnce(string operation)
    {
        await using EmbeddedStore store = await StartAsync();
        TransferClient client = Client(store);
        byte[] content = Pattern.Bytes((2 * Part) + 1);
        await client.UploadAsync(new ReadOnlySequence<byte>(content), store.Bucket, Key, Whole);
        content[0]++;
        await File.WriteAllBytesAsync(LocalFile, content);
        store.Server.SetFaults(new FaultPlan { Rules = [new FaultRule(ServerFault.LoseReply) { Operation = operation, Times = 1 }] });

        UploadResult result = await client.UploadAsync(LocalFile, store.Bucket, Key, Delta);

        Assert.Equal(1, store.Server.Statistics.FaultCount(ServerFault.LoseReply));
        Assert.Equal((3, Part, true), (result.Parts, Sent(result), result.Verdict.IsVerified));
        Assert.Equal((await store.S3.GetObjectMetadataAsync(store.Bucket, Key)).ETag, result.ETag);
        await AssertObjectAsync(store, content);
        Assert.Equal(0, store.Server.Statistics.OpenMultipartUploads);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Upload_ObjectHasACustomersKey_SaysSoAndSendsTheWholeFile(bool isKeyGiven)
    {
        await using EmbeddedStore store = await StartAsync();
        using WarningLog log = new(Microsoft.Extensions.Logging.LogLevel.Information);
        TransferClient client = Client(store, options => options.LoggerFactory = log);
        CustomerKey key = NewKey();
        NewFile(Key, (2 * Part) + 1);
        await client.UploadAsync(LocalFile, store.Bucket, Key, Whole with { CustomerKey = key });

        UploadResult result = await client.UploadAsync(LocalFile, store.Bucket, Key, Delta with { CustomerKey = isKeyGiven ? key : null });

        Assert.Equal(((2 * Part) + 1, 0L, true), (Sent(result), result.Statistics.BytesResumed, result.Verdict.IsVerified));
        AssertNotReused(log, store, isKeyGiven ? "it is encrypted with a customer-provided key" : "its headers can't be read");
    }

    [Fact]
    public async Task Upload_ObjectIsArchived_SaysSoAndSendsTheWholeFile()
    {
        await using EmbeddedStore store = await StartAsync();
        using WarningLog log = new(Microsoft.Extensions.Logging.LogLevel.Information);
        TransferClient client = Client(store, options => options.LoggerFactory = log);
        byte[] content = Pattern.Bytes((2 * Part) + 1);
        await client.UploadAsync(new ReadOnlySequence<byte>(content), store.Bucket, Key, Whole with { StorageClass = "GLACIER" });
        content[0]++;
        await File.WriteAllBytesAsync(LocalFile, content);

        UploadResult result = await client.UploadAsync(LocalFile, store.Bucket, Key, Delta);

        Assert.Equal((content.Length, content.Length), (Sent(result), result.Statistics.BytesTransferred));
        AssertNotReused(log, store, "the store does not copy them");
        await AssertObjectAsync(store, content);
        Assert.Equal(0, store.Server.Statistics.OpenMultipartUploads);
    }

    [Fact]
    public async Task Upload_CanceledAtAnyRequest_ResumesWithoutSendingPartsAgain()
    {
        bool isInterrupted = true;
        for (int at = 1; isInterrupted; at++)
        {
            await using RecordedStore store = await RecordedStore.StartAsync();
            await using TransferClient client = new(store.S3, new TransferClientOptions { StateDirectory = Path.Combine(Folder, "state") });
            byte[] content = Pattern.Bytes((3 * Part) + 1);
            await client.UploadAsync(new ReadOnlySequence<byte>(content), store.Bucket, Key, Whole);
            content[Part]++;
            await File.WriteAllBytesAsync(LocalFile, content);
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
                await client.UploadAsync(LocalFile, store.Bucket, Key, Delta with { MaxConcurrency = 1 }, cancellationToken: stop.Token);
            }
            catch (OperationCanceledException)
            {
                isInterrupted = true;
            }

            store.Answer = null;
            await Deadline.Until(() => store.Server.Statistics.ActiveRequests == 0);
            UploadResult result = await client.UploadAsync(LocalFile, store.Bucket, Key, Delta);

            Assert.True(result.Verdict.IsVerified, $"{at}: {result.Verdict}");
            Assert.InRange(Sent(result), 0, Part);
            Assert.Equal(content, await ReadAsync(store.S3, store.Bucket));
            Assert.Equal(0, store.Server.Statistics.OpenMultipartUploads);
        }
    }

    [Theory]
    [Stores(1, 2, 3, 4, OurWireOnly = true)]
    public async Task Download_RandomEdits_WritesTheObjectAndReceivesOnlyThePartsThatDiffer(string storeName, int seed)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        Random random = new(seed);
        byte[] content = new byte[(3 * Part) + random.Next(-1, 2)];
        random.NextBytes(content);
        await client.UploadAsync(new ReadOnlySequence<byte>(content), store.Bucket, Key, Whole);
        for (int edit = 0; edit < 5; edit++)
        {
            byte[] old = Edit(content, random, edit);
            await File.WriteAllBytesAsync(LocalFile, old);

            DownloadResult result = await client.DownloadAsync(store.Bucket, Key, LocalFile, new DownloadOptions { ReuseParts = true });

            long missing = CountMissing(old, content);
            long received = result.Statistics.BytesTransferred - result.Statistics.BytesResumed;
            Assert.True(missing == received, $"edit {edit}: {old.Length} bytes, {missing} differ, {received} received");
            Assert.True((await File.ReadAllBytesAsync(LocalFile)).AsSpan().SequenceEqual(content));
            Assert.True(result.Verdict.IsVerified);
            Assert.Equal(LocalFile, Assert.Single(Directory.GetFiles(Folder)));
        }
    }

    [Theory]
    [Stores]
    public async Task Download_SameFile_TakesTwoRequestsAndReceivesNothing(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        NewFile(Key, (2 * Part) + 1);
        UploadResult upload = await client.UploadAsync(LocalFile, store.Bucket, Key, Whole);

        DownloadResult result = await client.DownloadAsync(store.Bucket, Key, LocalFile, new DownloadOptions { ReuseParts = true });

        Assert.Equal((2L, (2L * Part) + 1, (2L * Part) + 1), (result.Statistics.Requests, result.Statistics.BytesResumed, result.Statistics.BytesTransferred));
        Assert.Equal((upload.ETag, upload.Verdict.Value, true), (result.Info.ETag, result.Verdict.Value, result.Verdict.IsVerified));
        AssertPattern(LocalFile, (2 * Part) + 1);
    }

    [Theory]
    [InlineData("x-amz-object-attributes")]
    [InlineData("Range")]
    public async Task Download_ObjectIsReplacedBetween_IsOfOneState(string header)
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        await using TransferClient client = new(store.S3);
        byte[] content = Pattern.Bytes((2 * Part) + 1);
        await client.UploadAsync(new ReadOnlySequence<byte>(content), store.Bucket, Key, Whole);
        byte[] old = [.. content];
        old[0]++;
        await File.WriteAllBytesAsync(LocalFile, old);
        using Amazon.S3.AmazonS3Client other = store.Server.CreateClient();
        ReplaceAt(store, other, request => RecordedStore.Header(request, header) is not null);

        Task<DownloadResult> download = client.DownloadAsync(store.Bucket, Key, LocalFile, new DownloadOptions { ReuseParts = true });

        if (header == "Range")
        {
            Assert.Equal(TransferError.ObjectChanged, (await Assert.ThrowsAsync<TransferException>(() => download)).Error);
            Assert.Equal(old, await File.ReadAllBytesAsync(LocalFile));
        }
        else
        {
            await download;
            Assert.Equal("another", await File.ReadAllTextAsync(LocalFile));
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Download_ConditionOfTheCaller_IsCheckedByTheStore(bool holds)
    {
        await using EmbeddedStore store = await StartAsync();
        TransferClient client = Client(store);
        NewFile(Key, (2 * Part) + 1);
        UploadResult upload = await client.UploadAsync(LocalFile, store.Bucket, Key, Whole);

        Task<DownloadResult> download = client.DownloadAsync(
            store.Bucket, Key, LocalFile, new DownloadOptions { ReuseParts = true, IfMatch = holds ? upload.ETag : "\"another\"" });

        if (holds)
        {
            Assert.Equal((2L * Part) + 1, (await download).Statistics.BytesResumed);
        }
        else
        {
            Assert.Equal(TransferError.PreconditionFailed, (await Assert.ThrowsAsync<TransferException>(() => download)).Error);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Download_ObjectIsArchived_SucceedsIfNothingIsRequested(bool isSame)
    {
        await using EmbeddedStore store = await StartAsync();
        TransferClient client = Client(store);
        byte[] content = Pattern.Bytes((2 * Part) + 1);
        await client.UploadAsync(new ReadOnlySequence<byte>(content), store.Bucket, Key, Whole with { StorageClass = "GLACIER" });
        content[0] += (byte)(isSame ? 0 : 1);
        await File.WriteAllBytesAsync(LocalFile, content);

        Task<DownloadResult> download = client.DownloadAsync(store.Bucket, Key, LocalFile, new DownloadOptions { ReuseParts = true, Resume = false });

        if (isSame)
        {
            Assert.True((await download).Verdict.IsVerified);
        }
        else
        {
            Assert.Equal("InvalidObjectState", (await Assert.ThrowsAsync<TransferException>(() => download)).ErrorCode);
        }

        Assert.Equal(content, await File.ReadAllBytesAsync(LocalFile));
        Assert.Equal(LocalFile, Assert.Single(Directory.GetFiles(Folder)));
    }

    [Fact]
    public async Task Download_CustomerKey_SaysSoAndReceivesTheWholeObject()
    {
        await using EmbeddedStore store = await StartAsync();
        using WarningLog log = new(Microsoft.Extensions.Logging.LogLevel.Information);
        TransferClient client = Client(store, options => options.LoggerFactory = log);
        CustomerKey key = NewKey();
        NewFile(Key, (2 * Part) + 1);
        await client.UploadAsync(LocalFile, store.Bucket, Key, Whole with { CustomerKey = key });

        DownloadResult result = await client.DownloadAsync(store.Bucket, Key, LocalFile, new DownloadOptions { ReuseParts = true, CustomerKey = key });

        Assert.Equal(((2L * Part) + 1, 0L), (result.Statistics.BytesTransferred, result.Statistics.BytesResumed));
        AssertNotReused(log, store, "it is encrypted with a customer-provided key");
        AssertPattern(LocalFile, (2 * Part) + 1);
    }

    [Fact]
    public async Task Download_OnePartDiffers_ReceivesOnlyItOnTheWire()
    {
        await using EmbeddedStore store = await StartAsync();
        TransferClient client = Client(store);
        byte[] content = Pattern.Bytes(8 * Part);
        await client.UploadAsync(new ReadOnlySequence<byte>(content), store.Bucket, Key, Whole);
        content[Part]++;
        await File.WriteAllBytesAsync(LocalFile, content);
        store.Server.Statistics.Reset();

        await client.DownloadAsync(store.Bucket, Key, LocalFile, new DownloadOptions { ReuseParts = true });

        Assert.InRange(store.Server.Statistics.BytesSent, Part, Part + 100_000);
        AssertPattern(LocalFile, 8 * Part);
    }

    [Theory]
    [InlineData(Store.Embedded)]
    [InlineData(Store.Embedded + Store.BySdk)]
    public async Task Upload_OnePartDiffers_SendsOnlyItOnTheWire(string storeName)
    {
        await using EmbeddedStore store = (EmbeddedStore)await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        byte[] content = Pattern.Bytes(8 * Part);
        await client.UploadAsync(new ReadOnlySequence<byte>(content), store.Bucket, Key, Whole);
        content[Part]++;
        await File.WriteAllBytesAsync(LocalFile, content);
        store.Server.Statistics.Reset();

        UploadResult result = await client.UploadAsync(LocalFile, store.Bucket, Key, Delta);

        Assert.InRange(store.Server.Statistics.BytesReceived, Part, Part + 100_000);
        Assert.Equal((8, true), (result.Parts, result.Verdict.IsVerified));
        await AssertObjectAsync(store, content);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Download_PartsCannotBeReused_ReceivesTheWholeObject(bool isWhole)
    {
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { ReturnChecksums = isWhole });
        using Amazon.S3.AmazonS3Client s3 = server.CreateClient();
        await s3.PutBucketAsync("bucket");
        using WarningLog log = new(Microsoft.Extensions.Logging.LogLevel.Information);
        await using TransferClient client = new(s3, new TransferClientOptions { LoggerFactory = log });
        byte[] content = Pattern.Bytes(2 * Part);
        await client.UploadAsync(new ReadOnlySequence<byte>(content), "bucket", Key, isWhole ? Whole with { MultipartThresholdBytes = 1 << 30 } : Whole);
        await File.WriteAllBytesAsync(LocalFile, content);

        DownloadResult result = await client.DownloadAsync("bucket", Key, LocalFile, new DownloadOptions { ReuseParts = true });

        Assert.Equal((content.Length, 0L), (result.Statistics.BytesTransferred, result.Statistics.BytesResumed));
        Assert.Contains(log.Warnings, line => line.Contains($"No parts of s3://bucket/{Key} are reused", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Download_CanceledAtAnyRequest_ResumesAndReusesTheRest()
    {
        bool isInterrupted = true;
        for (int at = 1; isInterrupted; at++)
        {
            await using RecordedStore store = await RecordedStore.StartAsync();
            await using TransferClient client = new(store.S3);
            byte[] content = Pattern.Bytes((3 * Part) + 1);
            await client.UploadAsync(new ReadOnlySequence<byte>(content), store.Bucket, Key, Whole);
            content[Part]++;
            await File.WriteAllBytesAsync(LocalFile, content);
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
                await client.DownloadAsync(store.Bucket, Key, LocalFile, new DownloadOptions { ReuseParts = true, MaxConcurrency = 1 }, cancellationToken: stop.Token);
            }
            catch (OperationCanceledException)
            {
                isInterrupted = true;
            }

            store.Answer = null;
            DownloadResult result = await client.DownloadAsync(store.Bucket, Key, LocalFile, new DownloadOptions { ReuseParts = true });

            Assert.True(result.Verdict.IsVerified, $"{at}: {result.Verdict}");
            Assert.InRange(result.Statistics.BytesTransferred - result.Statistics.BytesResumed, 0, Part);
            AssertPattern(LocalFile, (3 * Part) + 1);
            Assert.Equal(LocalFile, Assert.Single(Directory.GetFiles(Folder)));
        }
    }

    private static long Sent(UploadResult result) => result.Statistics.BytesTransferred - result.Statistics.BytesResumed;

    private static async Task<EmbeddedStore> StartAsync() => (EmbeddedStore)await Store.StartAsync(Store.Embedded);

    private static CustomerKey NewKey() => new([.. Enumerable.Range(1, CustomerKey.LengthBytes).Select(static i => (byte)i)]);

    private static void AssertNotReused(WarningLog log, Store store, string reason) => Assert.Single(
        log.Warnings,
        line => line.Contains($"No parts of s3://{store.Bucket}/{Key} are reused", StringComparison.Ordinal) && line.Contains(reason, StringComparison.Ordinal));

    /// <summary>Replaces the object before the first of some requests reaches the store.</summary>
    private static void ReplaceAt(RecordedStore store, Amazon.S3.AmazonS3Client other, Predicate<HttpRequestMessage> isAt)
    {
        int replaced = 0;
        store.Answer = request =>
        {
            if (isAt(request) && Interlocked.Exchange(ref replaced, 1) == 0)
            {
#pragma warning disable VSTHRD002 // the server waits for the answer, and has no context
                Task.Run(() => other.PutObjectAsync(new PutObjectRequest { BucketName = store.Bucket, Key = Key, ContentBody = "another" })).GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
            }

            return null;
        };
    }

    private static async Task AssertObjectAsync(Store store, byte[] expected) => Assert.True((await ReadAsync(store.S3, store.Bucket)).AsSpan().SequenceEqual(expected));

    private static async Task<byte[]> ReadAsync(Amazon.S3.AmazonS3Client s3, string bucket)
    {
        using GetObjectResponse response = await s3.GetObjectAsync(bucket, Key);
        using MemoryStream content = new();
        await response.ResponseStream.CopyToAsync(content);
        return content.ToArray();
    }

    /// <summary>Replaces the object by one of parts of different sizes.</summary>
    private static async Task ReplaceAsync(Amazon.S3.AmazonS3Client s3, byte[] content)
    {
        string id = (await s3.InitiateMultipartUploadAsync(new InitiateMultipartUploadRequest { BucketName = "bucket", Key = Key, ChecksumAlgorithm = Amazon.S3.ChecksumAlgorithm.CRC32 })).UploadId;
        List<PartETag> parts = [];
        foreach ((int offset, int length) in new[] { (0, Part), (Part, Part + 1), ((2 * Part) + 1, content.Length - (2 * Part) - 1) })
        {
            UploadPartResponse part = await s3.UploadPartAsync(new UploadPartRequest
            {
                BucketName = "bucket",
                Key = Key,
                UploadId = id,
                PartNumber = parts.Count + 1,
                InputStream = new MemoryStream(content, offset, length),
                ChecksumAlgorithm = Amazon.S3.ChecksumAlgorithm.CRC32,
            });
            parts.Add(new PartETag { PartNumber = parts.Count + 1, ETag = part.ETag, ChecksumCRC32 = part.ChecksumCRC32 });
        }

        await s3.CompleteMultipartUploadAsync(new CompleteMultipartUploadRequest { BucketName = "bucket", Key = Key, UploadId = id, PartETags = parts });
    }

    /// <summary>Overwrites, inserts, appends, truncates, or does nothing, at or beside the boundary of two parts.</summary>
    private static byte[] Edit(byte[] old, Random random, int kind)
    {
        int at = Math.Clamp((random.Next(1, 3) * Part) + random.Next(-1, 2), 0, old.Length);
        byte[] some = new byte[random.Next(1, 4)];
        random.NextBytes(some);
        switch (kind)
        {
            case 0:
                byte[] changed = [.. old];
                some.CopyTo(changed, at);
                return changed;
            case 1:
                return [.. old[..at], .. some, .. old[at..]];
            case 2:
                return [.. old, .. some];
            case 3:
                return old[..Math.Max(Part, old.Length - random.Next(1, Part + 2))];
            default:
                return old;
        }
    }

    /// <summary>Counts the bytes of parts of an object that a file doesn't have at the same place.</summary>
    private static long CountMissing(byte[] file, byte[] content)
    {
        long missing = 0;
        for (int at = 0; at < content.Length; at += Part)
        {
            ReadOnlySpan<byte> part = content.AsSpan(at, Math.Min(Part, content.Length - at));
            missing += at + part.Length <= file.Length && file.AsSpan(at, part.Length).SequenceEqual(part) ? 0 : part.Length;
        }

        return missing;
    }

    /// <summary>Counts the bytes of parts that the old content doesn't have at the same place.</summary>
    private static long CountDiffering(byte[] old, byte[] changed)
    {
        long differ = 0;
        for (int at = 0; at < changed.Length; at += Part)
        {
            ReadOnlySpan<byte> part = changed.AsSpan(at, Math.Min(Part, changed.Length - at));
            bool isSame = at < old.Length && old.AsSpan(at, Math.Min(Part, old.Length - at)).SequenceEqual(part);
            differ += isSame ? 0 : part.Length;
        }

        return differ;
    }
}
