using System.Net;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.IntegrationTests.Wire;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Copies from one store to another, through this machine.</summary>
public class StoreCopyTests : TransferSuite
{
    private const long MiB = 1024 * 1024;
    private const long Part = 8 * MiB;

    [Theory]
    [Stores(0L, 1L, Part - 1, Part, Part + 1, (5 * Part) + 1)]
    public async Task Copy_AnyLength_HasTheSameContentAndETag(string storeName, long length)
    {
        await using Store from = await Store.StartAsync(storeName);
        await using Store to = await Store.StartAsync(Store.Embedded);
        (TransferClient source, TransferClient target) = (Client(from), Client(to));
        UploadResult up = await source.UploadAsync(new PatternSource(length), from.Bucket, "a ünï+?&%/source.bin");

        CopyResult there = await source.CopyAsync(new(from.Bucket, "a ünï+?&%/source.bin"), target, new(to.Bucket, "tärget +?&%"));
        CopyResult back = await target.CopyAsync(new(to.Bucket, "tärget +?&%"), source, new(from.Bucket, "back"));

        using PatternSink sink = new();
        await source.DownloadAsync(from.Bucket, "back", sink);
        Assert.EachEqual((length, length, length), (sink.Written, there.Statistics.BytesTransferred, back.Statistics.BytesTransferred));
        Assert.EachEqual((up.ETag, up.ETag), (there.ETag, back.ETag));
        Assert.True(there.Verdict.IsVerified && back.Verdict.IsVerified, $"{there.Verdict}, {back.Verdict}");
        Assert.Empty(there.LostProperties);
        Assert.Empty(await to.OpenUploadsAsync());
    }

    [Fact]
    public async Task Copy_SourceInPartsOfAnotherSize_UsesTheSizeOfTheSource()
    {
        await using Store from = await Store.StartAsync(Store.Embedded);
        await using Store to = await Store.StartAsync(Store.Embedded);
        (TransferClient source, TransferClient target) = (Client(from), Client(to));
        UploadResult smaller = await source.UploadAsync(new PatternSource(13 * MiB), from.Bucket, "smaller", new UploadOptions { PartSizeBytes = 5 * MiB });
        UploadResult larger = await source.UploadAsync(new PatternSource(25 * MiB), from.Bucket, "larger", new UploadOptions { PartSizeBytes = 12 * MiB });
        UploadResult single = await source.UploadAsync(new PatternSource(9 * MiB), from.Bucket, "single", new UploadOptions { PartSizeBytes = 10 * MiB, MultipartThresholdBytes = 10 * MiB });

        Assert.Equal(smaller.ETag, (await source.CopyAsync(new(from.Bucket, "smaller"), target, new(to.Bucket, "smaller"))).ETag);
        Assert.Equal(larger.ETag, (await source.CopyAsync(new(from.Bucket, "larger"), target, new(to.Bucket, "larger"))).ETag);
        Assert.Equal(single.ETag, (await source.CopyAsync(new(from.Bucket, "single"), target, new(to.Bucket, "single"))).ETag);
        CopyResult given = await source.CopyAsync(
            new(from.Bucket, "smaller"), target, new(to.Bucket, "given"), new StoreCopyOptions { Target = new UploadOptions { PartSizeBytes = 6 * MiB } });

        Assert.EachEqual((3, true), (given.Parts, given.Verdict.IsVerified));
    }

    [Theory]
    [InlineData(0L, 1L)]
    [InlineData(5L, null)]
    [InlineData(Part - 1, Part + 2)]
    [InlineData(1L, (3 * Part) - 2)]
    [InlineData((3 * Part) - 1, 100L)]
    [InlineData(null, 7L)]
    [InlineData(null, Part + 1)]
    [InlineData(null, 100 * Part)]
    public async Task Copy_Range_HasItsBytes(long? offset, long? count)
    {
        const long Length = 3 * Part;
        await using Store from = await Store.StartAsync(Store.Embedded);
        await using Store to = await Store.StartAsync(Store.Embedded);
        (TransferClient source, TransferClient target) = (Client(from), Client(to));
        byte[] content = Sample.Bytes((int)Length);
        await source.UploadAsync(new MemoryStream(content), from.Bucket, "key", new UploadOptions { ContentType = "text/x-own" });
        ObjectRange range = offset is { } first ? ObjectRange.From(first, count) : ObjectRange.Last(count!.Value);

        CopyResult copy = await source.CopyAsync(new(from.Bucket, "key"), target, new(to.Bucket, "copy"), new StoreCopyOptions { SourceRange = range });

        int start = (int)(offset ?? Math.Max(0, Length - count!.Value));
        int end = (int)Math.Min(Length, offset is null || count is null ? Length : start + count.Value);
        using MemoryStream stored = new();
        await target.DownloadAsync(to.Bucket, "copy", stored);
        Assert.True(stored.ToArray().AsSpan().SequenceEqual(content.AsSpan(start..end)), "the copy has other bytes");
        Assert.EachEqual((end - start, end - start == Length), (copy.Statistics.BytesTransferred, copy.Verdict.IsVerified));
        Assert.Equal("text/x-own", (await target.GetInfoAsync(to.Bucket, "copy")).ContentType);
    }

