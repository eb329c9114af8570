using System.Net;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Amazon.S3.Transfer;
using Moq;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.IntegrationTests.Transfers;
using Transfer.S3.Server;
using Transfer.S3.TransferUtility;

namespace Transfer.S3.IntegrationTests.Compatibility;

/// <summary>Differences of the adapter from the SDK's utility, and its additional features.</summary>
public sealed class TransferUtilityAdapterTests : TransferSuite
{
    private const int MiB = 1 << 20;

    [Fact]
    public async Task CustomerKey_IsUsedForUploadAndDownload()
    {
        await using EmbeddedStore store = await StartAsync();
        using TransferUtilityAdapter adapter = new(store.S3);
        string key = Convert.ToBase64String([.. Enumerable.Range(1, CustomerKey.LengthBytes).Select(i => (byte)i)]);

        await adapter.UploadAsync(new TransferUtilityUploadRequest
        {
            BucketName = store.Bucket,
            FilePath = NewFile("source", 1000),
            ServerSideEncryptionCustomerMethod = ServerSideEncryptionCustomerMethod.AES256,
            ServerSideEncryptionCustomerProvidedKey = key,
        });
        TransferUtilityDownloadResponse response = await adapter.DownloadWithResponseAsync(new TransferUtilityDownloadRequest
        {
            BucketName = store.Bucket,
            Key = "source",
            FilePath = Path.Combine(Folder, "target"),
            ServerSideEncryptionCustomerMethod = ServerSideEncryptionCustomerMethod.AES256,
            ServerSideEncryptionCustomerProvidedKey = key,
        });

        AssertPattern(Path.Combine(Folder, "target"), 1000);
        Assert.Equal(ServerSideEncryptionCustomerMethod.AES256, response.ServerSideEncryptionCustomerMethod);
        await Assert.ThrowsAsync<AmazonS3Exception>(() => adapter.OpenStreamAsync(store.Bucket, "source"));
    }

    [Fact]
    public async Task ForwardStream_Small_IsUploadedInOneRequestAndClosedOnlyIfRequested()
    {
        await using EmbeddedStore store = await StartAsync();
        using TransferUtilityAdapter adapter = new(store.S3);
        await using ForwardStream open = new(new byte[10]);
        ForwardStream closed = new(new byte[10]);

        TransferUtilityUploadResponse response = await adapter.UploadWithResponseAsync(
            new TransferUtilityUploadRequest { BucketName = store.Bucket, Key = "a", InputStream = open, AutoCloseStream = false });
        await adapter.UploadAsync(closed, store.Bucket, "b");

        Assert.True(open.CanRead);
        Assert.False(closed.CanRead);
        Assert.DoesNotContain('-', response.ETag);
    }

    [Fact]
    public async Task ForwardStream_Large_IsUploadedInPartsWithoutProgressOfUnknownLength()
    {
        await using EmbeddedStore store = await StartAsync();
        using TransferUtilityAdapter adapter = new(store.S3);
        TransferUtilityUploadRequest request = new() { BucketName = store.Bucket, Key = "key", InputStream = new ForwardStream(Pattern.Bytes(11 * MiB)) };
        List<(long, long)> completed = [];
        request.UploadCompletedEvent += (_, e) => completed.Add((e.TransferredBytes, e.TotalBytes));

        TransferUtilityUploadResponse response = await adapter.UploadWithResponseAsync(request);

        using GetObjectResponse stored = await store.S3.GetObjectAsync(store.Bucket, "key");
        using PatternSink sink = new();
        await stored.ResponseStream.CopyToAsync(sink);
        Assert.Equal([(11L * MiB, -1L)], completed);
        Assert.EachEqual((11L * MiB, "application/octet-stream"), (sink.Written, stored.Headers.ContentType));
        Assert.EndsWith("-3\"", response.ETag, StringComparison.Ordinal); // parts of 5 MiB, as with the SDK
    }

