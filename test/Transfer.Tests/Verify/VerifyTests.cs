using System.Net;
using Transfer.S3.Download;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Verify;

namespace Transfer.S3.Tests.Verify;

/// <summary>How a file is compared, and with which requests.</summary>
public sealed class VerifyTests : TransferTest
{
    private const int Length = 300_001;

    public static TheoryData<ChecksumAlgorithm, bool> FullObject => Matrix.Of(
        [ChecksumAlgorithm.Crc64Nvme, ChecksumAlgorithm.Crc32C, ChecksumAlgorithm.Crc32, ChecksumAlgorithm.Sha256, ChecksumAlgorithm.Sha1, ChecksumAlgorithm.Sha512, ChecksumAlgorithm.XxHash64, ChecksumAlgorithm.XxHash3, ChecksumAlgorithm.XxHash128],
        [true, false]);

    [Theory]
    [MemberData(nameof(FullObject))]
    public async Task Checksum_FullObject_NeedsOneRequest(ChecksumAlgorithm algorithm, bool same)
    {
        byte[] content = Sample.Bytes(Length);
        StoredChecksum stored = Sums.Full(algorithm, content);
        S3.Objects[FakeS3.Key] = new FakeObject(content) { Checksum = stored };

        VerifyResult result = await VerifyAsync(same ? content : Changed(content));

        Assert.EachEqual((same, VerifyMethod.Checksum, algorithm, 1, Length), (result.IsSame, result.Method, result.Algorithm, result.Statistics.Requests, result.Bytes));
        Assert.Equal(same, result.Checksum == stored.Value);
        Assert.Equal(same, result.Difference is null);
        Assert.True(same || result.Difference!.Contains(stored.Value, StringComparison.Ordinal), result.Difference);
        Assert.Empty(S3.Gets);
    }

    public static TheoryData<ChecksumAlgorithm, bool, bool> OfParts => Matrix.Of(
        [ChecksumAlgorithm.Crc32C, ChecksumAlgorithm.Crc32, ChecksumAlgorithm.Sha256, ChecksumAlgorithm.Sha1, ChecksumAlgorithm.Sha512, ChecksumAlgorithm.XxHash128], [true, false], [true, false]);

    [Theory]
    [MemberData(nameof(OfParts))]
    public async Task Checksum_Composite_IsComparedForAnyPartLengths(ChecksumAlgorithm algorithm, bool equal, bool same)
    {
        int[] parts = equal ? [100_000, 100_000, 100_000, 1] : [150_000, 50_000, 100_000, 1];
        byte[] content = Sample.Bytes(Length);
        S3.Objects[FakeS3.Key] = new FakeObject(content, "\"0123456789abcdef0123456789abcdef-4\"") { Checksum = Sums.Composite(algorithm, content, parts), Parts = parts, PartsInPage = 3 };

        VerifyResult result = await VerifyAsync(same ? content : Changed(content));

        Assert.EachEqual((same, VerifyMethod.Checksum, algorithm), (result.IsSame, result.Method, result.Algorithm));
        Assert.EndsWith("-4", result.Checksum, StringComparison.Ordinal);
        Assert.EachEqual((1, 2), (S3.GetCount(S3Call.Head), S3.GetCount(S3Call.Attributes))); // two pages of parts
        Assert.Empty(S3.Gets);
    }

    [Theory]
    [InlineData(true, true, 2)] // the length of equal parts is known from the first
    [InlineData(true, false, 6)] // only a matching checksum proves that length
    [InlineData(false, true, 6)]
    [InlineData(false, false, 6)]
    public async Task Checksum_AttributesAreDenied_RequestsEachPart(bool equal, bool same, int heads)
    {
        int[] parts = equal ? [100_000, 100_000, 100_000, 1] : [150_000, 50_000, 100_000, 1];
        byte[] content = Sample.Bytes(Length);
        S3.Objects[FakeS3.Key] = new FakeObject(content) { Checksum = Sums.Composite(ChecksumAlgorithm.Sha256, content, parts), Parts = parts };
        S3.Before = (call, _) => call.Operation == S3Call.Attributes ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;

        VerifyResult result = await VerifyAsync(same ? content : Changed(content));

        Assert.EachEqual((same, VerifyMethod.Checksum), (result.IsSame, result.Method));
        Assert.EachEqual((heads, 1), (S3.GetCount(S3Call.Head), S3.GetCount(S3Call.Attributes)));
        Assert.All(S3.Calls.Where(call => call.Part is not null), call => Assert.Equal(S3.Objects[FakeS3.Key].ETag, call.IfMatch));
        Assert.Empty(S3.Gets);
    }