    [Fact]
    public async Task Copy_RangeBehindTheEnd_IsAnErrorOfTheSource()
    {
        await using Store store = await Store.StartAsync(Store.Embedded);
        TransferClient client = Client(store);
        await client.UploadAsync(new PatternSource(100), store.Bucket, "key");

        TransferException e = await Assert.ThrowsAsync<TransferException>(
            () => client.CopyAsync(new(store.Bucket, "key"), client, new(store.Bucket, "copy"), new StoreCopyOptions { SourceRange = ObjectRange.From(100) }));

        Assert.EachEqual((CopySide.Source, "key"), (e.CopySide, e.Key));
    }

    [Theory]
    [InlineData(1L)]
    [InlineData(Part + 1)]
    public async Task Copy_KeepsPropertiesUnlessOthersAreGiven(long length)
    {
        await using Store from = await Store.StartAsync(Store.Embedded);
        await using Store to = await Store.StartAsync(Store.Embedded);
        (TransferClient source, TransferClient target) = (Client(from), Client(to));
        UploadOptions properties = new()
        {
            ContentType = "text/x-own",
            CacheControl = "max-age=7",
            ContentDisposition = "attachment",
            ContentEncoding = "gzip",
            ContentLanguage = "de",
            Expires = new DateTimeOffset(2030, 1, 2, 3, 4, 5, TimeSpan.Zero),
            Metadata = new Dictionary<string, string> { ["color"] = "blue", ["none"] = string.Empty },
            Tags = new Dictionary<string, string> { ["team"] = "a+b", ["empty"] = string.Empty },
        };
        await source.UploadAsync(new PatternSource(length), from.Bucket, "key", properties);

        await source.CopyAsync(new(from.Bucket, "key"), target, new(to.Bucket, "kept"));
        await source.CopyAsync(
            new(from.Bucket, "key"), target, new(to.Bucket, "given"), new StoreCopyOptions { Target = new UploadOptions { ContentType = "a/b", Metadata = new Dictionary<string, string>() } });

        ObjectInfo kept = await target.GetInfoAsync(to.Bucket, "kept");
        Assert.Equal(
            ("text/x-own", "max-age=7", "attachment", "gzip", "de", properties.Expires),
            (kept.ContentType, kept.CacheControl, kept.ContentDisposition, kept.ContentEncoding, kept.ContentLanguage, kept.Expires));
        Assert.Equal(properties.Metadata, kept.Metadata);
        GetObjectTaggingResponse tags = await to.S3.GetObjectTaggingAsync(new GetObjectTaggingRequest { BucketName = to.Bucket, Key = "kept" });
        Assert.Equal(properties.Tags, tags.Tagging.ToDictionary(tag => tag.Key, tag => tag.Value));
        ObjectInfo given = await target.GetInfoAsync(to.Bucket, "given");
        Assert.EachEqual(("a/b", "max-age=7", 0), (given.ContentType, given.CacheControl, given.Metadata.Count));
    }

