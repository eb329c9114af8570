using System.Text.Json;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Cli;

public sealed class StatTests
{
    private const int PartBytes = 5 << 20;

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task Stat_Object_ShowsItsProperties(string store)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);
        await PutWithPropertiesAsync(tool, "dir/a b");

        ToolOutcome outcome = (await tool.RunAsync("stat", $"s3://{tool.Bucket}/dir/a b")).Expect(0);

        Assert.Equal($"s3://{tool.Bucket}/dir/a b", outcome.Lines[0]);
        Assert.Contains("  Size:                 2 KiB (2,048 bytes)", outcome.Lines);
        Assert.Contains($"  ETag:                 {Sample.ETag(Sample.Bytes(2048))}", outcome.Lines);
        Assert.Contains("  Storage class:        STANDARD", outcome.Lines);
        Assert.Contains("  Content type:         text/x-test", outcome.Lines);
        Assert.Contains("  Content encoding:     gzip", outcome.Text, StringComparison.Ordinal); // MinIO adds a comma to what the SDK sends
        Assert.Contains("  Cache control:        no-cache", outcome.Lines);
        Assert.Contains("  Metadata:             color=blue", outcome.Lines);
        Assert.Contains(outcome.Lines, line => line.StartsWith("  Checksum:             crc32 ", StringComparison.Ordinal));
        Assert.DoesNotContain(outcome.Lines, line => line.TrimEnd().EndsWith(':'));
        Assert.DoesNotContain(outcome.Lines, line => line.Contains("Parts:", StringComparison.Ordinal));
        Assert.Empty(outcome.Error);
    }

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task Stat_Json_WritesThePropertiesAndTheResult(string store)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);
        await PutWithPropertiesAsync(tool, "k");

        ToolOutcome outcome = (await tool.RunAsync("stat", $"s3://{tool.Bucket}/k", "--json")).Expect(0);

        Assert.Single(outcome.Lines);
        JsonElement stat = ToolOutcome.Parse(outcome.Lines[0]);
        Assert.EachEqual(("k", 2048), (stat.GetProperty("key").GetString(), stat.GetProperty("size").GetInt64()));
        Assert.Equal("blue", stat.GetProperty("metadata").GetProperty("color").GetString());
        Assert.EachEqual(("crc32", "full_object"), (stat.GetProperty("checksum").GetProperty("algorithm").GetString(), stat.GetProperty("checksum").GetProperty("type").GetString()));
        Assert.Equal(JsonValueKind.Null, stat.GetProperty("parts").ValueKind);
        Assert.EachEqual(("stat", 1, 1), (outcome.Json.GetProperty("operation").GetString(), outcome.Json.GetProperty("objects").GetInt32(), outcome.Json.GetProperty("requests").GetInt32()));
    }

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task Stat_Parts_ListsThem(string store)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);
        await UploadPartsAsync(tool, "k");

        ToolOutcome text = (await tool.RunAsync("stat", "--parts", $"s3://{tool.Bucket}/k")).Expect(0);
        ToolOutcome json = (await tool.RunAsync("stat", "--parts", $"s3://{tool.Bucket}/k", "--json")).Expect(0);

        Assert.Contains("  Parts:                2", text.Lines);
        Assert.StartsWith("  Part 1:               5 MiB  crc32 ", text.Lines[^2], StringComparison.Ordinal);
        Assert.StartsWith("  Part 2:               100 B  crc32 ", text.Lines[^1], StringComparison.Ordinal);
        Assert.Equal(3, json.Lines.Length);
        Assert.Equal(2, ToolOutcome.Parse(json.Lines[0]).GetProperty("parts").GetInt32());
        Assert.EachEqual((2, 100), (ToolOutcome.Parse(json.Lines[2]).GetProperty("part").GetInt32(), ToolOutcome.Parse(json.Lines[2]).GetProperty("size").GetInt64()));
        Assert.Equal(2, json.Json.GetProperty("requests").GetInt32());
    }

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task Stat_MissingObject_Fails(string store)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);
        ToolOutcome outcome = (await tool.RunAsync("stat", $"s3://{tool.Bucket}/nothing")).Expect(1);
        Assert.Contains($"s3://{tool.Bucket}/nothing: there is no such ", outcome.Error, StringComparison.Ordinal);
        Assert.Empty(outcome.Text);
    }

    [Fact]
    public async Task Stat_StoreRejectsRequestsForChecksums_AsksWithoutThem()
    {
        await using ScriptedServer server = new(request => request.Header("x-amz-checksum-mode") is not null
            ? ScriptedAnswer.Of("HTTP/1.1 400 Bad Request\r\nx-amz-request-id: R1\r\nContent-Length: 0")
            : ScriptedAnswer.Of("HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nETag: \"e\"\r\nContent-Length: 7\r\nx-amz-meta-a: \x1b[1m\r\nx-amz-storage-class: GLACIER"));

        ToolOutcome outcome = (await ToolProcess.RunAsync(EnvironmentOf(server), "stat", "s3://bucket/k")).Expect(0);

        Assert.Contains("  Size:                 7 B", outcome.Lines);
        Assert.Contains("  Storage class:        GLACIER", outcome.Lines);
        Assert.DoesNotContain("\x1b", outcome.Text, StringComparison.Ordinal);
        Assert.Equal(2, server.Requests.Count);
    }

    [Fact]
    public async Task Stat_ArchivedObjectWithACustomerKey_ShowsItsState()
    {
        await using ScriptedServer server = new(request => request.Header("x-amz-server-side-encryption-customer-key") is null
            ? ScriptedAnswer.Of("HTTP/1.1 400 Bad Request\r\nx-amz-request-id: R1\r\nContent-Length: 0")
            : ScriptedAnswer.Of(
                "HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nETag: \"e\"\r\nContent-Length: 7\r\nExpires: 0\r\nx-amz-tagging-count: 2\r\nx-amz-version-id:\r\n"
                + "x-amz-server-side-encryption-customer-algorithm: AES256\r\nx-amz-restore: ongoing-request=\"false\", expiry-date=\"Wed, 21 Oct 2015 07:28:00 GMT\""));
        using TemporaryFolder folder = new();
        await File.WriteAllTextAsync(folder.File("key"), Convert.ToBase64String(new byte[32]));

        ToolOutcome outcome = (await ToolProcess.RunAsync(EnvironmentOf(server), "stat", "--sse-c-key-file", folder.File("key"), "s3://bucket/k")).Expect(0);

        Assert.Equal(
            [
                "s3://bucket/k", "  Size:                 7 B", "  ETag:                 \"e\"", "  Storage class:        STANDARD", "  Expires:              0",
                "  Encryption:           SSE-C", "  Restored:             until 2015-10-21 07:28:00 UTC", "  Tags:                 2",
            ],
            outcome.Lines);
    }

    [Fact]
    public async Task Stat_SecondPageOfPartsIsTheFirst_Fails()
    {
        await using ScriptedServer server = new(request => request.Method == "HEAD"
            ? ScriptedAnswer.Of("HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nETag: \"e-2\"\r\nContent-Length: 7")
            : ScriptedAnswer.Text(
                "HTTP/1.1 200 OK\r\nx-amz-request-id: R1",
                "<GetObjectAttributesResponse><ETag>e-2</ETag><ObjectParts><IsTruncated>true</IsTruncated><NextPartNumberMarker>1</NextPartNumberMarker><Part><PartNumber>1</PartNumber><Size>5</Size></Part>"
                + "</ObjectParts></GetObjectAttributesResponse>"));

        ToolOutcome outcome = (await ToolProcess.RunAsync(EnvironmentOf(server), "stat", "--parts", "s3://bucket/k")).Expect(1);

        Assert.Contains("the store returned the same page of the list of parts again", outcome.Error, StringComparison.Ordinal);
        Assert.Equal("  Part 1:               5 B", outcome.Lines[^1]);
        Assert.Equal(3, server.Requests.Count);
    }

    [Fact]
    public async Task Stat_StoreListsNoParts_Warns()
    {
        await using ScriptedServer server = new(request => request.Method == "HEAD"
            ? ScriptedAnswer.Of("HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nETag: \"e-2\"\r\nContent-Length: 7")
            : ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nx-amz-request-id: R1", "<GetObjectAttributesResponse><ETag>e-2</ETag></GetObjectAttributesResponse>"));

        Assert.Contains(
            "the store does not list the 2 parts of the object", (await ToolProcess.RunAsync(EnvironmentOf(server), "stat", "--parts", "s3://bucket/k")).Expect(0).Error, StringComparison.Ordinal);
    }

    private static Dictionary<string, string> EnvironmentOf(ScriptedServer server)
        => new() { ["AWS_ACCESS_KEY_ID"] = "id", ["AWS_SECRET_ACCESS_KEY"] = "secret", ["AWS_ENDPOINT_URL_S3"] = server.Url };

    private static async Task PutWithPropertiesAsync(ToolStore tool, string key)
    {
        using MemoryStream body = new(Sample.Bytes(2048));
        PutObjectRequest request = new()
        {
            BucketName = tool.Bucket,
            Key = key,
            InputStream = body,
            ContentType = "text/x-test",
            ChecksumAlgorithm = Amazon.S3.ChecksumAlgorithm.CRC32,
        };
        request.Headers.CacheControl = "no-cache";
        request.Headers.ContentEncoding = "gzip";
        request.Metadata["color"] = "blue";
        await tool.Store.S3.PutObjectAsync(request).Within();
    }

    private static async Task UploadPartsAsync(ToolStore tool, string key)
    {
        AmazonS3Client s3 = tool.Store.S3;
        string id = (await s3.InitiateMultipartUploadAsync(new InitiateMultipartUploadRequest
        {
            BucketName = tool.Bucket,
            Key = key,
            ChecksumAlgorithm = Amazon.S3.ChecksumAlgorithm.CRC32,
            ChecksumType = ChecksumType.COMPOSITE,
        }).Within()).UploadId;
        List<PartETag> parts = [];
        foreach (int length in (int[])[PartBytes, 100])
        {
            using MemoryStream body = new(Sample.Bytes(length));
            UploadPartResponse part = await s3.UploadPartAsync(new UploadPartRequest
            {
                BucketName = tool.Bucket,
                Key = key,
                UploadId = id,
                PartNumber = parts.Count + 1,
                InputStream = body,
                ChecksumAlgorithm = Amazon.S3.ChecksumAlgorithm.CRC32,
            }).Within();
            parts.Add(new PartETag { PartNumber = part.PartNumber, ETag = part.ETag, ChecksumCRC32 = part.ChecksumCRC32 });
        }

        await s3.CompleteMultipartUploadAsync(new CompleteMultipartUploadRequest { BucketName = tool.Bucket, Key = key, UploadId = id, PartETags = parts }).Within();
    }
}
