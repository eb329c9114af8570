using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Verify;

/// <summary>How two objects are compared, and with which requests.</summary>
public sealed class StoredComparisonTests : TransferTest
{
    private const int Length = 300_001;
    private static readonly byte[] Content = Sample.Bytes(Length);
    private readonly FakeS3 _other = new();

    [Theory]
    [InlineData(ChecksumAlgorithm.Crc64Nvme, true)]
    [InlineData(ChecksumAlgorithm.Sha256, false)]
    public async Task FullChecksums_OfOneAlgorithm_NeedOneRequestToEachStore(ChecksumAlgorithm algorithm, bool same)
    {
        Put(S3, Content, "\"a\"", Sums.Full(algorithm, Content));
        byte[] content = same ? Content : Changed();
        Put(_other, content, "\"b\"", Sums.Full(algorithm, content));

        VerifyResult result = await VerifyAsync();

        Assert.EachEqual((same, VerifyMethod.Checksum, algorithm, 2, Length), (result.IsSame, result.Method, result.Algorithm, result.Statistics.Requests, result.Bytes));
        Assert.Equal(same, result.Difference is null);
        Assert.Empty(S3.Gets.Concat(_other.Gets));
    }

    [Theory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(false, false)]
    public async Task CompositeChecksums_ProveOnlyEquality(bool sameParts, bool same)
    {
        byte[] content = same ? Content : Changed();
        Put(S3, Content, "\"a-2\"", Sums.Composite(ChecksumAlgorithm.Crc32C, Content, 200_000, 100_001));
        Put(_other, content, "\"b-2\"", sameParts ? Sums.Composite(ChecksumAlgorithm.Crc32C, content, 200_000, 100_001) : Sums.Composite(ChecksumAlgorithm.Crc32C, content, 100_000, 200_001));

        VerifyResult result = await VerifyAsync();

        Assert.EachEqual((same, sameParts && same ? VerifyMethod.Checksum : VerifyMethod.Content), (result.IsSame, result.Method));
    }

    /// <summary>The store returns neither the type nor the number of parts. A SHA checksum of a multipart object is always composite.</summary>
    [Fact]
    public async Task Checksum_TypeIsUnknown_IsNotTakenForThatOfTheWholeObject()
    {
        StoredChecksum composite = Sums.Composite(ChecksumAlgorithm.Sha256, Content, 200_000, 100_001);
        Put(S3, Content, "\"0123456789abcdef0123456789abcdef-2\"", new StoredChecksum { Algorithm = composite.Algorithm, Value = composite.Value[..composite.Value.IndexOf('-', StringComparison.Ordinal)], IsComposite = false }, tellsType: false);
        Put(_other, Content, "\"b\"", Sums.Full(ChecksumAlgorithm.Sha256, Content));

        VerifyResult result = await VerifyAsync();

        Assert.EachEqual((true, VerifyMethod.Content), (result.IsSame, result.Method));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ETags_OfMd5_AreCompared(bool same)
    {
        byte[] content = same ? Content : Changed();
        Put(S3, Content, Sums.Tag(Content), null);
        Put(_other, content, Sums.Tag(content), null);

        VerifyResult result = await VerifyAsync();

        Assert.EachEqual((same, VerifyMethod.ETag, 2), (result.IsSame, result.Method, result.Statistics.Requests));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(150_000)]
    [InlineData(Length - 1)]
    public async Task Content_DiffersAtAnyOffset_SaysWhere(int offset)
    {
        Put(S3, Content, "\"a\"", null);
        Put(_other, Changed(offset), "\"b\"", null);

        VerifyResult result = await VerifyAsync();

        Assert.EachEqual((false, VerifyMethod.Content, offset), (result.IsSame, result.Method, result.Bytes));
        Assert.EndsWith($"at offset {offset}", result.Difference, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Content_Same_WasReadCompletely()
    {
        Put(S3, Content, "\"a\"", null);
        Put(_other, Content, "\"b\"", null);

        VerifyResult result = await VerifyAsync();

        Assert.EachEqual((true, VerifyMethod.Content, Length), (result.IsSame, result.Method, result.Bytes));
        Assert.All(S3.Gets, get => Assert.Equal("\"a\"", get.IfMatch));
        Assert.All(_other.Gets, get => Assert.Equal("\"b\"", get.IfMatch));
    }

    [Fact]
    public async Task Content_MayNotBeRead_IsNotCompared()
    {
        Put(S3, Content, "\"a\"", null);
        Put(_other, Content, "\"b\"", null);

        VerifyResult result = await VerifyAsync(new VerifyOptions { ReadContent = false });

        Assert.EachEqual((false, VerifyMethod.None, 0), (result.IsSame, result.Method, result.Bytes));
        Assert.Empty(S3.Gets.Concat(_other.Gets));
    }

    [Theory]
    [InlineData(0, 0, true)]
    [InlineData(10, 11, false)]
    public async Task Sizes_AreConclusiveIfTheyDifferOrAreZero(int first, int second, bool same)
    {
        Put(S3, Content[..first], "\"a\"", null);
        Put(_other, Content[..second], "\"b\"", null);

        VerifyResult result = await VerifyAsync();

        Assert.EachEqual((same, VerifyMethod.Size), (result.IsSame, result.Method));
    }

    [Fact]
    public async Task ChangesWhileItIsRead_Throws()
    {
        Put(S3, Content, "\"a\"", null);
        Put(_other, Content, "\"b\"", null);
        _other.Before = (call, _) =>
        {
            if (call.Operation == S3Call.Get)
            {
                Put(_other, Changed(), "\"c\"", null);
            }

            return Task.CompletedTask;
        };

        await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => VerifyAsync());
    }

    [Fact]
    public async Task OneIsMissing_NamesIt()
    {
        Put(S3, Content, "\"a\"", null);

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => VerifyAsync());

        Assert.Contains($"s3://{FakeS3.Bucket}/{FakeS3.Key}", error.Message, StringComparison.Ordinal);
        Assert.True(error.IsOfMissingObject);
    }

    private async Task<VerifyResult> VerifyAsync(VerifyOptions? options = null)
        => await NewClient().VerifyAsync(new(FakeS3.Bucket, FakeS3.Key), NewClient(_other.Client, static _ => { }), new(FakeS3.Bucket, FakeS3.Key), options).Within();

    private static void Put(FakeS3 store, byte[] content, string etag, StoredChecksum? checksum, bool tellsType = true)
        => store.Objects[FakeS3.Key] = new FakeObject(content, etag) { Checksum = checksum, TellsChecksumType = tellsType };

    private static byte[] Changed(int offset = 100_000)
    {
        byte[] content = [.. Content];
        content[offset] ^= 1;
        return content;
    }
}