    /// <summary>The SDK resets the position only of what it uploads with a single request.</summary>
    [Fact]
    public async Task StreamInParts_IsUploadedFromItsPosition()
    {
        await using EmbeddedStore store = await StartAsync();
        using TransferUtilityAdapter adapter = new(store.S3, new TransferUtilityConfig { MinSizeBeforePartUpload = 5 * MiB });
        MemoryStream stream = new(Pattern.Bytes(11 * MiB)) { Position = MiB };

        await adapter.UploadAsync(stream, store.Bucket, "key");

        using GetObjectResponse stored = await store.S3.GetObjectAsync(store.Bucket, "key");
        using MemoryStream content = new();
        await stored.ResponseStream.CopyToAsync(content);
        Assert.Equal(Pattern.Bytes(11 * MiB)[MiB..], content.ToArray());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task StreamWhoseUploadCannotStart_IsClosedIfRequested(bool isToBeClosed)
    {
        await using EmbeddedStore store = await StartAsync();
        using TransferUtilityAdapter adapter = new(store.S3, new TransferUtilityConfig { MinSizeBeforePartUpload = 5 * MiB });
        using MemoryStream stream = new(new byte[11 * MiB]);

        AmazonS3Exception e = await Assert.ThrowsAsync<AmazonS3Exception>(() => adapter.UploadAsync(
            new TransferUtilityUploadRequest { BucketName = "no-such-bucket", Key = "key", InputStream = stream, AutoCloseStream = isToBeClosed }));

        Assert.EachEqual(("NoSuchBucket", !isToBeClosed), (e.ErrorCode, stream.CanRead));
    }

    [Fact]
    public async Task Responses_HaveTheFullObjectChecksum()
    {
        await using EmbeddedStore store = await StartAsync();
        using TransferUtilityAdapter adapter = new(store.S3, new TransferUtilityConfig { MinSizeBeforePartUpload = 5 * MiB });

        TransferUtilityUploadResponse up = await adapter.UploadWithResponseAsync(new TransferUtilityUploadRequest
        {
            BucketName = store.Bucket,
            FilePath = NewFile("source", 11 * MiB),
            ChecksumAlgorithm = Amazon.S3.ChecksumAlgorithm.CRC32C,
        });
        TransferUtilityDownloadResponse down = await adapter.DownloadWithResponseAsync(Path.Combine(Folder, "target"), store.Bucket, "source");

        Assert.NotNull(up.ChecksumCRC32C);
        Assert.EachEqual((up.ChecksumCRC32C, null, ChecksumType.FULL_OBJECT), (down.ChecksumCRC32C, down.ChecksumCRC64NVME, down.ChecksumType));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Progress_SeveralParts_IsReportedMeanwhileAndCompleteWhenTheCallReturns(bool isUpload)
    {
        const int length = 20 * MiB;
        const int eventBytes = 100 * 1024; // as TransferUtility
        await using EmbeddedStore store = await StartAsync();
        using TransferUtilityAdapter adapter = new(store.S3);
        string source = NewFile("source", length);
        List<long> heard = [];
        TransferUtilityUploadRequest up = new() { BucketName = store.Bucket, Key = "key", FilePath = source };
        TransferUtilityDownloadRequest down = new() { BucketName = store.Bucket, Key = "key", FilePath = Path.Combine(Folder, "target") };
        if (isUpload)
        {
            up.UploadProgressEvent += (_, e) => heard.Add(e.TransferredBytes);
        }
        else
        {
            down.WriteObjectProgressEvent += (_, e) => heard.Add(e.TransferredBytes);
        }

        await adapter.UploadAsync(up);
        await adapter.DownloadWithResponseAsync(down);

        Assert.InRange(heard.Count, length / eventBytes / 2, length / eventBytes * 2);
        Assert.Equal(heard.Order().Distinct(), heard);
        Assert.InRange(heard[0], 1, length - 1);
        Assert.Equal(length, heard[^1]);
    }

    [Fact]
    public async Task Download_Canceled_RaisesTheFailedEvent()
    {
        await using EmbeddedStore store = await StartAsync();
        using TransferUtilityAdapter adapter = new(store.S3);
        TransferUtilityDownloadRequest request = new() { BucketName = store.Bucket, Key = "key", FilePath = Path.Combine(Folder, "a") };
        List<(long, long)> failed = [];
        request.DownloadFailedEvent += (_, e) => failed.Add((e.TransferredBytes, e.TotalBytes));

        await Assert.ThrowsAsync<TaskCanceledException>(() => adapter.DownloadAsync(request, new CancellationToken(canceled: true)));

        Assert.Equal([(0L, -1L)], failed);
    }

    [Fact]
    public async Task Download_ToAFolderOrNoPath_IsRejectedBeforeAnyRequest()
    {
        await using EmbeddedStore store = await StartAsync();
        using TransferUtilityAdapter adapter = new(store.S3);
        store.Server.ClearRequests();

        await Assert.ThrowsAsync<ArgumentException>(() => adapter.DownloadAsync(Folder, store.Bucket, "key"));
        await Assert.ThrowsAsync<ArgumentException>(() => adapter.DownloadWithResponseAsync(Folder, store.Bucket, "key"));
        await Assert.ThrowsAsync<ArgumentException>(() => adapter.DownloadAsync(null!, store.Bucket, "key"));

        Assert.Empty(store.Server.Requests);
    }

    [Fact]
    public async Task Download_Fails_KeepsTheOldFile()
    {
        await using EmbeddedStore store = await StartAsync();
        using TransferUtilityAdapter adapter = new(store.S3);
        string path = NewFile("target", 20);

        NoSuchKeyException e = await Assert.ThrowsAsync<NoSuchKeyException>(() => adapter.DownloadAsync(path, store.Bucket, "missing"));

        AssertPattern(path, 20);
        TransferException inner = Assert.IsType<TransferException>(e.InnerException);
        Assert.EachEqual(("missing", HttpStatusCode.NotFound, e.RequestId), (inner.Key, inner.StatusCode!.Value, inner.RequestId!));
    }

    [Fact]
    public async Task EndpointIsUnreachable_ThrowsTheExceptionOfTheSdk()
    {
        using AmazonS3Client s3 = new(
            new BasicAWSCredentials("id", "secret"), new AmazonS3Config { ServiceURL = "http://127.0.0.1:1", ForcePathStyle = true, AuthenticationRegion = "us-east-1" });
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 1 });
        using TransferUtilityAdapter adapter = new(client);

        await Assert.ThrowsAsync<HttpRequestException>(() => adapter.UploadAsync(new MemoryStream(new byte[1]), "bucket", "key"));
        await Assert.ThrowsAsync<HttpRequestException>(() => adapter.OpenStreamAsync("bucket", "key"));
        await Assert.ThrowsAsync<HttpRequestException>(() => adapter.DownloadWithResponseAsync(Path.Combine(Folder, "a"), "bucket", "key"));
        await Assert.ThrowsAsync<AmazonServiceException>(() => adapter.DownloadAsync(Path.Combine(Folder, "a"), "bucket", "key"));
    }

