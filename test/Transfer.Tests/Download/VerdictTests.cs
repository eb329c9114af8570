using System.Buffers;
using System.IO.Pipelines;
using System.Net;
using Transfer.S3.Download;
using Transfer.S3.Stores;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Verify;

namespace Transfer.S3.Tests.Download;

/// <summary>How all forms of downloads use what the store returns: checksums of the full object or of parts, and ETags.</summary>
public sealed class VerdictTests : TransferTest
{
    private const int KiB = 1024;
    private const int MiB = 1024 * KiB;
    private const int Chunk = 4 * KiB;
    private const int Range = 64 * KiB;
    private const string NoMd5 = "\"0123456789abcdef0123456789abcdef-3\"";
    private static readonly int[] Sizes = [0, 1, Chunk - 1, Chunk, Chunk + 1, Range - 1, Range, Range + 1, (5 * Range) + 7];
    private static readonly ChecksumAlgorithm[] Crcs = [ChecksumAlgorithm.Crc64Nvme, ChecksumAlgorithm.Crc32C, ChecksumAlgorithm.Crc32];
    private static readonly ChecksumAlgorithm[] Hashes =
    [
        ChecksumAlgorithm.Sha256, ChecksumAlgorithm.Sha1, ChecksumAlgorithm.Sha512, ChecksumAlgorithm.XxHash64, ChecksumAlgorithm.XxHash3, ChecksumAlgorithm.XxHash128, ChecksumAlgorithm.Md5,
    ];

    /// <summary>The form of a download.</summary>
    public enum Form
    {
        Stream,
        Reader,
        Hoarder,
        File,
        SmallFile,
    }

    public static TheoryData<Form, ChecksumAlgorithm> Everything() => Matrix.Of(Enum.GetValues<Form>(), (ChecksumAlgorithm[])[.. Crcs, .. Hashes]);

    public static TheoryData<Form, ChecksumAlgorithm> Composites()
        => Matrix.Of(
            Enum.GetValues<Form>(),
            (ChecksumAlgorithm[])
            [
                ChecksumAlgorithm.Crc32C, ChecksumAlgorithm.Crc32, ChecksumAlgorithm.Sha256, ChecksumAlgorithm.Sha1, ChecksumAlgorithm.XxHash128,
            ]);

    [Theory]
    [MemberData(nameof(Everything))]
    public async Task FullObjectChecksum_AnySize_IsVerified(Form form, ChecksumAlgorithm algorithm)
    {
        TransferClient client = NewClient();
        foreach (int size in Sizes)
        {
            byte[] content = Sample.Bytes(size, size);
            S3.Objects[FakeS3.Key] = Whole(content, algorithm);

            ChecksumVerdict verdict = await DownloadAsync(client, form, content);

            Assert.EachEqual((true, algorithm, Sums.Full(algorithm, content).Value, false), (verdict.IsVerified, verdict.Algorithm, verdict.Value, verdict.IsComposite));
        }
    }

    [Theory]
    [MemberData(nameof(Everything))]
    public async Task FullObjectChecksum_OneByteDiffers_IsAMismatchAndLeavesNothing(Form form, ChecksumAlgorithm algorithm)
    {
        TransferClient client = NewClient();
        foreach (int size in Sizes.Skip(1))
        {
            byte[] content = Sample.Bytes(size, size);
            FakeObject whole = Whole(content, algorithm);
            content = [.. content];
            content[size / 2] ^= 1;
            S3.Objects[FakeS3.Key] = whole with { Content = content };

            ChecksumMismatchException error = await Assert.ThrowsAsync<ChecksumMismatchException>(() => DownloadAsync(client, form, content));

            Assert.EachEqual((algorithm, Sums.Full(algorithm, content).Value), (error.Algorithm, error.Actual));
            Assert.EachEqual((FakeS3.Bucket, FakeS3.Key), (error.Bucket, error.Key));
            Assert.Empty(Folder.Files);
        }
    }

