using System.Net;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Compares files with objects that the AWS SDK stored, with every kind of checksum that a store supports.</summary>
public class VerifyTests : TransferSuite
{
    private const int MiB = 1024 * 1024;
    private const int Length = (11 * MiB) + 1;
    private static readonly int[] Equal = [5 * MiB, 5 * MiB, MiB + 1];
    private static readonly int[] Unequal = [5 * MiB, 6 * MiB, 1];

    private string Path => System.IO.Path.Combine(Folder, "file");

    [Theory]
    [Stores(ChecksumAlgorithm.Crc64Nvme, ChecksumAlgorithm.Crc32C, ChecksumAlgorithm.Crc32, ChecksumAlgorithm.Sha256, ChecksumAlgorithm.Sha1, ChecksumAlgorithm.None)]
    public async Task SinglePartObject_IsComparedByTheStoredChecksum(string storeName, ChecksumAlgorithm algorithm)
    {
        await using Store store = await Store.StartAsync(storeName);
        byte[] content = Pattern.Bytes(100_001);
        await SdkUploads.PutAsync(store, content, algorithm);

        // If no checksum is sent, Amazon S3 and the embedded server compute CRC-64/NVME. MinIO computes none.
        VerifyMethod how = algorithm == ChecksumAlgorithm.None && storeName.StartsWith(Store.Minio, StringComparison.Ordinal) ? VerifyMethod.ETag : VerifyMethod.Checksum;
        await AssertReportedAsync(store, content, how, how, requests: 1);
    }

    [Theory]
    [Stores(ChecksumAlgorithm.Crc64Nvme, ChecksumAlgorithm.Crc32C, ChecksumAlgorithm.Crc32)]
    public async Task Parts_WithAFullObjectChecksum_AreComparedByIt(string storeName, ChecksumAlgorithm algorithm)
    {
        await using Store store = await Store.StartAsync(storeName);
        byte[] content = Pattern.Bytes(Length);
        await SdkUploads.PutPartsAsync(store, content, algorithm, ChecksumType.FULL_OBJECT, Unequal);
        await AssertReportedAsync(store, content, VerifyMethod.Checksum, VerifyMethod.Checksum, requests: 1);
    }

    [Theory]
    [Stores("Crc32C equal", "Crc32C unequal", "Crc32 unequal", "Sha256 equal", "Sha256 unequal", "Sha1 unequal")]
    public async Task Parts_WithACompositeChecksum_AreComparedByIt(string storeName, string kind)
    {
        await using Store store = await Store.StartAsync(storeName);
        byte[] content = Pattern.Bytes(Length);
        await SdkUploads.PutPartsAsync(store, content, Enum.Parse<ChecksumAlgorithm>(kind.Split(' ')[0]), ChecksumType.COMPOSITE, kind.EndsWith(" equal", StringComparison.Ordinal) ? Equal : Unequal);
        await AssertReportedAsync(store, content, VerifyMethod.Checksum, VerifyMethod.Checksum, requests: 2);
    }

    [Theory]
    [Stores(true, false)]
    public async Task Parts_WithoutAChecksum_AreComparedByTheETag(string storeName, bool equal)
    {
        await using Store store = await Store.StartAsync(storeName);
        byte[] content = Pattern.Bytes(Length);
        await SdkUploads.PutPartsAsync(store, content, ChecksumAlgorithm.None, null, equal ? Equal : Unequal);
        bool hasTagAlone = storeName.StartsWith(Store.Minio, StringComparison.Ordinal);
        await AssertReportedAsync(
            store, content, hasTagAlone ? VerifyMethod.ETag : VerifyMethod.Checksum, hasTagAlone ? VerifyMethod.Content : VerifyMethod.Checksum, requests: null);
    }

    [Theory]
    [Stores(0L, 1L, Length)]
    public async Task OwnUpload_IsTheSame(string storeName, long length)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        string path = NewFile("file", length);
        await client.UploadAsync(path, store.Bucket, "key", new UploadOptions { PartSizeBytes = 5 * MiB, MultipartThresholdBytes = 5 * MiB });

        VerifyResult result = await client.VerifyAsync(path, store.Bucket, "key");

