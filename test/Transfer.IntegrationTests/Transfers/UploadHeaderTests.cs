using System.Net;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.TransferUtility;
using Transfer.S3.Upload;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>The properties of an uploaded object other than its content, read from the store, for a single PUT and for parts.</summary>
public class UploadHeaderTests : TransferSuite
{
    private const long Part = 5 * 1024 * 1024;
    private static readonly DateTimeOffset Later = new(2031, 2, 3, 4, 5, 6, TimeSpan.Zero);

    [Theory]
    [Stores(1L, Part + 1)]
    public async Task AllProperties_AreStored(string storeName, long length)
    {
        await using Store store = await Store.StartAsync(storeName);
        bool embedded = storeName.StartsWith(Store.Embedded, StringComparison.Ordinal);
        UploadOptions options = new()
        {
            ContentType = "text/x-test; charset=utf-8",
            CacheControl = "max-age=7, private",
            ContentDisposition = "attachment; filename=\"a b.txt\"",
            ContentEncoding = "gzip",
            ContentLanguage = "de-AT",
            Expires = Later,
            Metadata = new Dictionary<string, string> { ["Color"] = "blue  green", ["empty"] = string.Empty },
            Tags = new Dictionary<string, string> { ["a key"] = "a+b =/:@_-.", [embedded ? "ü" : "u"] = string.Empty }, // MinIO accepts only ASCII
            StorageClass = embedded ? "STANDARD_IA" : "REDUCED_REDUNDANCY",
            Acl = embedded ? "bucket-owner-full-control" : "private",
            PartSizeBytes = Part,
            MultipartThresholdBytes = Part,
        };

        UploadResult result = await Client(store).UploadAsync(new PatternSource(length), store.Bucket, "key", options);

        Assert.True(result.Verdict.IsVerified);
        Assert.Equal(length > Part ? 2 : 0, result.Parts);
        GetObjectMetadataResponse head = await store.S3.GetObjectMetadataAsync(store.Bucket, "key");
        Assert.Equal(
            (options.ContentType, options.CacheControl, options.ContentDisposition, options.ContentEncoding, options.ContentLanguage),
            (head.Headers.ContentType, head.Headers.CacheControl, head.Headers.ContentDisposition, head.Headers.ContentEncoding, head.Headers["Content-Language"]));
        Assert.Equal(Later.ToString("R"), head.ExpiresString);
        Assert.Equal("blue green", head.Metadata["color"].Replace("  ", " ", StringComparison.Ordinal)); // spaces within a header may be merged
        Assert.Equal(options.StorageClass, head.StorageClass.Value);
        ObjectInfo asked = await Client(store).GetInfoAsync(store.Bucket, "key");
        await using ObjectReadStream opened = await Client(store).OpenReadAsync(store.Bucket, "key");
        Assert.All([asked, opened.Info], info => Assert.Equal(
            (options.ContentType, options.CacheControl, options.ContentDisposition, options.ContentEncoding, options.ContentLanguage, options.Expires),
            (info.ContentType, info.CacheControl, info.ContentDisposition, info.ContentEncoding, info.ContentLanguage, info.Expires)));
        GetObjectTaggingResponse tags = await store.S3.GetObjectTaggingAsync(new GetObjectTaggingRequest { BucketName = store.Bucket, Key = "key" });
        Assert.Equal(options.Tags.OrderBy(tag => tag.Key, StringComparer.Ordinal), tags.Tagging.Select(tag => KeyValuePair.Create(tag.Key, tag.Value)).OrderBy(tag => tag.Key, StringComparer.Ordinal));
    }

    [Theory]
    [Stores(1L, Part + 1)]
    public async Task IfMatch_ReplacesOnlyAnUnchangedObject(string storeName, long length)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        UploadOptions options = new() { PartSizeBytes = Part, MultipartThresholdBytes = Part };
        string first = (await client.UploadAsync(new PatternSource(3), store.Bucket, "key", options)).ETag!;

        UploadResult second = await client.UploadAsync(new PatternSource(length), store.Bucket, "key", options with { IfMatch = first.Trim('"') });
        TransferException e = await Assert.ThrowsErrorAsync(
            TransferError.PreconditionFailed, () => client.UploadAsync(new PatternSource(length + 1), store.Bucket, "key", options with { IfMatch = "0123" }));