    [Theory]
    [MemberData(nameof(Composites))]
    public async Task CompositeChecksum_AnyPartLengths_IsVerified(Form form, ChecksumAlgorithm algorithm)
    {
        byte[] content = Sample.Bytes((3 * MiB) + 5);
        foreach (int[] parts in new int[][] { [MiB, MiB, MiB, 5], [MiB, 2 * MiB, 5], [(3 * MiB) + 5], [700_000, 700_000, (3 * MiB) + 5 - 1_400_000], [1, (3 * MiB) + 4] })
        {
            S3.Objects[FakeS3.Key] = InParts(content, algorithm, parts);
            string expected = Sums.Composite(algorithm, content, parts).Value;

            // Ranges that are smaller and larger than parts, and that cross their boundaries.
            foreach (long range in new long[] { 64 * KiB, (3 * MiB / 2) + 1, 2 * MiB })
            {
                TransferClient client = NewClient(o => o.DownloadPartSizeBytes = range);

                ChecksumVerdict verdict = await DownloadAsync(client, form, content);

                Assert.EachEqual((true, algorithm, expected, true), (verdict.IsVerified, verdict.Algorithm, verdict.Value, verdict.IsComposite));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Composites))]
    public async Task CompositeChecksum_OneBitDiffers_IsAMismatchAndLeavesNothing(Form form, ChecksumAlgorithm algorithm)
    {
        TransferClient client = NewClient();
        foreach (int[] parts in new int[][] { [MiB, 5], [700_000, MiB + 5 - 700_000] })
        {
            byte[] content = Sample.Bytes(MiB + 5);
            S3.Objects[FakeS3.Key] = InParts(content, algorithm, parts) with { Content = Flipped(content, parts[0]) };

            ChecksumMismatchException error = await Assert.ThrowsAsync<ChecksumMismatchException>(() => DownloadAsync(client, form, Flipped(content, parts[0])));

            Assert.EachEqual((algorithm, Sums.Composite(algorithm, content, parts).Value), (error.Algorithm, error.Expected));
            Assert.Empty(Folder.Files);
        }
    }

    [Theory]
    [MemberData(nameof(Everything))]
    public async Task FirstRange_ArrivesLast_IsVerified(Form form, ChecksumAlgorithm algorithm)
    {
        byte[] content = Sample.Bytes(5 * Range);
        S3.Objects[FakeS3.Key] = Whole(content, algorithm);
        Gate gate = new();
        S3.Body = (call, bytes) => new ScriptedStream(bytes) { Cue = call.First == 0 ? gate.PassAsync : null };
        Task<ChecksumVerdict> download = DownloadAsync(NewClient(), form, content);
        if (form != Form.SmallFile)
        {
            await Deadline.Until(() => S3.GetCount(S3Call.Get) == 5 && S3.GetCount(S3Call.Attributes) == 1);
        }

        gate.Open();

        Assert.True((await download.Within()).IsVerified);
    }

    /// <summary>The store returns the checksum after all data has been read, so all state is kept until then.</summary>
    [Theory]
    [InlineData(Form.Stream)]
    [InlineData(Form.Reader)]
    [InlineData(Form.Hoarder)]
    [InlineData(Form.File)]
    public async Task Checksum_ArrivesLast_IsCompared(Form form)
    {
        foreach (ChecksumAlgorithm algorithm in new[] { ChecksumAlgorithm.Sha256, ChecksumAlgorithm.Md5, ChecksumAlgorithm.Crc64Nvme })
        {
            byte[] content = Sample.Bytes((5 * Range) + 1);
            S3.Objects[FakeS3.Key] = Whole(content, algorithm);
            Gate gate = new();
            S3.Before = (call, token) => call.Operation == S3Call.Attributes ? gate.PassAsync(token) : Task.CompletedTask;
            long read = 0;
            long before = S3.BytesRead;
            Task<ChecksumVerdict> download = DownloadAsync(NewClient(), form, content, bytes => Volatile.Write(ref read, bytes));
            await gate.Reached;

            // A reader gets the last chunk, one byte here, only after the comparison.
            await Deadline.Until(() => S3.BytesRead - before == content.Length && (form == Form.File || Volatile.Read(ref read) == content.Length - 1));

            gate.Open();

            Assert.EachEqual((true, algorithm), ((await download.Within()).IsVerified, algorithm));
        }
    }

