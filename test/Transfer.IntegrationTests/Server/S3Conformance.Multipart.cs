using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Server.Checksums;

namespace Transfer.S3.IntegrationTests.Server;

/// <content>Multipart uploads.</content>
public abstract partial class S3Conformance
{
    [Fact]
    public async Task Multipart_PartsInAnyOrder_BecomeOneObject()
    {
        byte[] data = Sample.Bytes((2 * PartBytes) + 12345);
        string uploadId = await BeginAsync("k");
        List<PartETag> parts = [];
        for (int number = 3; number >= 1; number--)
        {
            parts.Add(await UploadAsync("k", uploadId, number, Part(data, number)));
        }

        Assert.Equal(1, Server.Statistics.OpenMultipartUploads);
        CompleteMultipartUploadResponse done = await CompleteAsync("k", uploadId, parts);

        Assert.Equal(Sample.ETag([Part(data, 1), Part(data, 2), Part(data, 3)]), done.ETag);
        Assert.Equal(RunningChecksum.Compute(ChecksumAlgorithm.Crc64Nvme, data), done.ChecksumCRC64NVME);
        Assert.Equal(data, await GetAsync("k"));
        Assert.Equal(0, Server.Statistics.OpenMultipartUploads);
        await RangeOverPartsAsync(data);
    }

    [Fact]
    public async Task Multipart_GetWithPartNumber_ReturnsThatPart()
    {
        byte[] data = Sample.Bytes(PartBytes + 100);
        string uploadId = await BeginAsync("k");
        await CompleteAsync("k", uploadId, [await UploadAsync("k", uploadId, 1, Part(data, 1)), await UploadAsync("k", uploadId, 2, Part(data, 2))]);

        using GetObjectResponse second = await Client.GetObjectAsync(new GetObjectRequest { BucketName = BucketName, Key = "k", PartNumber = 2 }).Within();

        Assert.Equal(2, second.PartsCount);
        Assert.Equal($"bytes {PartBytes}-{PartBytes + 99}/{PartBytes + 100}", second.ContentRange);
        Assert.Equal(Part(data, 2), await ReadAsync(second));
        await FailsAsync("InvalidPartNumber", () => Client.GetObjectAsync(new GetObjectRequest { BucketName = BucketName, Key = "k", PartNumber = 3 }));
    }

