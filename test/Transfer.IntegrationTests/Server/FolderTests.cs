using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Server;

public sealed class FolderTests : IDisposable
{
    private const int PartBytes = 5 << 20;
    private static readonly string LongKey = string.Concat(Enumerable.Repeat("é/", 341));
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Restart_ObjectsAndUploads_AreUnchanged()
    {
        byte[] data = Sample.Bytes(PartBytes + 100);
        string uploadId;
        PartETag first;
        string etag;
        await using (EmbeddedS3Server server = await StartAsync())
        {
            using AmazonS3Client client = server.CreateClient();
            var put = new PutObjectRequest { BucketName = "bucket", Key = LongKey, ContentBody = "text", ContentType = "text/x" };
            put.Metadata["colour"] = "blue";
            etag = (await client.PutObjectAsync(put).Within()).ETag;
            await client.PutObjectAsync(new PutObjectRequest { BucketName = "bucket", Key = "A", ContentBody = "upper" }).Within();
            await client.PutObjectAsync(new PutObjectRequest { BucketName = "bucket", Key = "a", ContentBody = "lower" }).Within();
            await client.CopyObjectAsync("bucket", "a", "bucket", "copy").Within();
            await client.DeleteObjectAsync("bucket", "a").Within();
            uploadId = (await client.InitiateMultipartUploadAsync("bucket", "mp").Within()).UploadId;
            first = await UploadAsync(client, uploadId, 1, data[..PartBytes]);
        }

        await using (EmbeddedS3Server server = await StartAsync())
        {
            using AmazonS3Client client = server.CreateClient();
            Assert.Equal(1, server.Statistics.OpenMultipartUploads);
            PartETag second = await UploadAsync(client, uploadId, 2, data[PartBytes..]);
            await client.CompleteMultipartUploadAsync(
                new CompleteMultipartUploadRequest { BucketName = "bucket", Key = "mp", UploadId = uploadId, PartETags = [first, second] }).Within();
        }

        await using (EmbeddedS3Server server = await StartAsync())
        {
            using AmazonS3Client client = server.CreateClient();
            GetObjectMetadataResponse head = await client.GetObjectMetadataAsync("bucket", LongKey).Within();
            Assert.EachEqual((etag, "text/x", "blue"), (head.ETag, head.Headers.ContentType, head.Metadata["colour"]));
            Assert.Equal("upper"u8.ToArray(), await GetAsync(client, "A"));
            Assert.Equal("lower"u8.ToArray(), await GetAsync(client, "copy"));
            Assert.Equal(data, await GetAsync(client, "mp"));
            ListObjectsV2Response list = await client.ListObjectsV2Async(new ListObjectsV2Request { BucketName = "bucket" }).Within();
            Assert.Equal(["A", "copy", "mp", LongKey], list.S3Objects.Select(static o => o.Key));
            Assert.Equal(0, server.Statistics.OpenMultipartUploads);
            await client.DeleteObjectsAsync(new DeleteObjectsRequest
            {
                BucketName = "bucket",
                Objects = list.S3Objects.ConvertAll(static o => new KeyVersion { Key = o.Key }),
            }).Within();
            Assert.Empty(Directory.GetFiles(_folder.File("data"), "*", SearchOption.AllDirectories));
        }
    }

    [Fact]
    public async Task Start_FilesOfIncompleteRequests_AreDeleted()
    {
        await using (await StartAsync())
        {
            // Creates the folders.
        }

        Directory.CreateDirectory(_folder.File("data/ab"));
        await File.WriteAllTextAsync(_folder.File("data/ab/abandoned"), "x");
        await File.WriteAllTextAsync(_folder.File("staging/abandoned"), "x");

        await using EmbeddedS3Server server = await StartAsync();

        Assert.Empty(Directory.GetFiles(_folder.File("data"), "*", SearchOption.AllDirectories));
        Assert.Empty(Directory.GetFiles(_folder.File("staging")));
    }

    [Fact]
    public async Task Start_FolderInUse_Fails()
    {
        await using EmbeddedS3Server server = await StartAsync();

        IOException error = await Assert.ThrowsAsync<IOException>(() => StartAsync());

        Assert.Contains(_folder.Path, error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{", "is not a record")]
    [InlineData("{\"schema\":2,\"created\":\"2020-01-01T00:00:00Z\"}", "has schema 2")]
    public async Task Start_InvalidRecord_ErrorNamesTheFile(string content, string message)
    {
        await using (await StartAsync())
        {
            // Creates the bucket.
        }

        string record = _folder.File("buckets/bucket/bucket.json");
        await File.WriteAllTextAsync(record, content);

        InvalidDataException error = await Assert.ThrowsAsync<InvalidDataException>(() => StartAsync());

        Assert.StartsWith(record, error.Message, StringComparison.Ordinal);
        Assert.Contains(message, error.Message, StringComparison.Ordinal);
    }

    private Task<EmbeddedS3Server> StartAsync() =>
        EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = ["bucket"], Directory = _folder.Path }).Within();

    private static async Task<PartETag> UploadAsync(AmazonS3Client client, string uploadId, int number, byte[] data) =>
        new(await client.UploadPartAsync(new UploadPartRequest
        {
            BucketName = "bucket",
            Key = "mp",
            UploadId = uploadId,
            PartNumber = number,
            InputStream = new MemoryStream(data),
        }).Within());

    private static async Task<byte[]> GetAsync(AmazonS3Client client, string key)
    {
        using GetObjectResponse response = await client.GetObjectAsync("bucket", key).Within();
        var read = new MemoryStream();
        await response.ResponseStream.CopyToAsync(read).Within();
        return read.ToArray();
    }
}