    /// <summary>Data that is kept until the checksum arrives fills all memory. The reader waits, and then continues by itself.</summary>
    [Theory]
    [InlineData(Form.Stream, false)]
    [InlineData(Form.Reader, false)]
    [InlineData(Form.Stream, true)]
    [InlineData(Form.Reader, true)]
    public async Task Checksum_ArrivesWhenMemoryIsUsedUp_ReadContinues(Form form, bool ignoresRanges)
    {
        byte[] content = Sample.Bytes(2 * MiB);
        S3.Objects[FakeS3.Key] = Whole(content, ChecksumAlgorithm.Sha1);
        S3.IgnoresRanges = ignoresRanges;
        S3.Answer = (_, response) => (response.ChecksumSHA1, response.ChecksumType) = (null, null); // not even with the whole object, as in MinIO
        Gate gate = new();
        S3.Before = (call, token) => call.Operation == S3Call.Attributes ? gate.PassAsync(token) : Task.CompletedTask;
        long read = 0;
        TransferClient client = NewClient(o => o.MemoryBytes = MiB);
        Task<ChecksumVerdict> download = DownloadAsync(client, form, content, bytes => Volatile.Write(ref read, bytes));
        await gate.Reached;
        await Deadline.Until(() => Volatile.Read(ref read) > 0 && client.RentedBytes > 0);
        Assert.False(download.IsCompleted);

        gate.Open();

        Assert.True((await download.Within()).IsVerified);
        Assert.True(client.PeakRentedBytes <= MiB);
    }

    [Theory]
    [InlineData(Form.Reader)]
    [InlineData(Form.Stream)]
    public async Task Dispose_ChunksAreKept_ReturnsThem(Form form)
    {
        S3.Objects[FakeS3.Key] = Whole(Sample.Bytes(5 * Range), ChecksumAlgorithm.Sha1);
        Gate gate = new();
        S3.Before = (call, token) => call.Operation == S3Call.Attributes ? gate.PassAsync(token) : Task.CompletedTask;
        TransferClient client = NewClient();
        ObjectReadStream stream = await client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
        if (form == Form.Stream)
        {
            await stream.ReadExactlyAsync(new byte[3 * Range]).Within();
        }
        else
        {
            ReadResult result = await stream.Reader.ReadAtLeastAsync(3 * Range).Within();
            stream.Reader.AdvanceTo(result.Buffer.GetPosition(2 * Range), result.Buffer.End);
        }

        await stream.DisposeAsync().Within();

        Assert.Equal(0, client.RentedBytes);
    }

    [Fact]
    public async Task FullObjectCrc_NoFurtherRequest()
    {
        byte[] content = Sample.Bytes(3 * Range);
        S3.Objects[FakeS3.Key] = FakeObject.Checked(content) with { ETag = NoMd5 };

        await DownloadAsync(NewClient(), Form.File, content);

        Assert.EachEqual((3, 1, 4), (S3.GetCount(S3Call.Get), S3.GetCount(S3Call.Attributes), S3.Calls.Count));
    }

    [Fact]
    public async Task Parts_AreListedInPages()
    {
        byte[] content = Sample.Bytes(MiB);
        S3.Objects[FakeS3.Key] = InParts(content, ChecksumAlgorithm.Crc32C, [.. Enumerable.Repeat(Range, 16)]) with { PartsInPage = 5 };

        Assert.True((await DownloadAsync(NewClient(), Form.File, content)).IsVerified);

        Assert.EachEqual((1 + 4, 0), (S3.GetCount(S3Call.Attributes), S3.GetCount(S3Call.Head)));
    }