    [Fact]
    public async Task Stream_CanBeReadAfterTheAdapterIsDisposed()
    {
        await using EmbeddedStore store = await StartAsync();
        await store.S3.PutObjectAsync(new PutObjectRequest { BucketName = store.Bucket, Key = "key", InputStream = new MemoryStream(Pattern.Bytes(300_000)) });
        Stream stream;
        using (TransferUtilityAdapter adapter = new(store.S3))
        {
            stream = await adapter.OpenStreamAsync(store.Bucket, "key");
        }

        await using (stream)
        {
            using PatternSink sink = new();
            await stream.CopyToAsync(sink);
            Assert.EachEqual((300_000L, 300_000L), (sink.Written, stream.Length));
        }
    }

    [Fact]
    public async Task Stream_ObjectChanges_ThrowsAnExceptionOfTheSdk()
    {
        await using EmbeddedStore store = await StartAsync();
        await using TransferClient client = new(store.S3, new TransferClientOptions { DownloadPartSizeBytes = 64 * 1024, MaxConcurrency = 1, MemoryBytes = MiB });
        using TransferUtilityAdapter adapter = new(client);
        await store.S3.PutObjectAsync(new PutObjectRequest { BucketName = store.Bucket, Key = "key", InputStream = new MemoryStream(Pattern.Bytes(8 * MiB)) });

        await using Stream stream = await adapter.OpenStreamAsync(store.Bucket, "key");
        await store.S3.PutObjectAsync(new PutObjectRequest { BucketName = store.Bucket, Key = "key", InputStream = new MemoryStream(new byte[8 * MiB]) });

        AmazonS3Exception e = await Assert.ThrowsAsync<AmazonS3Exception>(() => stream.CopyToAsync(Stream.Null)).Within();
        Assert.EachEqual(("PreconditionFailed", HttpStatusCode.PreconditionFailed), (e.ErrorCode, e.StatusCode));
        Assert.IsError(TransferError.ObjectChanged, e.InnerException);
    }

    [Fact]
    public async Task Adapters_OverOneS3_ShareTheirClient()
    {
        await using EmbeddedStore store = await StartAsync();
        using TransferUtilityAdapter first = new(store.S3);
        using TransferUtilityAdapter second = new(store.S3);
        using TransferUtilityAdapter other = new(store.S3, new TransferUtilityConfig { ConcurrentServiceRequests = 3 });

        Assert.Same(first.Client, second.Client);
        Assert.NotSame(first.Client, other.Client);
        Assert.Same(store.S3, first.S3Client);
    }

