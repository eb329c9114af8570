using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Upload;

namespace Transfer.S3.Tests.Upload;

/// <summary>Options of an uploaded object. Invalid values are rejected before any request.</summary>
public sealed class UploadOptionTests : TransferTest
{
    public static TheoryData<UploadOptions, string> Wrong => new()
    {
        { new() { ContentType = "text/plain\r\nx-amz-acl: public-read" }, "ContentType is 'text/plain" },
        { new() { ContentType = "" }, "ContentType is ''" },
        { new() { CacheControl = "ü" }, "CacheControl" },
        { new() { ContentDisposition = " a" }, "ContentDisposition" },
        { new() { ContentEncoding = "a\n" }, "ContentEncoding" },
        { new() { ContentLanguage = "\0" }, "ContentLanguage" },
        { new() { StorageClass = "A\tB" }, "StorageClass" },
        { new() { Acl = "a\rb" }, "Acl" },
        { new() { IfMatch = "a\rb" }, "IfMatch" },
        { new() { IfMatch = "abc", Overwrite = false }, "nothing could be published" },
        { new() { Encryption = ObjectEncryption.Kms("a\rb") }, "Encryption.KeyId" },
        { new() { Encryption = ObjectEncryption.Aes256, CustomerKey = new CustomerKey(new byte[CustomerKey.LengthBytes]) }, "only one of them can be set" },
        { new() { Metadata = new Dictionary<string, string> { ["a b"] = "c" } }, "'a b'" },
        { new() { Metadata = new Dictionary<string, string> { [""] = "c" } }, "Metadata has the name ''" },
        { new() { Metadata = new Dictionary<string, string> { ["a"] = "b\nc" } }, "Metadata[a]" },
        { new() { Metadata = new Dictionary<string, string> { ["a"] = new('b', 2048) } }, "2049 bytes" },
        { new() { Tags = Enumerable.Range(0, 11).ToDictionary(i => $"{i}", i => "x") }, "11 tags" },
        { new() { Tags = new Dictionary<string, string> { [new('k', 129)] = "" } }, "1 to 128" },
        { new() { Tags = new Dictionary<string, string> { ["k"] = new('v', 257) } }, "at most 256" },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    public async Task Options_Invalid_AreRejectedBeforeAnyRequest(UploadOptions options, string message)
    {
        ArgumentException e = await Assert.ThrowsAnyAsync<ArgumentException>(
            () => NewClient().UploadAsync(new MemoryStream([1]), FakeS3.Bucket, FakeS3.Key, options).Within());

        Assert.Contains(message, e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(e.Message, char.IsControl);
        Assert.Empty(S3.Calls);
    }

    [Fact]
    public async Task Options_AtTheirLimits_AreSent()
    {
        UploadOptions options = new()
        {
            Metadata = new Dictionary<string, string> { ["a"] = new('b', 2047) },
            Tags = Enumerable.Range(0, 10).ToDictionary(i => $"{i}" + new string('k', 127), i => new string('v', 256)),
        };

        await NewClient().UploadAsync(new MemoryStream([1]), FakeS3.Bucket, FakeS3.Key, options).Within();

        Assert.Equal(1, S3.GetCount(S3Call.Put));
    }

    /// <summary>
    /// By default, an upload holds three eighths of the memory. Parts that are read when they are sent hold a few chunks.
    /// </summary>
    [Theory]
    [InlineData(512, null, 24, 256)]
    [InlineData(64, null, 3, 256)]
    [InlineData(16, null, 2, 256)]
    [InlineData(512, 10, 10, 10)]
    public void MaxConcurrency_Default_IsTheNumberThatFitsIntoMemory(int memoryMiB, int? chosen, int whole, int inChunks)
    {
        TransferClient client = NewClient(o =>
        {
            (o.MaxConcurrency, o.UploadPartSizeBytes, o.MemoryBytes) = (null, null, memoryMiB * 1024L * 1024);
        });

        UploadRequest request = UploadRequest.From(FakeS3.Bucket, FakeS3.Key, new UploadOptions { MaxConcurrency = chosen }, client.Context.Settings);

        Assert.EachEqual((whole, inChunks), (request.MaxConcurrency, request.WithPartsInChunks().MaxConcurrency));
    }
}