    /// <summary>A store that doesn't list parts returns the length of the first one. The lengths derived from it can be right or wrong.</summary>
    [Theory]
    [InlineData(Form.File, false, false)]
    [InlineData(Form.File, false, true)]
    [InlineData(Form.File, true, false)]
    [InlineData(Form.File, true, true)]
    [InlineData(Form.Stream, true, false)]
    public async Task Parts_NotListed_AreAssumedToBeAsLongAsTheFirst(Form form, bool isUnequal, bool isDamaged)
    {
        byte[] content = Sample.Bytes(2 * MiB);
        int[] parts = isUnequal ? [800_000, 700_000, (2 * MiB) - 1_500_000] : [800_000, 800_000, (2 * MiB) - 1_600_000];
        FakeObject stored = InParts(content, ChecksumAlgorithm.Sha256, parts) with { PartsInPage = null };
        byte[] served = isDamaged ? Flipped(content, 1_000_000) : content;
        S3.Objects[FakeS3.Key] = stored with { Content = served };
        Task<ChecksumVerdict> download = DownloadAsync(NewClient(), form, served);

        if (isDamaged)
        {
            await Assert.ThrowsAsync<ChecksumMismatchException>(() => download.Within());
            Assert.Equal(1 + 3, S3.GetCount(S3Call.Head)); // the assumed lengths were checked before a mismatch was reported
            Assert.Empty(Folder.Files);
            return;
        }

        // A file can be compared again with the actual parts, but a stream has already been read.
        ChecksumVerdict verdict = await download.Within();
        Assert.EachEqual((!isUnequal || form == Form.File, stored.Checksum!.Value), (verdict.IsVerified, verdict.Value));
    }

    /// <summary>If the bytes don't match an assumption, the assumption is more likely wrong than the bytes.</summary>
    [Theory]
    [InlineData(Form.File, HttpStatusCode.Forbidden)]
    [InlineData(Form.File, HttpStatusCode.InternalServerError)]
    [InlineData(Form.Stream, HttpStatusCode.Forbidden)]
    [InlineData(Form.Reader, HttpStatusCode.InternalServerError)]
    public async Task Parts_CannotBeRequested_MismatchSaysSo(Form form, HttpStatusCode status)
    {
        byte[] content = Sample.Bytes(2 * MiB);
        FakeObject stored = InParts(content, ChecksumAlgorithm.Sha256, 800_000, 800_000, (2 * MiB) - 1_600_000) with { PartsInPage = null };
        S3.Objects[FakeS3.Key] = stored with { Content = Flipped(content, 1_000_000) };
        S3.Before = (call, _) => call is { Operation: S3Call.Head, Part: >= 2 } ? throw FakeS3.Error(status, "no") : Task.CompletedTask;

        ChecksumMismatchException error = await Assert.ThrowsAsync<ChecksumMismatchException>(() => DownloadAsync(NewClient(o => o.MaxAttempts = 1), form, Flipped(content, 1_000_000)));

        Assert.Equal(stored.Checksum!.Value, error.Expected);
        Assert.Contains("could not be determined", error.Message, StringComparison.Ordinal);
        Assert.Empty(Folder.Files);
    }