    [Fact]
    public async Task Copy_OfOnePart_ReadsTheSourceOnce()
    {
        await using RecordedStore from = await RecordedStore.StartAsync();
        await using Store to = await Store.StartAsync(Store.Embedded);
        await using TransferClient source = new(from.S3);
        await source.UploadAsync(new PatternSource(1000), from.Bucket, "key");
        List<string> requests = [];
        from.Answer = request =>
        {
            lock (requests)
            {
                requests.Add($"{request.Method} {request.RequestUri!.Query}");
            }

            return null;
        };

        await source.CopyAsync(new(from.Bucket, "key"), Client(to), new(to.Bucket, "key"));

        Assert.Equal(["GET ", "GET ?tagging="], requests.Order().Where(request => !request.Contains("attributes", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task Copy_SourceIsReplacedMeanwhile_FailsAndLeavesNothing()
    {
        await using RecordedStore from = await RecordedStore.StartAsync();
        await using Store to = await Store.StartAsync(Store.Embedded);
        using AmazonS3Client other = from.Server.CreateClient();
        await using TransferClient source = new(from.S3);
        await source.UploadAsync(new PatternSource(4 * Part), from.Bucket, "key");
        int ranges = 0;
        from.Answer = request =>
        {
            if (request.Headers.Range is not null && Interlocked.Increment(ref ranges) == 2)
            {
#pragma warning disable VSTHRD002 // the callback is synchronous and runs on a pool thread
                other.PutObjectAsync(new PutObjectRequest { BucketName = from.Bucket, Key = "key", ContentBody = "other" }).GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
            }

            return null;
        };

        TransferException e = await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => source.CopyAsync(new(from.Bucket, "key"), Client(to), new(to.Bucket, "key")));

        Assert.EachEqual((CopySide.Source, from.Bucket, "key"), (e.CopySide, e.Bucket, e.Key));
        Assert.Empty((await to.S3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = to.Bucket })).S3Objects ?? []);
        Assert.Empty(await to.OpenUploadsAsync());
    }

    [Theory]
    [InlineData(ChecksumAlgorithm.Crc64Nvme)]
    [InlineData(ChecksumAlgorithm.Sha256)]
    [InlineData(ChecksumAlgorithm.Md5)]
    public async Task Copy_SourceIsDamaged_PublishesNothing(ChecksumAlgorithm algorithm)
    {
        byte[] content = Pattern.Bytes(100_000);
        DamagedStore damaged = new(content, DamagedStore.Damaged(content), algorithm);
        await using ScriptedServer server = new(damaged.Answer);
        await using Store to = await Store.StartAsync(Store.Embedded);
        using AmazonS3Client s3 = WireTest.S3(server.Url);
        await using TransferClient source = new(s3);

        ChecksumMismatchException e = await Assert.ThrowsAsync<ChecksumMismatchException>(() => source.CopyAsync(new("bucket", "folder/key"), Client(to), new(to.Bucket, "key")));

        Assert.Equal(CopySide.Source, e.CopySide);
        Assert.Empty((await to.S3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = to.Bucket })).S3Objects ?? []);
    }

    [Fact]
    public async Task Copy_SourceHasMoreMetadataThanS3Accepts_FailsAsOneObject()
    {
        await using ScriptedServer server = new(request => request.Header("Range") is not null
            ? ScriptedAnswer.Range(request, [1, 2, 3], $"\r\nETag: \"a-tag\"\r\nx-amz-meta-a: {new string('a', 3000)}")
            : ScriptedAnswer.Of("HTTP/1.1 501 Not Implemented\r\nx-amz-request-id: R1\r\nContent-Length: 0", null));
        await using Store to = await Store.StartAsync(Store.Embedded);
        using AmazonS3Client s3 = WireTest.S3(server.Url);
        await using TransferClient source = new(s3);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => source.CopyAsync(new("bucket", "folder/key"), Client(to), new(to.Bucket, "key")));

        Assert.EachEqual((CopySide.Target, "key"), (e.CopySide, e.Key));
        Assert.Contains("2048", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Copy_MissingSourceOrTarget_ErrorNamesTheSide()
    {
        await using Store from = await Store.StartAsync(Store.Embedded);
        await using Store to = await Store.StartAsync(Store.Embedded);
        (TransferClient source, TransferClient target) = (Client(from), Client(to));
        await source.UploadAsync(new PatternSource(10), from.Bucket, "key");

        TransferException missing = await Assert.ThrowsAsync<TransferException>(() => source.CopyAsync(new(from.Bucket, "none"), target, new(to.Bucket, "key")));
        TransferException bucket = await Assert.ThrowsAsync<TransferException>(() => source.CopyAsync(new(from.Bucket, "key"), target, new("no-such-bucket", "key")));

        Assert.EachEqual((CopySide.Source, HttpStatusCode.NotFound, "none"), (missing.CopySide, missing.StatusCode, missing.Key));
        Assert.EachEqual((CopySide.Target, "NoSuchBucket", "no-such-bucket"), (bucket.CopySide, bucket.ErrorCode, bucket.Bucket));
    }

    [Fact]
    public async Task Copy_ClientIsDisposedMeanwhile_Ends()
    {
        await using RecordedStore from = await RecordedStore.StartAsync();
        await using Store to = await Store.StartAsync(Store.Embedded);
        TransferClient source = new(from.S3);
        await source.UploadAsync(new PatternSource(4 * Part), from.Bucket, "key");
        Task? disposing = null;
        from.Answer = request =>
        {
            if (request.Headers.Range is not null)
            {
                disposing ??= source.DisposeAsync().AsTask(); // only the first call does anything
            }

            return null;
        };

        await Assert.ThrowsAsync<ObjectDisposedException>(() => source.CopyAsync(new(from.Bucket, "key"), Client(to), new(to.Bucket, "key")).Within());

        await disposing!.Within();
        Assert.Empty(await to.OpenUploadsAsync());
    }
}