    /// <summary>The parts only seem to be of equal length. Their checksum is not that of the object, so every part is requested.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Checksum_PartsOnlySeemEqual_IsDetected(bool same)
    {
        int[] parts = [100_000, 50_000, 50_001, 100_000];
        byte[] content = Sample.Bytes(Length);
        S3.Objects[FakeS3.Key] = new FakeObject(content) { Checksum = Sums.Composite(ChecksumAlgorithm.Crc32C, content, parts), Parts = parts };

        VerifyResult result = await VerifyAsync(same ? content : Changed(content));

        Assert.EachEqual((same, VerifyMethod.Checksum), (result.IsSame, result.Method));
        Assert.Equal(6, S3.GetCount(S3Call.Head));
    }

    /// <summary>The store returns neither the type nor the number of parts. A SHA checksum of a multipart object is always composite.</summary>
    [Fact]
    public async Task Checksum_TypeIsUnknown_IsTreatedAsComposite()
    {
        int[] parts = [200_000, 100_001];
        byte[] content = Sample.Bytes(Length);
        StoredChecksum composite = Sums.Composite(ChecksumAlgorithm.Sha256, content, parts);
        S3.Objects[FakeS3.Key] = new FakeObject(content, Sums.Tag(content, parts))
        {
            Checksum = new StoredChecksum { Algorithm = composite.Algorithm, Value = composite.Value[..composite.Value.IndexOf('-', StringComparison.Ordinal)], IsComposite = false },
            TellsChecksumType = false,
            Parts = parts,
        };

        VerifyResult result = await VerifyAsync(content);

        Assert.EachEqual((true, VerifyMethod.Checksum, composite.Value), (result.IsSame, result.Method, result.Checksum));
    }

    [Theory]
    [InlineData(true, null)]
    [InlineData(false, null)]
    [InlineData(true, "AES256")]
    public async Task ETag_SinglePart_NeedsOneRequest(bool same, string? encryption)
    {
        byte[] content = Sample.Bytes(Length);
        S3.Objects[FakeS3.Key] = new FakeObject(content, Sums.Tag(content)) { Encryption = encryption };

        VerifyResult result = await VerifyAsync(same ? content : Changed(content));

        Assert.EachEqual((same, VerifyMethod.ETag, ChecksumAlgorithm.Md5, 1), (result.IsSame, result.Method, result.Algorithm, result.Statistics.Requests));
        Assert.True(same || result.Difference!.Contains(Sums.Tag(content), StringComparison.Ordinal), result.Difference);
        Assert.Empty(S3.Gets);
    }

    [Theory]
    [InlineData(100_000, 100_000, 100_000, 1)]
    [InlineData(150_000, 50_000, 100_000, 1)]
    [InlineData(100_000, 50_000, 50_001, 100_000)]
    [InlineData(300_001)]
    public async Task ETag_Multipart_ProvesEquality(params int[] parts)
    {
        byte[] content = Sample.Bytes(Length);
        S3.Objects[FakeS3.Key] = new FakeObject(content, Sums.Tag(content, parts)) { Parts = parts };

        VerifyResult result = await VerifyAsync(content);

        Assert.EachEqual((true, VerifyMethod.ETag, ChecksumAlgorithm.Md5), (result.IsSame, result.Method, result.Algorithm));
        Assert.Equal(0, S3.GetCount(S3Call.Attributes)); // S3 lists parts only for objects with checksums
        Assert.Empty(S3.Gets);
    }

    /// <summary>Some stores compute multipart ETags differently, so the bytes are compared.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ETag_MultipartMismatch_ProvesNothing(bool same)
    {
        byte[] content = Sample.Bytes(Length);
        S3.Objects[FakeS3.Key] = new FakeObject(content, "\"0123456789abcdef0123456789abcdef-2\"") { Parts = [200_000, 100_001] };

        VerifyResult result = await VerifyAsync(same ? content : Changed(content));

        Assert.EachEqual((same, VerifyMethod.Content), (result.IsSame, result.Method));
        Assert.NotEmpty(S3.Gets);
    }