    /// <summary>A missing permission can apply to an object, a prefix, or a bucket.</summary>
    [Theory]
    [InlineData(HttpStatusCode.Forbidden, "AccessDenied")]
    [InlineData(HttpStatusCode.BadRequest, "InvalidRequest")]
    public async Task Attributes_DeniedForOneObject_OthersAreVerified(HttpStatusCode status, string code)
    {
        byte[] content = Sample.Bytes(3 * Range);
        S3.Objects["a"] = FakeObject.Checked(content) with { ETag = NoMd5 };
        S3.Objects["b"] = S3.Objects["a"];
        S3.Before = (call, _) => call is { Operation: S3Call.Attributes, Key: "a" } ? throw FakeS3.Error(status, code) : Task.CompletedTask;
        TransferClient client = NewClient();
        DownloadOptions options = new() { Hint = new ObjectHint { Length = content.Length, ETag = NoMd5 } };

        ChecksumVerdict refused = (await client.DownloadAsync(FakeS3.Bucket, "a", Stream.Null, options).Within()).Verdict;
        ChecksumVerdict verdict = (await client.DownloadAsync(FakeS3.Bucket, "b", Stream.Null, options).Within()).Verdict;

        Assert.EachEqual((false, true), (refused.IsVerified, verdict.IsVerified));
        Assert.Contains(code, refused.Reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(HttpStatusCode.NotImplemented, "NotImplemented")]
    [InlineData(HttpStatusCode.MethodNotAllowed, "MethodNotAllowed")]
    public async Task Attributes_NotImplemented_ReasonSaysSoAndTheStoreIsAskedAgainLater(HttpStatusCode status, string code)
    {
        byte[] content = Sample.Bytes(3 * Range);
        S3.Objects["a"] = FakeObject.Checked(content) with { ETag = NoMd5 };
        bool isUpgraded = false;
        S3.Before = (call, _) => call.Operation == S3Call.Attributes && !isUpgraded ? throw FakeS3.Error(status, code) : Task.CompletedTask;
        TransferClient client = NewClient();
        DownloadOptions options = new() { Hint = new ObjectHint { Length = content.Length, ETag = NoMd5 } };
        for (int i = 0; i < 3; i++)
        {
            ChecksumVerdict verdict = (await client.DownloadAsync(FakeS3.Bucket, "a", Stream.Null, options).Within()).Verdict;
            Assert.False(verdict.IsVerified);
            Assert.Contains(code, verdict.Reason, StringComparison.Ordinal);
            Assert.Equal(i > 0, verdict.Reason!.Contains("was not asked", StringComparison.Ordinal));
        }

        Assert.Equal(1, S3.GetCount(S3Call.Attributes));
        isUpgraded = true;
        Time.Advance(StoreProfile.MemoryTime);

        Assert.True((await client.DownloadAsync(FakeS3.Bucket, "a", Stream.Null, options).Within()).Verdict.IsVerified);
    }

    /// <summary>An object of one request queries the lengths of its parts only after that request has released its slot.</summary>
    [Fact]
    public async Task SmallFileInParts_WithOneSlot_IsVerified()
    {
        byte[] content = Sample.Bytes(100_000);
        S3.Objects[FakeS3.Key] = InParts(content, ChecksumAlgorithm.Crc32C, 60_000, 40_000);

        ChecksumVerdict verdict = await DownloadAsync(NewClient(o => (o.MaxConcurrency, o.DownloadPartSizeBytes) = (1, MiB)), Form.SmallFile, content);

        Assert.True(verdict.IsVerified);
    }

    [Fact]
    public async Task Parts_StoreReturnsNoLengths_VerdictSaysWhy()
    {
        byte[] content = Sample.Bytes(2 * Range);
        S3.Objects[FakeS3.Key] = InParts(content, ChecksumAlgorithm.Crc32C, [Range, Range]) with { PartsInPage = null, TellsRanges = false };

        ChecksumVerdict verdict = await DownloadAsync(NewClient(), Form.Reader, content);

        Assert.False(verdict.IsVerified);
        Assert.Contains("does not return the lengths of the parts", verdict.Reason, StringComparison.Ordinal);
        Assert.Contains("crc32c", verdict.Reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(3)]
    [InlineData(null)]
    public async Task Parts_WithAHint_NoHeadIsSent(int? partsInPage)
    {
        byte[] content = Sample.Bytes(3 * Range);
        FakeObject stored = InParts(content, ChecksumAlgorithm.Sha256, [Range, Range, Range]) with { PartsInPage = partsInPage };
        S3.Objects[FakeS3.Key] = stored;

        DownloadResult result = await NewClient().DownloadAsync(
            FakeS3.Bucket, FakeS3.Key, Stream.Null, new DownloadOptions { Hint = new ObjectHint { Length = content.Length, ETag = stored.ETag } }).Within();

        Assert.EachEqual((partsInPage is not null, 0), (result.Verdict.IsVerified, S3.GetCount(S3Call.Head)));
    }

    [Fact]
    public async Task LooksUpParts_False_OnlyTheChecksumIsRequested()
    {
        byte[] content = Sample.Bytes(3 * Range);
        S3.Objects[FakeS3.Key] = InParts(content, ChecksumAlgorithm.Sha256, [Range, Range, Range]);

        ChecksumVerdict verdict = await DownloadWithoutPartsAsync();

        Assert.EachEqual((false, 1, 0), (verdict.IsVerified, S3.GetCount(S3Call.Attributes), S3.GetCount(S3Call.Head)));
    }

    [Fact]
    public async Task OnePart_NeedsNoRequest()
    {
        byte[] content = Sample.Bytes(3 * Range);
        S3.Objects[FakeS3.Key] = InParts(content, ChecksumAlgorithm.Sha256, [3 * Range]);

        ChecksumVerdict verdict = await DownloadWithoutPartsAsync();

        Assert.EachEqual((true, 1), (verdict.IsVerified, S3.GetCount(S3Call.Attributes)));
    }

    [Theory]
    [InlineData("aws:kms", null, true, "encrypted")]
    [InlineData("aws:kms:dsse", null, true, "encrypted")]
    [InlineData(null, NoMd5, true, "not an MD5")]
    [InlineData(null, "\"opaque\"", true, "not an MD5")]
    [InlineData(null, "W/\"0123456789abcdef0123456789abcdef\"", true, "not an MD5")]
    [InlineData(null, null, false, "MD5 verification is turned off")]
    public async Task ETag_NotAnMd5OrTurnedOff_VerdictSaysWhy(string? encryption, string? etag, bool verifyMd5, string reason)
    {
        byte[] content = Sample.Bytes(3 * Range);
        S3.Objects[FakeS3.Key] = new FakeObject(content, etag ?? Sums.Tag(content)) { Encryption = encryption };

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("target"), new DownloadOptions { VerifyMd5 = verifyMd5 }).Within();

        Assert.False(result.Verdict.IsVerified);
        Assert.Contains("returned no checksum", result.Verdict.Reason, StringComparison.Ordinal);
        Assert.Contains(reason, result.Verdict.Reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("bucket--x-s3", false)]
    [InlineData("bucket", true)]
    public async Task ETag_DirectoryBucketOrCustomerKey_IsNotUsed(string bucket, bool hasKey)
    {
        byte[] content = Sample.Bytes(3 * Range);
        S3.Objects[FakeS3.Key] = new FakeObject(content, Sums.Tag(Sample.Bytes(1)));
        DownloadOptions options = new() { CustomerKey = hasKey ? new CustomerKey(new byte[CustomerKey.LengthBytes]) : null };

        DownloadResult result = await NewClient().DownloadAsync(bucket, FakeS3.Key, Stream.Null, options).Within();

        Assert.False(result.Verdict.IsVerified);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ETag_StoreReturnsNoChecksum_IsUsed(bool hasHint)
    {
        byte[] content = Sample.Bytes(3 * Range);
        S3.Objects[FakeS3.Key] = new FakeObject(content, Sums.Tag(content));
        S3.Before = (call, _) => call.Operation is S3Call.Attributes or S3Call.Head ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;
        DownloadOptions options = new() { Hint = hasHint ? new ObjectHint { Length = content.Length } : null };

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Stream.Null, options).Within();

        Assert.EachEqual((true, ChecksumAlgorithm.Md5), (result.Verdict.IsVerified, result.Verdict.Algorithm));
        Assert.Equal(hasHint ? 0 : 1, S3.GetCount(S3Call.Head));
    }

    [Fact]
    public async Task Range_IsUnverifiedWithoutARequest()
    {
        byte[] content = Sample.Bytes(3 * Range);
        S3.Objects[FakeS3.Key] = new FakeObject(content, Sums.Tag(content));

        DownloadResult result = await NewClient().DownloadAsync(
            FakeS3.Bucket, FakeS3.Key, Folder.File("target"), new DownloadOptions { Range = ObjectRange.From(1, 2 * Range) }).Within();

        Assert.False(result.Verdict.IsVerified);
        Assert.Contains("were requested", result.Verdict.Reason, StringComparison.Ordinal);
        Assert.Equal(S3.GetCount(S3Call.Get), S3.Calls.Count);
    }

    /// <summary>The file is read again while it is verified. A canceled download waits for that read, and leaves nothing behind.</summary>
    [Fact]
    public async Task Canceled_BeforeTheFirstRangeArrives_TheDigestEnds()
    {
        byte[] content = Sample.Bytes(5 * Range);
        S3.Objects[FakeS3.Key] = Whole(content, ChecksumAlgorithm.Sha256);
        Gate gate = new();
        S3.Body = (call, bytes) => new ScriptedStream(bytes) { Cue = call.First == 0 ? gate.PassAsync : null };
        using CancellationTokenSource cancel = new();
        Task<DownloadResult> download = NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("target"), new DownloadOptions { Resume = false }, cancellationToken: cancel.Token);
        await Deadline.Until(() => S3.GetCount(S3Call.Get) == 5 && S3.GetCount(S3Call.Attributes) == 1);

        await cancel.CancelAsync();

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => download.Within());
        Assert.Equal(cancel.Token, error.CancellationToken);
        Assert.Empty(Folder.Files);
    }