        Assert.EachEqual((true, length == 0 ? VerifyMethod.Size : VerifyMethod.Checksum, 1), (result.IsSame, result.Method, result.Statistics.Requests));
    }

    [Theory]
    [Stores]
    public async Task DifferentSizeOrMissingObject_IsReported(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        await SdkUploads.PutAsync(store, Pattern.Bytes(10), ChecksumAlgorithm.Crc32);
        string path = NewFile("file", 9);

        VerifyResult other = await client.VerifyAsync(path, store.Bucket, "key");
        TransferException gone = await Assert.ThrowsAsync<TransferException>(() => client.VerifyAsync(path, store.Bucket, "nothing"));
        TransferException nowhere = await Assert.ThrowsAsync<TransferException>(() => client.VerifyAsync(path, "no-" + store.Bucket, "key"));

        Assert.EachEqual((false, VerifyMethod.Size), (other.IsSame, other.Method));
        Assert.EachEqual((HttpStatusCode.NotFound, HttpStatusCode.NotFound), (gone.StatusCode, nowhere.StatusCode));
    }

    /// <summary>The store returns neither a checksum nor an MD5, as for an object that is encrypted with a KMS key.</summary>
    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task Content_IsReadOverBothProtocols(TransferWire wire)
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        await using TransferClient client = new(store.S3, new TransferClientOptions { Advanced = { Wire = wire }, DownloadPartSizeBytes = MiB });
        byte[] content = Pattern.Bytes(Length);
        string etag = (await store.S3.PutObjectAsync(new PutObjectRequest { BucketName = store.Bucket, Key = "key", InputStream = new MemoryStream(content) })).ETag;
        store.Answer = request => request.Method == HttpMethod.Head ? Head(etag) : null;

        VerifyResult same = await client.VerifyAsync(await WriteAsync(content), store.Bucket, "key").Within();
        content[^1] ^= 1;
        VerifyResult differs = await client.VerifyAsync(await WriteAsync(content), store.Bucket, "key").Within();

        Assert.EachEqual((true, VerifyMethod.Content, (long)Length), (same.IsSame, same.Method, same.Bytes));
        Assert.EachEqual((false, VerifyMethod.Content, (long)Length - 1), (differs.IsSame, differs.Method, differs.Bytes));
        Assert.Equal(0, client.RentedBytes);
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task CustomerKey_IsSentWithEveryRequest(TransferWire wire)
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        await using TransferClient client = new(store.S3, new TransferClientOptions { Advanced = { Wire = wire } });
        CustomerKey key = new([.. Enumerable.Range(1, CustomerKey.LengthBytes).Select(i => (byte)i)]);
        string path = NewFile("file", Length);
        await client.UploadAsync(path, store.Bucket, "key", new UploadOptions { CustomerKey = key, Checksum = ChecksumAlgorithm.Sha256, PartSizeBytes = 5 * MiB });
        store.Requests.Clear();

        VerifyResult result = await client.VerifyAsync(path, store.Bucket, "key", new VerifyOptions { CustomerKey = key }).Within();

        Assert.EachEqual((true, VerifyMethod.Checksum, 2), (result.IsSame, result.Method, store.Requests.Count)); // the headers, and the parts
        Assert.All(store.Requests, request => Assert.NotNull(RecordedStore.Header(request, "x-amz-server-side-encryption-customer-key")));
        await Assert.ThrowsAsync<TransferException>(() => client.VerifyAsync(path, store.Bucket, "key"));
    }

    private static HttpResponseMessage Head(string etag)
    {
        HttpResponseMessage head = new(HttpStatusCode.OK) { Content = new ByteArrayContent([]) };
        head.Content.Headers.ContentLength = Length;
        head.Headers.TryAddWithoutValidation("ETag", etag);
        head.Headers.TryAddWithoutValidation("x-amz-request-id", "R1");
        head.Headers.TryAddWithoutValidation("x-amz-server-side-encryption", "aws:kms");
        return head;
    }

    private async Task AssertReportedAsync(Store store, byte[] content, VerifyMethod whenSame, VerifyMethod whenDiffers, int? requests)
    {
        TransferClient client = Client(store);
        VerifyResult same = await client.VerifyAsync(await WriteAsync(content), store.Bucket, "key").Within();
        content[content.Length / 2] ^= 1;
        VerifyResult differs = await client.VerifyAsync(await WriteAsync(content), store.Bucket, "key").Within();

        Assert.EachEqual((true, whenSame), (same.IsSame, same.Method));
        Assert.EachEqual((false, whenDiffers), (differs.IsSame, differs.Method));
        Assert.NotNull(differs.Difference);
        Assert.True(requests is null || (same.Statistics.Requests == requests && differs.Statistics.Requests == requests), $"{same.Statistics.Requests}, {differs.Statistics.Requests}");
    }

    private async Task<string> WriteAsync(byte[] content)
    {
        await File.WriteAllBytesAsync(Path, content);
        return Path;
    }
}