    [Theory]
    [InlineData(null, null)]
    [InlineData("\"no-md5\"", null)]
    [InlineData("\"0123456789abcdef0123456789abcdef\"", "aws:kms")]
    [InlineData("\"0123456789abcdef0123456789abcdef\"", "aws:kms:dsse")]
    [InlineData("\"0123456789abcdef0123456789abcdef-3\"", null)] // part lengths are unknown
    public async Task Content_NoOtherEvidence_IsRead(string? etag, string? encryption)
    {
        byte[] content = Sample.Bytes(Length);
        S3.Objects[FakeS3.Key] = new FakeObject(content, etag) { Encryption = encryption, TellsRanges = false };

        VerifyResult same = await VerifyAsync(content);
        VerifyResult differs = await VerifyAsync(Changed(content, 200_000));

        Assert.EachEqual((true, VerifyMethod.Content, null, null, Length), (same.IsSame, same.Method, same.Algorithm, same.Difference, same.Bytes));
        Assert.EachEqual((false, VerifyMethod.Content, 200_000), (differs.IsSame, differs.Method, differs.Bytes));
        Assert.Contains("offset 200000", differs.Difference, StringComparison.Ordinal);
    }

    /// <summary>ETags of directory buckets look like an MD5, but are not.</summary>
    [Fact]
    public async Task ETag_DirectoryBucket_ProvesNothing()
    {
        byte[] content = Sample.Bytes(10);
        S3.Objects[FakeS3.Key] = new FakeObject(content);
        VerifyResult result = await NewClient().VerifyAsync(Folder.File("file", content), "bucket--use1-az4--x-s3", FakeS3.Key).Within();
        Assert.EachEqual((true, VerifyMethod.Content), (result.IsSame, result.Method));
    }

    /// <summary>
    /// Many verifications run concurrently in the minimum memory. None waits for a chunk that another one holds while it also waits.
    /// </summary>
    [Fact]
    public async Task Content_ManyInLittleMemory_AllComplete()
    {
        byte[] content = Sample.Bytes(Length);
        S3.Objects[FakeS3.Key] = new FakeObject(content, null);
        string path = Folder.File("file", content);
        TransferClient client = NewClient(options => options.MemoryBytes = 1024 * 1024);

        VerifyResult[] results = await Task.WhenAll(Enumerable.Range(0, 60).Select(_ => client.VerifyAsync(path, FakeS3.Bucket, FakeS3.Key))).Within();

        Assert.All(results, result => Assert.True(result is { IsSame: true, Method: VerifyMethod.Content }));
        Assert.InRange(client.PeakRentedBytes, 1, 1024 * 1024);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(Length - 1)]
    public async Task Content_DiffersAtEitherEnd_IsDetected(int offset)
    {
        byte[] content = Sample.Bytes(Length);
        S3.Objects[FakeS3.Key] = new FakeObject(content, null);
        Assert.Equal(offset, (await VerifyAsync(Changed(content, offset))).Bytes);
    }

    [Fact]
    public async Task Content_ReadingIsTurnedOff_IsNotCompared()
    {
        byte[] content = Sample.Bytes(Length);
        S3.Objects[FakeS3.Key] = new FakeObject(content, "\"opaque\"");

        VerifyResult result = await VerifyAsync(content, new VerifyOptions { ReadContent = false });

        Assert.EachEqual((false, VerifyMethod.None, 0), (result.IsSame, result.Method, result.Bytes));
        Assert.Contains("reading the object is turned off", result.Difference, StringComparison.Ordinal);
        Assert.Empty(S3.Gets);
    }