    [Theory]
    [InlineData("CRC64NVME", "FULL_OBJECT")]
    [InlineData("CRC32", "FULL_OBJECT")]
    [InlineData("CRC32C", "COMPOSITE")]
    [InlineData("CRC32", "COMPOSITE")]
    [InlineData("SHA256", "COMPOSITE")]
    [InlineData("SHA1", "COMPOSITE")]
    [InlineData("SHA512", "COMPOSITE")]
    [InlineData("MD5", "COMPOSITE")]
    [InlineData("XXHASH64", "COMPOSITE")]
    [InlineData("XXHASH3", "COMPOSITE")]
    [InlineData("XXHASH128", "COMPOSITE")]
    public async Task Multipart_Checksums_AreCombinedAccordingToTheirType(string algorithm, string type)
    {
        byte[] data = Sample.Bytes(PartBytes + 1000);
        ChecksumInfo info = ChecksumInfo.FromApiName(algorithm)!;
        InitiateMultipartUploadResponse begun = await Client.InitiateMultipartUploadAsync(new InitiateMultipartUploadRequest
        {
            BucketName = BucketName,
            Key = "k",
            ChecksumAlgorithm = Amazon.S3.ChecksumAlgorithm.FindValue(algorithm),
            ChecksumType = Amazon.S3.ChecksumType.FindValue(type),
        }).Within();
        List<PartETag> parts = [];
        for (int number = 1; number <= 2; number++)
        {
            string value = RunningChecksum.Compute(info.Algorithm, Part(data, number));
            var request = new UploadPartRequest
            {
                BucketName = BucketName,
                Key = "k",
                UploadId = begun.UploadId,
                PartNumber = number,
                InputStream = new MemoryStream(Part(data, number)),
            };
            typeof(UploadPartRequest).GetProperty("Checksum" + algorithm)!.SetValue(request, value);
            var part = new PartETag(await Client.UploadPartAsync(request).Within());
            typeof(PartETag).GetProperty("Checksum" + algorithm)!.SetValue(part, value);
            parts.Add(part);
        }

        await CompleteAsync("k", begun.UploadId, parts);

        string expected = type == "FULL_OBJECT"
            ? RunningChecksum.Compute(info.Algorithm, data)
            : ChecksumCombiner.Composite(
                info.Algorithm,
                [RunningChecksum.Compute(info.Algorithm, Part(data, 1)), RunningChecksum.Compute(info.Algorithm, Part(data, 2))]);
        GetObjectAttributesResponse attributes = await Client.GetObjectAttributesAsync(new GetObjectAttributesRequest
        {
            BucketName = BucketName,
            Key = "k",
            ObjectAttributes = [ObjectAttributes.Checksum, ObjectAttributes.ObjectParts],
        }).Within();
        GetObjectMetadataResponse head = await Client.GetObjectMetadataAsync(
            new GetObjectMetadataRequest { BucketName = BucketName, Key = "k", ChecksumMode = ChecksumMode.ENABLED }).Within();
        Assert.Equal(expected, (string?)typeof(GetObjectMetadataResponse).GetProperty("Checksum" + algorithm)!.GetValue(head));
        Assert.Equal(expected.Split('-')[0], (string?)typeof(Checksum).GetProperty("Checksum" + algorithm)!.GetValue(attributes.Checksum));
        Assert.Equal(type, attributes.Checksum.ChecksumType.Value);
        Assert.Equal(2, attributes.ObjectParts.TotalPartsCount);
        Assert.Equal([PartBytes, 1000], attributes.ObjectParts.Parts.Select(static part => part.Size!.Value));
        Assert.Equal(data, await GetAsync("k"));
    }

    [Fact]
    public async Task Multipart_SamePartAgain_ReplacesIt()
    {
        string uploadId = await BeginAsync("k");
        PartETag first = await UploadAsync("k", uploadId, 1, Sample.Bytes(100, 1));
        PartETag second = await UploadAsync("k", uploadId, 1, Sample.Bytes(200, 2));

        await FailsAsync("InvalidPart", () => CompleteAsync("k", uploadId, [first]));
        await CompleteAsync("k", uploadId, [second]);

        Assert.Equal(Sample.Bytes(200, 2), await GetAsync("k"));
    }

    [Fact]
    public async Task Multipart_InvalidCompletions_AreRejected()
    {
        string uploadId = await BeginAsync("k");
        PartETag small = await UploadAsync("k", uploadId, 1, Sample.Bytes(100));
        PartETag last = await UploadAsync("k", uploadId, 2, Sample.Bytes(100));

        await FailsAsync("EntityTooSmall", () => CompleteAsync("k", uploadId, [small, last]));
        await FailsAsync("InvalidPart", () => CompleteAsync("k", uploadId, [new PartETag(7, small.ETag)]));
        await FailsAsync("NoSuchUpload", () => CompleteAsync("k", "nonsense", [last]));
        await FailsAsync("NoSuchUpload", () => CompleteAsync("other", uploadId, [last]));
        await FailsAsync("NoSuchKey", () => Client.GetObjectAsync(BucketName, "k"));
        await CompleteAsync("k", uploadId, [last]);
    }

    [Fact]
    public async Task Multipart_CompletedAgain_ReturnsTheSame()
    {
        string uploadId = await BeginAsync("k");
        PartETag part = await UploadAsync("k", uploadId, 1, Sample.Bytes(100));
        CompleteMultipartUploadResponse first = await CompleteAsync("k", uploadId, [part]);

        CompleteMultipartUploadResponse second = await CompleteAsync("k", uploadId, [part]);

        Assert.Equal(first.ETag, second.ETag);
        await FailsAsync("NoSuchUpload", () => CompleteAsync("k", uploadId, [new PartETag(1, "\"00\"")]));
    }