    /// <summary>Amazon S3 can send the composite checksum with a range, without anything that distinguishes it from a full-object one.</summary>
    [Theory]
    [InlineData(Form.Stream)]
    [InlineData(Form.Reader)]
    [InlineData(Form.File)]
    public async Task ChecksumWithARange_IsCompositeWithoutSayingSo_VerdictSaysWhy(Form form)
    {
        byte[] content = Sample.Bytes(Range - 1);
        FakeObject stored = InParts(content, ChecksumAlgorithm.Crc32C, 40_000, Range - 1 - 40_000);
        string value = stored.Checksum!.Value;
        S3.Objects[FakeS3.Key] = stored;
        S3.Answer = (_, response) => response.ChecksumCRC32C = value[..value.IndexOf('-', StringComparison.Ordinal)];

        ChecksumVerdict verdict = await DownloadAsync(NewClient(), form, content);

        // A file can be compared again, but a stream has already been read.
        Assert.EachEqual((form == Form.File, value), (verdict.IsVerified, verdict.Value));
        Assert.Equal(form != Form.File, verdict.Reason?.Contains("with a range", StringComparison.Ordinal) ?? false);
        Assert.Equal(1, S3.GetCount(S3Call.Head));
    }

    /// <summary>Amazon S3 sends the checksum of a part with a range that is exactly that part.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ChecksumWithARange_IsThatOfThePart_ObjectChecksumIsCompared(bool isDamaged)
    {
        byte[] content = Sample.Bytes(Range - 1);
        FakeObject stored = InParts(content, ChecksumAlgorithm.Crc32C, Range - 1);
        byte[] served = isDamaged ? Flipped(content, 1000) : content;
        S3.Objects[FakeS3.Key] = stored with { Content = served };
        S3.Answer = (_, response) => (response.ChecksumCRC32C, response.ChecksumType) = (Sums.Full(ChecksumAlgorithm.Crc32C, content).Value, Amazon.S3.ChecksumType.COMPOSITE);
        Task<ChecksumVerdict> download = DownloadAsync(NewClient(), Form.File, served);

        if (isDamaged)
        {
            await Assert.ThrowsAsync<ChecksumMismatchException>(() => download.Within());
            return;
        }

        ChecksumVerdict verdict = await download.Within();
        Assert.EachEqual((true, stored.Checksum!.Value), (verdict.IsVerified, verdict.Value));
    }