    [Fact]
    public async Task Content_ChangesBeforeItIsRead_Throws()
    {
        byte[] content = Sample.Bytes(Length);
        S3.Objects[FakeS3.Key] = new FakeObject(content, "\"one\"");
        S3.Before = (call, _) =>
        {
            if (call.Operation == S3Call.Get)
            {
                S3.Objects[FakeS3.Key] = new FakeObject(content, "\"two\"");
            }

            return Task.CompletedTask;
        };

        await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => VerifyAsync(content));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Parts_ObjectIsDeletedOrReplaced_Throws(bool replaced)
    {
        byte[] content = Sample.Bytes(Length);
        FakeObject stored = new(content, Sums.Tag(content, 200_000, 100_001)) { Parts = [200_000, 100_001] };
        S3.Objects[FakeS3.Key] = stored;
        S3.Before = (call, _) =>
        {
            if (call.Part == 1)
            {
                S3.Objects.TryRemove(FakeS3.Key, out FakeObject? _);
                if (replaced)
                {
                    S3.Objects[FakeS3.Key] = stored with { ETag = "\"another\"" };
                }
            }

            return Task.CompletedTask;
        };

        TransferException e = await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => VerifyAsync(content));
        Assert.Equal(FakeS3.Key, e.Key);
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(1, 0)]
    [InlineData(Length, Length - 1)]
    public async Task Size_Differs_NeedsOneRequest(int file, int stored)
    {
        S3.Put(stored);

        VerifyResult result = await VerifyAsync(Sample.Bytes(file));

        Assert.EachEqual((false, VerifyMethod.Size, 1), (result.IsSame, result.Method, result.Statistics.Requests));
        Assert.Equal($"the file has {file} bytes, and the object has {stored}", result.Difference);
    }

    [Fact]
    public async Task Empty_IsComparedBySize()
    {
        S3.Put(0);
        VerifyResult result = await VerifyAsync([]);
        Assert.EachEqual((true, VerifyMethod.Size, null, 1), (result.IsSame, result.Method, result.Difference, result.Statistics.Requests));
    }

    [Fact]
    public async Task Listed_SizeDiffers_NeedsNoRequest()
    {
        TransferClient client = NewClient();
        VerifyRequest request = VerifyRequest.From(Folder.File("file", [1, 2]), FakeS3.Bucket, FakeS3.Key, new VerifyOptions());
        request = request with { Listed = new KnownObject(3, "\"e\"") };

        VerifyResult result = await new ObjectComparer(client.Context.BeginCounting(FakeS3.Bucket, FakeS3.Key), request).RunAsync(CancellationToken.None).Within();

        Assert.EachEqual((false, VerifyMethod.Size, 0), (result.IsSame, result.Method, result.Statistics.Requests));
        Assert.Empty(S3.Calls);
    }

    [Fact]
    public async Task Request_TransientFailure_IsRetried()
    {
        byte[] content = S3.Put(Length);
        S3.Before = (call, _) => call.Number == 1 ? throw FakeS3.Busy() : Task.CompletedTask;
        VerifyResult result = await VerifyAsync(content);
        Assert.EachEqual((true, 2, 1), (result.IsSame, result.Statistics.Requests, result.Statistics.Retries));
    }

    [Fact]
    public async Task Object_Missing_Throws()
    {
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => VerifyAsync([1]));
        Assert.EachEqual((FakeS3.Bucket, FakeS3.Key, HttpStatusCode.NotFound), (e.Bucket, e.Key, e.StatusCode));
    }

    [Fact]
    public async Task File_Missing_ThrowsBeforeAnyRequest()
    {
        TransferClient client = NewClient();
        foreach (string path in (string[])[Folder.File("nothing"), Folder.Path, "/dev/null"])
        {
            TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.VerifyAsync(path, FakeS3.Bucket, FakeS3.Key)).Within();
            Assert.Contains(path, e.Message, StringComparison.Ordinal);
        }

        Assert.Empty(S3.Calls);
    }

    [Theory]
    [InlineData("", "bucket", "key")]
    [InlineData("file", " ", "key")]
    [InlineData("file", "bucket", "")]
    public async Task Names_Invalid_AreRejected(string path, string bucket, string key)
    {
        await Assert.ThrowsAnyAsync<ArgumentException>(() => NewClient().VerifyAsync(path, bucket, key)).Within();
        Assert.Empty(S3.Calls);
    }

    [Fact]
    public async Task File_ChangesMeanwhile_Throws()
    {
        byte[] content = Sample.Bytes(Length);
        string path = Folder.File("file", content);
        S3.Objects[FakeS3.Key] = new FakeObject(content, null);
        S3.Before = (call, _) => call.Operation == S3Call.Get ? File.AppendAllTextAsync(path, "more", CancellationToken.None) : Task.CompletedTask;

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().VerifyAsync(path, FakeS3.Bucket, FakeS3.Key)).Within();

        Assert.Contains("changed while it was being compared", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(S3Call.Head)]
    [InlineData(S3Call.Get)]
    public async Task VerifyAsync_Canceled_Throws(string during)
    {
        byte[] content = Sample.Bytes(Length);
        S3.Objects[FakeS3.Key] = new FakeObject(content, null);
        Gate gate = new();
        S3.Before = (call, token) => call.Operation == during ? gate.PassAsync(token) : Task.CompletedTask;
        using CancellationTokenSource cancel = new();

        Task<VerifyResult> verifying = NewClient().VerifyAsync(Folder.File("file", content), FakeS3.Bucket, FakeS3.Key, null, cancel.Token);
        await gate.Reached;
        await cancel.CancelAsync();

        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => verifying.Within());
        Assert.Equal(cancel.Token, e.CancellationToken);
    }

    private static byte[] Changed(byte[] content, int? offset = null)
    {
        byte[] changed = [.. content];
        changed[offset ?? content.Length / 2] ^= 1;
        return changed;
    }

    private Task<VerifyResult> VerifyAsync(byte[] file, VerifyOptions? options = null)
        => NewClient().VerifyAsync(Folder.File("file", file), FakeS3.Bucket, FakeS3.Key, options).Within();
}