    [Fact]
    public async Task Multipart_CompletedWithConditions_ChecksThemAtTheEnd()
    {
        string uploadId = await BeginAsync("k");
        PartETag part = await UploadAsync("k", uploadId, 1, Sample.Bytes(100));
        PutObjectResponse winner = await PutAsync("k", [1]);
        var request = new CompleteMultipartUploadRequest
        {
            BucketName = BucketName,
            Key = "k",
            UploadId = uploadId,
            PartETags = [part],
            IfNoneMatch = "*",
        };

        await FailsAsync("PreconditionFailed", () => Client.CompleteMultipartUploadAsync(request));
        request.IfNoneMatch = null;
        request.IfMatch = winner.ETag;
        await Client.CompleteMultipartUploadAsync(request).Within();

        Assert.Equal(100, (await GetAsync("k")).Length);
    }

    [Fact]
    public async Task Multipart_Aborted_IsGone()
    {
        string uploadId = await BeginAsync("k");
        await UploadAsync("k", uploadId, 1, Sample.Bytes(100));

        await Client.AbortMultipartUploadAsync(BucketName, "k", uploadId).Within();

        Assert.Equal(0, Server.Statistics.OpenMultipartUploads);
        await FailsAsync("NoSuchUpload", () => UploadAsync("k", uploadId, 2, [1]));
        await FailsAsync("NoSuchUpload", () => Client.AbortMultipartUploadAsync(BucketName, "k", uploadId));
        await FailsAsync("NoSuchUpload", () => Client.ListPartsAsync(BucketName, "k", uploadId));
    }

    [Fact]
    public async Task UploadPartCopy_Range_CopiesItsBytes()
    {
        byte[] data = Sample.Bytes(PartBytes + 5000);
        await PutAsync("source", data);
        string uploadId = await BeginAsync("k");
        var request = new CopyPartRequest
        {
            SourceBucket = BucketName,
            SourceKey = "source",
            DestinationBucket = BucketName,
            DestinationKey = "k",
            UploadId = uploadId,
            PartNumber = 1,
        };
        CopyPartResponse whole = await Client.CopyPartAsync(request).Within();
        request.PartNumber = 2;
        request.FirstByte = 1000;
        request.LastByte = 1999;
        CopyPartResponse range = await Client.CopyPartAsync(request).Within();
        await Client.DeleteObjectAsync(BucketName, "source").Within();

        await CompleteAsync("k", uploadId, [new PartETag(1, whole.ETag), new PartETag(2, range.ETag)]);

        byte[] expected = [.. data, .. data[1000..2000]];
        Assert.Equal(expected, await GetAsync("k"));
        CopyObjectResponse copy = await Client.CopyObjectAsync(BucketName, "k", BucketName, "copy").Within();
        Assert.Equal(Sample.ETag(expected), copy.ETag);
    }

    private async Task RangeOverPartsAsync(byte[] data)
    {
        using GetObjectResponse response = await Client.GetObjectAsync(
            new GetObjectRequest { BucketName = BucketName, Key = "k", ByteRange = new ByteRange(PartBytes - 1000, (2 * PartBytes) + 1000) }).Within();
        Assert.Equal(data[(PartBytes - 1000)..((2 * PartBytes) + 1001)], await ReadAsync(response));
    }

    private static byte[] Part(byte[] data, int number) => data[((number - 1) * PartBytes)..Math.Min(number * PartBytes, data.Length)];

    private async Task<string> BeginAsync(string key) => (await Client.InitiateMultipartUploadAsync(BucketName, key).Within()).UploadId;

    private async Task<PartETag> UploadAsync(string key, string uploadId, int number, byte[] data) =>
        new(await Client.UploadPartAsync(new UploadPartRequest
        {
            BucketName = BucketName,
            Key = key,
            UploadId = uploadId,
            PartNumber = number,
            InputStream = new MemoryStream(data),
        }).Within());

    private async Task<CompleteMultipartUploadResponse> CompleteAsync(string key, string uploadId, List<PartETag> parts) =>
        await Client.CompleteMultipartUploadAsync(
            new CompleteMultipartUploadRequest { BucketName = BucketName, Key = key, UploadId = uploadId, PartETags = parts }).Within();
}