    [Fact]
    public async Task OverADecorator_EveryCallUsesIt()
    {
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = ["bucket"] });
        using AmazonS3Client s3 = server.CreateClient();
        Mock<IAmazonS3> decorator = new();
        decorator.Setup(d => d.Config).Returns(s3.Config);
        decorator.Setup(d => d.PutObjectAsync(It.IsAny<PutObjectRequest>(), It.IsAny<CancellationToken>()))
            .Returns((PutObjectRequest request, CancellationToken token) => s3.PutObjectAsync(request, token));
        decorator.Setup(d => d.GetObjectAsync(It.IsAny<GetObjectRequest>(), It.IsAny<CancellationToken>()))
            .Returns((GetObjectRequest request, CancellationToken token) => s3.GetObjectAsync(request, token));
        using TransferUtilityAdapter adapter = new(decorator.Object);

        TransferUtilityUploadResponse up = await adapter.UploadWithResponseAsync(NewFile("a.txt", 100), "bucket");
        TransferUtilityDownloadResponse down = await adapter.DownloadWithResponseAsync(Path.Combine(Folder, "b"), "bucket", "a.txt");

        AssertPattern(Path.Combine(Folder, "b"), 100);
        Assert.EachEqual((up.ETag, "text/plain", "bytes 0-99/100"), (down.ETag, down.Headers.ContentType, down.ContentRange));
        decorator.Verify(d => d.PutObjectAsync(It.IsAny<PutObjectRequest>(), It.IsAny<CancellationToken>()), Times.Once);
        await Assert.ThrowsAsync<NoSuchKeyException>(() => adapter.OpenStreamAsync("bucket", "missing"));
    }

    [Fact]
    public async Task OverAClientOfTheCaller_UsesItsOptions()
    {
        await using EmbeddedStore store = await StartAsync();
        await using TransferClient client = new(store.S3, new TransferClientOptions { MultipartThresholdBytes = 0 });
        using TransferUtilityAdapter adapter = new(client);

        TransferUtilityUploadResponse response = await adapter.UploadWithResponseAsync(NewFile("a", 10), store.Bucket);

        Assert.EndsWith("-1\"", response.ETag, StringComparison.Ordinal);
        Assert.Same(store.S3, adapter.S3Client);
    }

    [Fact]
    public async Task OverAnotherImplementation_CallsThatNeedTheSdkThrow()
    {
        Mock<ITransferClient> client = new();
        client.Setup(c => c.UploadAsync(
                It.IsAny<string>(), "bucket", "a.txt", It.IsAny<UploadOptions>(), It.IsAny<IProgress<TransferProgress>>(), It.IsAny<CancellationToken>()))
            .ReturnsAsync(new UploadResult
            {
                ETag = "\"tag\"",
                Verdict = ChecksumVerdict.Unverified("a mock"),
                Parts = 0,
                Statistics = new TransferStatistics(),
            });
        client.Setup(c => c.DownloadAsync(
                "bucket", "key", It.IsAny<string>(), It.IsAny<DownloadOptions>(), It.IsAny<IProgress<TransferProgress>>(), It.IsAny<CancellationToken>()))
            .ReturnsAsync(new DownloadResult
            {
                Info = new ObjectInfo { Length = 5, ETag = "\"tag\"", ContentType = "text/x", Metadata = new Dictionary<string, string> { ["name"] = "value" } },
                Verdict = ChecksumVerdict.Unverified("a mock"),
                Parts = 1,
                Statistics = new TransferStatistics(),
            });
        using TransferUtilityAdapter adapter = new(client.Object);

        TransferUtilityUploadResponse up = await adapter.UploadWithResponseAsync(NewFile("a.txt", 10), "bucket");
        TransferUtilityDownloadResponse down = await adapter.DownloadWithResponseAsync("path", "bucket", "key");

        Assert.Equal("\"tag\"", up.ETag);
        Assert.EachEqual(("\"tag\"", 5L, "text/x", "value"), (down.ETag, down.Headers.ContentLength, down.Headers.ContentType, down.Metadata["name"]));
        Assert.Contains("needs an IAmazonS3", Assert.Throws<NotSupportedException>(() => adapter.S3Client).Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<NotSupportedException>(() => adapter.AbortMultipartUploadsAsync("bucket", DateTime.UnixEpoch));
        await Assert.ThrowsAsync<NotSupportedException>(() => adapter.UploadDirectoryAsync(Folder, "bucket"));
        NotSupportedException owner = await Assert.ThrowsAsync<NotSupportedException>(
            () => adapter.UploadAsync(new TransferUtilityUploadRequest { BucketName = "bucket", FilePath = NewFile("b", 1), ExpectedBucketOwner = "123" }));
        Assert.Contains("ExpectedBucketOwner", owner.Message, StringComparison.Ordinal);
    }

    private static async Task<EmbeddedStore> StartAsync()
    {
        EmbeddedStore store = await EmbeddedStore.StartAsync();
        await store.S3.PutBucketAsync(store.Bucket);
        return store;
    }
}