        Assert.Contains("\"0123\"", e.Message, StringComparison.Ordinal);
        Assert.EachEqual((HttpStatusCode.PreconditionFailed, "key"), (e.StatusCode, e.Key));
        GetObjectMetadataResponse head = await store.S3.GetObjectMetadataAsync(store.Bucket, "key");
        Assert.EachEqual((length, second.ETag), (head.ContentLength, head.ETag));
        await Assert.ThrowsAnyAsync<TransferException>(() => client.UploadAsync(new PatternSource(length), store.Bucket, "nothing", options with { IfMatch = first }));
        Assert.Empty(await store.OpenUploadsAsync());
    }

    [Theory]
    [Stores(1L, Part + 1)]
    public async Task OnlyIfAbsent_KeepsAnExistingObject(string storeName, long length)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        UploadOptions options = new() { PartSizeBytes = Part, MultipartThresholdBytes = Part, Overwrite = false };
        await client.UploadAsync(new PatternSource(length), store.Bucket, "key", options);

        TransferException e = await Assert.ThrowsErrorAsync(
            TransferError.PreconditionFailed, () => client.UploadAsync(new PatternSource(length + 1), store.Bucket, "key", options));

        Assert.Contains("already exists", e.Message, StringComparison.Ordinal);
        Assert.Equal(length, (await store.S3.GetObjectMetadataAsync(store.Bucket, "key")).ContentLength);
        Assert.Empty(await store.OpenUploadsAsync());
    }

    [Theory]
    [InlineData(TransferWire.Http, 1)]
    [InlineData(TransferWire.Http, Part + 1)]
    [InlineData(TransferWire.Sdk, 1)]
    [InlineData(TransferWire.Sdk, Part + 1)]
    public async Task CustomerKey_IsNeededToRead(TransferWire wire, long length)
    {
        await using Store store = await Store.StartAsync(Store.Embedded);
        await using TransferClient client = new(store.S3, new TransferClientOptions { Advanced = { Wire = wire } });
        CustomerKey key = new([.. Enumerable.Range(1, CustomerKey.LengthBytes).Select(i => (byte)i)]);

        UploadResult up = await client.UploadAsync(
            new PatternSource(length), store.Bucket, "key", new UploadOptions { CustomerKey = key, PartSizeBytes = Part, MultipartThresholdBytes = Part });

        Assert.True(up.Verdict.IsVerified);
        await Assert.ThrowsAnyAsync<TransferException>(() => client.OpenReadAsync(store.Bucket, "key"));
        using PatternSink sink = new();
        await client.DownloadAsync(store.Bucket, "key", sink, new DownloadOptions { CustomerKey = key });
        Assert.Equal(length, sink.Written);
    }

    /// <summary>Compares the requests of both protocols for properties that no store of these tests accepts or returns.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(Part + 1)]
    public async Task BothProtocols_SendTheSameHeaders(long length)
    {
        UploadOptions options = new()
        {
            Encryption = ObjectEncryption.Kms("alias/mine", "e30=", usesBucketKey: true),
            Acl = "public-read",
            StorageClass = "GLACIER_IR",
            RequesterPays = true,
            Tags = new Dictionary<string, string> { ["a"] = "b c" },
            Metadata = new Dictionary<string, string> { ["x"] = "y" },
            IfMatch = "abc",
            PartSizeBytes = Part,
            MultipartThresholdBytes = Part,
        };
        List<string[]> said = [];
        foreach (TransferWire wire in new[] { TransferWire.Http, TransferWire.Sdk })
        {
            TinyStore store = new();
            await using ScriptedServer server = new(store.Answer);
            using AmazonS3Client s3 = new(
                new Amazon.Runtime.BasicAWSCredentials("a", "b"), new AmazonS3Config { ServiceURL = server.Url, ForcePathStyle = true, AuthenticationRegion = "us-east-1", MaxErrorRetry = 0 });
            await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire }, MaxUploadConcurrency = 1 });

            UploadRequest request = UploadMapping.LikeSdk(client.Check("bucket", "key", options, CancellationToken.None)); // without a HEAD request
            await client.UploadAsync(new PatternSource(length), request, options, null, CancellationToken.None).Within();

            string[] about = ["x-amz-server-side", "x-amz-acl", "x-amz-storage", "x-amz-request-payer", "x-amz-tagging", "x-amz-meta-", "x-amz-checksum", "If-"];
            said.Add([.. server.Requests.Select(request => $"{request.Method} {string.Join('&', request.Headers
                .Where(header => about.Any(prefix => header.Key.StartsWith(prefix, StringComparison.OrdinalIgnoreCase)))
                .Select(header => $"{header.Key.ToLowerInvariant()}={header.Value.Replace("%20", "+", StringComparison.Ordinal)}").Order(StringComparer.Ordinal))}")]);
        }

        Assert.Equal(said[1], said[0]);
        Assert.Contains("x-amz-server-side-encryption-aws-kms-key-id=alias/mine", said[0][0], StringComparison.Ordinal);
        Assert.Contains("if-match=\"abc\"", said[0][^1], StringComparison.Ordinal);
        Assert.All(said[0], line => Assert.Contains("x-amz-request-payer=requester", line, StringComparison.Ordinal));
    }
}