    [Theory]
    [InlineData(null)]
    [InlineData(HttpStatusCode.Forbidden)]
    [InlineData(HttpStatusCode.InternalServerError)]
    public async Task ChecksumWithARange_IsConfirmedOrNotContradicted_IsAMismatch(HttpStatusCode? failure)
    {
        byte[] content = Sample.Bytes(Range - 1);
        FakeObject stored = Whole(content, ChecksumAlgorithm.Crc32C);
        S3.Objects[FakeS3.Key] = stored with { Content = Flipped(content, 1000) };
        S3.Answer = (_, response) => response.ChecksumCRC32C = stored.Checksum!.Value;
        S3.Before = (call, _) => call.Operation == S3Call.Head && failure is { } status ? throw FakeS3.Error(status, "no") : Task.CompletedTask;

        ChecksumMismatchException error = await Assert.ThrowsAsync<ChecksumMismatchException>(() => DownloadAsync(NewClient(o => o.MaxAttempts = 1), Form.File, content));

        Assert.EachEqual((stored.Checksum!.Value, 1), (error.Expected, S3.GetCount(S3Call.Head)));
        Assert.Empty(Folder.Files);
    }

    [Theory]
    [InlineData("IeWCXQ==", "verified (crc32c IeWCXQ==)")]
    [InlineData("IeWCXQ==-2", "verified (composite crc32c IeWCXQ==-2)")]
    public void Text_NamesACompositeChecksum(string value, string text) => Assert.Equal(text, ChecksumVerdict.Verified(ChecksumAlgorithm.Crc32C, value).ToString());

    private static FakeObject Whole(byte[] content, ChecksumAlgorithm algorithm)
        => algorithm == ChecksumAlgorithm.Md5 ? new FakeObject(content, Sums.Tag(content)) : new FakeObject(content) { Checksum = Sums.Full(algorithm, content) };

    private static FakeObject InParts(byte[] content, ChecksumAlgorithm algorithm, params int[] parts)
        => new(content, Sums.Tag(content, parts)) { Checksum = Sums.Composite(algorithm, content, parts), Parts = parts, PartsInPage = 1000 };

    private static byte[] Flipped(byte[] content, int at)
    {
        byte[] flipped = [.. content];
        flipped[at] ^= 1;
        return flipped;
    }

    /// <summary>Downloads and compares the content.</summary>
    private async Task<ChecksumVerdict> DownloadAsync(TransferClient client, Form form, byte[] content, Action<long>? read = null)
    {
        if (form is Form.File or Form.SmallFile)
        {
            DownloadOptions options = new()
            {
                PartSizeBytes = form == Form.SmallFile ? MiB : null,
                Hint = form == Form.SmallFile ? new ObjectHint { Length = content.Length } : null,
            };
            string path = Folder.File("target");
            DownloadResult result = await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, path, options).Within();
            Assert.Equal(content, await File.ReadAllBytesAsync(path));
            File.Delete(path);
            return result.Verdict;
        }

        await using ObjectReadStream stream = await client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
        byte[] bytes = new byte[content.Length];
        if (form == Form.Stream)
        {
            for (int count, at = 0; (count = await stream.ReadAsync(at < bytes.Length ? bytes.AsMemory(at, Math.Min(1000, bytes.Length - at)) : new byte[1]).Within()) > 0;)
            {
                at += count;
                read?.Invoke(at);
            }
        }
        else
        {
            await ReadAsync(stream.Reader, bytes, form == Form.Hoarder, read);
        }

        Assert.Equal(content, bytes);
        return stream.Verdict!;
    }

    /// <summary>Consumes all data as it arrives, or leaves it in the reader until the end.</summary>
    /// <summary>Reads the object without requests for the lengths of its parts, as the adapter for the AWS SDK does.</summary>
    private async Task<ChecksumVerdict> DownloadWithoutPartsAsync()
    {
        TransferClient client = NewClient();
        DownloadOptions options = new();
        DownloadRequest request = client.Check(FakeS3.Bucket, FakeS3.Key, options, CancellationToken.None) with { LooksUpParts = false };
        await using ObjectReadStream stream = await client.OpenReadAsync(request, options, CancellationToken.None).Within();
        await stream.CopyToAsync(Stream.Null).Within();
        return stream.Verdict!;
    }

    private static async Task ReadAsync(PipeReader reader, byte[] bytes, bool hoards, Action<long>? read)
    {
        long consumed = 0;
        while (true)
        {
            ReadResult result = await reader.ReadAsync().Within();
            ReadOnlySequence<byte> buffer = result.Buffer;
            buffer.CopyTo(bytes.AsSpan((int)consumed));
            read?.Invoke(consumed + buffer.Length);
            if (!hoards || result.IsCompleted)
            {
                consumed += buffer.Length;
                reader.AdvanceTo(buffer.End);
            }
            else
            {
                reader.AdvanceTo(buffer.Start, buffer.End);
            }

            if (result.IsCompleted)
            {
                Assert.Equal(bytes.Length, consumed);
                return;
            }
        }
    }
}
