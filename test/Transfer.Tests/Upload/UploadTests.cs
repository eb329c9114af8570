using System.Buffers;
using System.IO.Pipelines;
using System.Net;
using Amazon.S3.Model;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Integrity;

namespace Transfer.S3.Tests.Upload;

public sealed class UploadTests : TransferTest
{
    private const int MiB = 1024 * 1024;
    private const int Part = 5 * 1024 * 1024;

    public static TheoryData<UploadForm, int> FormsAndSizes => Matrix.Of(Enum.GetValues<UploadForm>(), [0, 1, 4097, Part - 1, Part, Part + 1, (3 * Part) + 1]);

    [Theory]
    [MemberData(nameof(FormsAndSizes))]
    public async Task UploadAsync_AnySourceAnySize_PublishesAndVerifies(UploadForm form, int size)
    {
        byte[] content = Sample.Bytes(size);

        UploadResult result = await form.RunAsync(NewClient(), content, Folder).Within();

        Assert.Equal(content, S3.Published());
        Assert.True(result.Verdict.IsVerified);
        Assert.Equal(CrcOf.Crc64Nvme(content), result.Verdict.Value);
        int parts = size < Part ? 0 : (size + Part - 1) / Part;
        Assert.EachEqual((size, parts, 0), (result.Statistics.BytesTransferred, result.Parts, result.Statistics.Retries));
        Assert.EachEqual((parts == 0 ? 1 : 0, parts), (S3.GetCount(S3Call.Put), S3.GetCount(S3Call.UploadPart)));
        Assert.False(S3.HasOpenUpload);
    }

    [Fact]
    public async Task UploadAsync_Multipart_SendsChecksumsOfPartsAndObject()
    {
        byte[] content = Sample.Bytes((2 * Part) + 1);

        await UploadForm.Seekable.RunAsync(NewClient(), content, Folder).Within();

        foreach (S3Call call in S3.Calls.Where(call => call.Operation == S3Call.UploadPart))
        {
            Assert.Equal(CrcOf.Crc64Nvme(S3.Parts[call.Part!.Value]), ((UploadPartRequest)call.Request!).ChecksumCRC64NVME);
        }

        CompleteMultipartUploadRequest complete = (CompleteMultipartUploadRequest)S3.Calls.Single(call => call.Operation == S3Call.Complete).Request!;
        Assert.Equal(CrcOf.Crc64Nvme(content), complete.ChecksumCRC64NVME);
        Assert.Equal([1, 2, 3], complete.PartETags.Select(part => part.PartNumber!.Value));
        Assert.Equal(["\"part-1\"", "\"part-2\"", "\"part-3\""], complete.PartETags.Select(part => part.ETag));
    }

    [Fact]
    public async Task UploadAsync_Stream_IsReadFromItsPositionAndNotDisposed()
    {
        byte[] content = Sample.Bytes(1000);
        using MemoryStream source = new(content);
        source.Position = 100;

        await NewClient().UploadAsync(source, FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Equal(content[100..], S3.Published());
        Assert.True(source.CanRead);
    }

    [Fact]
    public async Task UploadAsync_PartFailsAndThenSucceeds_IsRetried()
    {
        byte[] content = Sample.Bytes(2 * Part);
        int failures = 2;
        S3.Before = (call, _) => call.Part == 2 && Interlocked.Decrement(ref failures) >= 0 ? throw FakeS3.Busy() : Task.CompletedTask;

        UploadResult result = await UploadForm.Unseekable.RunAsync(NewClient(), content, Folder).Within();

        Assert.Equal(content, S3.Published());
        Assert.Equal(2, result.Statistics.Retries);
        Assert.Equal(content.Length, result.Statistics.BytesTransferred);
    }

    [Fact]
    public async Task UploadAsync_PartFailsEveryAttempt_ErrorNamesItAndTheUploadIsAborted()
    {
        S3.Before = (call, _) => call.Part == 2 ? throw FakeS3.Busy() : Task.CompletedTask;

        TransferException error = await Assert.ThrowsAsync<TransferException>(
            () => UploadForm.File.RunAsync(NewClient(o => o.MaxAttempts = 2), Sample.Bytes(3 * Part), Folder).Within());

        Assert.EachEqual((FakeS3.Bucket, FakeS3.Key, 2, 2), (error.Bucket, error.Key, error.PartNumber, error.Attempts));
        Assert.Null(error.CleanupError);
        Assert.Equal(1, S3.GetCount(S3Call.Abort));
        Assert.Null(S3.Published());
    }

    [Fact]
    public async Task UploadAsync_AbortAlsoFails_IsAddedToTheFirstError()
    {
        S3.Before = (call, _) => call.Part == 2 || call.Operation == S3Call.Abort ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;

        TransferException error = await Assert.ThrowsAsync<TransferException>(
            () => UploadForm.File.RunAsync(NewClient(), Sample.Bytes(3 * Part), Folder).Within());

        Assert.Equal(2, error.PartNumber);
        Assert.Contains(FakeS3.UploadId, error.CleanupError!.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1000)]
    [InlineData(Part + 1000)]
    public async Task UploadAsync_SourceThrows_PublishesAndLeavesNothing(int at)
    {
        IOException cause = new("unplugged");
        ScriptedStream source = new(Sample.Bytes(3 * Part)) { CueAt = at, Cue = ScriptedStream.Throw(cause) };

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => NewClient().UploadAsync(source, FakeS3.Bucket, FakeS3.Key).Within());

        Assert.EachEqual((FakeS3.Bucket, FakeS3.Key), (error.Bucket, error.Key));
        Assert.Same(cause, error.InnerException);
        Assert.Null(S3.Published());
        Assert.False(S3.HasOpenUpload);
        Assert.False(source.IsDisposed);
    }

    [Theory]
    [InlineData(1000, 2000)]
    [InlineData(2000, 1000)]
    [InlineData(2 * Part, (2 * Part) + 5)]
    [InlineData((2 * Part) + 5, 2 * Part)]
    public async Task UploadAsync_StreamDiffersFromItsLength_PublishesNothing(int length, int claimed)
    {
        ScriptedStream source = new(Sample.Bytes(length)) { Seekable = true, ClaimedLength = claimed };

        await Assert.ThrowsAsync<TransferException>(() => NewClient().UploadAsync(source, FakeS3.Bucket, FakeS3.Key).Within());

        Assert.Null(S3.Published());
        Assert.False(S3.HasOpenUpload);
    }

    [Theory]
    [InlineData(Part)]
    [InlineData(4 * Part)]
    public async Task UploadAsync_FileChangesLength_PublishesNothing(int newLength)
    {
        string path = Folder.File("source", Sample.Bytes(3 * Part));
        S3.Before = (call, _) =>
        {
            if (call.Operation == S3Call.Create)
            {
                using FileStream file = new(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
                file.SetLength(newLength);
            }

            return Task.CompletedTask;
        };

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => NewClient().UploadAsync(path, FakeS3.Bucket, FakeS3.Key).Within());

        Assert.Contains("changed", error.Message, StringComparison.Ordinal);
        Assert.Null(S3.Published());
        Assert.False(S3.HasOpenUpload);
    }

    /// <summary>The check for changes follows the last read. In this test, the file changes when all its parts are in flight.</summary>
    [Fact]
    public async Task UploadAsync_FileIsRewrittenWhilePartsAreSent_PublishesNothing()
    {
        string path = Folder.File("source", Sample.Bytes(3 * Part));
        File.SetLastWriteTimeUtc(path, DateTime.UnixEpoch);
        S3.Before = (call, _) =>
        {
            if (call.Part == 1)
            {
                using FileStream file = new(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
                file.Position = (2 * Part) + 100;
                file.WriteByte(1);
            }

            return Task.CompletedTask;
        };

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => NewClient().UploadAsync(path, FakeS3.Bucket, FakeS3.Key).Within());

        Assert.Contains("changed", error.Message, StringComparison.Ordinal);
        Assert.Null(S3.Published());
        Assert.False(S3.HasOpenUpload);
    }

    [Theory]
    [InlineData(1000)]
    [InlineData(Part + 1)]
    public async Task UploadAsync_SourceThrowsAtItsEnd_PublishesNothing(int size)
    {
        IOException cause = new("Stale file handle");
        ScriptedStream source = new(Sample.Bytes(size)) { Seekable = true, CueAt = size, Cue = ScriptedStream.Throw(cause) };

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => NewClient().UploadAsync(source, FakeS3.Bucket, FakeS3.Key).Within());

        Assert.EachEqual((FakeS3.Key, cause), (error.Key, error.InnerException));
        Assert.Null(S3.Published());
        Assert.False(S3.HasOpenUpload);
    }

    [Fact]
    public async Task UploadAsync_FileIsMissing_ThrowsTransferException()
    {
        await Assert.ThrowsAsync<TransferException>(() => NewClient().UploadAsync(Folder.File("absent"), FakeS3.Bucket, FakeS3.Key).Within());

        Assert.Empty(S3.Calls);
    }

    [Theory]
    [InlineData(1000)]
    [InlineData(Part + 1)]
    public async Task UploadAsync_OnlyIfAbsentAndExists_Status412AndTheOldObjectIsKept(int size)
    {
        byte[] old = S3.Put(10);

        TransferException error = await Assert.ThrowsErrorAsync(
            TransferError.PreconditionFailed, () => NewClient().UploadAsync(new MemoryStream(Sample.Bytes(size)), FakeS3.Bucket, FakeS3.Key, new UploadOptions { Overwrite = false }).Within());

        Assert.Equal(HttpStatusCode.PreconditionFailed, error.StatusCode);
        Assert.Equal(old, S3.Published());
        Assert.False(S3.HasOpenUpload);
    }

    [Theory]
    [InlineData(1000)]
    [InlineData(Part + 1)]
    public async Task UploadAsync_StoreReturnsAnotherChecksum_Mismatch(int size)
    {
        S3.ConfirmedChecksum = CrcOf.Crc64Nvme([1, 2, 3]);

        ChecksumMismatchException error = await Assert.ThrowsAsync<ChecksumMismatchException>(
            () => NewClient().UploadAsync(new MemoryStream(Sample.Bytes(size)), FakeS3.Bucket, FakeS3.Key).Within());

        Assert.Equal(S3.ConfirmedChecksum, error.Actual);
        Assert.Equal(0, S3.GetCount(S3Call.Abort)); // the object is published, so there is nothing to abort
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task UploadAsync_ResponseToCompleteIsLost_IsDeterminedFromTheObject(bool replaced)
    {
        byte[] content = Sample.Bytes(Part + 1);
        S3.Before = (call, _) =>
        {
            if (call.Operation == S3Call.Complete)
            {
                // The object was published by this upload or replaced by another client meanwhile, and the upload is gone.
                S3.Objects[FakeS3.Key] = FakeObject.Checked(replaced ? Sample.Bytes(Part + 1, seed: 2) : content);
                throw FakeS3.Error(HttpStatusCode.NotFound, "NoSuchUpload");
            }

            return Task.CompletedTask;
        };
        Task<UploadResult> upload = NewClient().UploadAsync(new MemoryStream(content), FakeS3.Bucket, FakeS3.Key);

        if (replaced)
        {
            Assert.Equal("NoSuchUpload", (await Assert.ThrowsAsync<TransferException>(() => upload.Within())).ErrorCode);
        }
        else
        {
            Assert.True((await upload.Within()).Verdict.IsVerified);
            Assert.Equal(0, S3.GetCount(S3Call.Abort));
        }
    }

    public static TheoryData<UploadForm, int, bool> OldObjects => Matrix.Of([UploadForm.File, UploadForm.Unseekable], [1000, Part + 1], [false, true]);

    /// <summary>The same bytes existed before, and the store did nothing, whether it returned an error or no response.</summary>
    [Theory]
    [MemberData(nameof(OldObjects))]
    public async Task UploadAsync_StoreFailsAndAnOlderObjectHasTheSameBytes_Throws(UploadForm form, int size, bool losesAnswers)
    {
        byte[] content = Sample.Bytes(size);
        Time.Advance(TimeSpan.FromDays(1));
        S3.Objects[FakeS3.Key] = FakeObject.Checked(content) with { LastModified = DateTimeOffset.UnixEpoch };
        S3.Before = (call, _) => call.Operation is S3Call.Put or S3Call.Complete ? throw (losesAnswers ? new IOException("reset") : FakeS3.Busy()) : Task.CompletedTask;

        await Assert.ThrowsAsync<TransferException>(() => form.RunAsync(NewClient(o => o.MaxAttempts = 2), content, Folder).Within());

        Assert.False(S3.HasOpenUpload);
        Assert.Equal(losesAnswers ? 1 : 0, S3.GetCount(S3Call.Head)); // after an error response, it is known that nothing was published
    }

    /// <summary>
    /// Another client has just stored the same bytes with other metadata. They are not those of this upload, whatever their date is.
    /// </summary>
    [Fact]
    public async Task UploadAsync_ResponseIsLostAndMetadataDiffers_Throws()
    {
        byte[] content = Sample.Bytes(1000);
        S3.Objects[FakeS3.Key] = FakeObject.Checked(content) with { LastModified = Time.GetUtcNow(), Metadata = new Dictionary<string, string> { ["a"] = "1" } };
        S3.Before = (call, _) => call.Operation == S3Call.Put ? throw new IOException("reset") : Task.CompletedTask;
        UploadOptions options = new() { Metadata = new Dictionary<string, string> { ["A"] = "2" } };
        TransferClient client = NewClient(o => o.MaxAttempts = 1);

        await Assert.ThrowsAsync<TransferException>(() => client.UploadAsync(new MemoryStream(content), FakeS3.Bucket, FakeS3.Key, options).Within());
        S3.Objects[FakeS3.Key] = S3.Objects[FakeS3.Key] with { Metadata = new Dictionary<string, string> { ["a"] = "2" } };
        Assert.True((await client.UploadAsync(new MemoryStream(content), FakeS3.Bucket, FakeS3.Key, options).Within()).Verdict.IsVerified);
    }

    /// <summary>S3 dates a multipart object by the start of its upload, and other stores by its end.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task UploadAsync_ResponseToCompleteIsLost_UploadIsAborted(bool isDatedAtTheEnd)
    {
        byte[] content = Sample.Bytes(Part + 1);
        DateTimeOffset began = default;
        S3.Before = (call, _) =>
        {
            switch (call.Operation)
            {
                case S3Call.Create:
                    began = Time.GetUtcNow();
                    break;
                case S3Call.UploadPart:
                    Time.Advance(TimeSpan.FromSeconds(10));
                    break;
                case S3Call.Complete:
                    S3.Objects[FakeS3.Key] = FakeObject.Checked(content) with { LastModified = isDatedAtTheEnd ? Time.GetUtcNow() : began };
                    throw new IOException("reset");
            }

            return Task.CompletedTask;
        };

        UploadResult result = await UploadForm.Unseekable.RunAsync(NewClient(o => o.MaxAttempts = 1), content, Folder).Within();

        Assert.True(result.Verdict.IsVerified);
        Assert.EachEqual((1, false), (S3.GetCount(S3Call.Abort), S3.HasOpenUpload)); // the object may be another one with the same content, so the upload may still exist
    }

    [Fact]
    public async Task UploadAsync_LittleMemory_SmallObjectsAreUploaded()
    {
        byte[] content = Sample.Bytes(100_000);

        await NewClient(o => o.MemoryBytes = 1024 * 1024).UploadAsync(new MemoryStream(content), FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Equal(content, S3.Published());
    }

    /// <summary>Parts are held in whole chunks, and a budget need not be a multiple of the chunk size.</summary>
    [Theory]
    [InlineData(5 * MiB, false)]
    [InlineData(6_000_000, false)]
    [InlineData(7_000_000, true)]
    [InlineData(8_000_000, false)]
    [InlineData(8_000_000, true)]
    [InlineData((8 * MiB) - 1, true)]
    public async Task UploadAsync_MemoryIsNotAMultipleOfTheChunkSize_PartsFit(long memory, bool isWritten)
    {
        byte[] content = Sample.Bytes(12 * MiB);
        TransferClient client = NewClient(o => (o.MemoryBytes, o.UploadPartSizeBytes, o.MultipartThresholdBytes, o.Advanced.ChunkSizeBytes) = (memory, null, null, 64 * 1024));

        if (isWritten)
        {
            await using ObjectWriteStream stream = await client.OpenWriteAsync(FakeS3.Bucket, FakeS3.Key).Within();
            await stream.WriteAsync(content).Within();
            await stream.CompleteAsync().Within();
        }
        else
        {
            await client.UploadAsync(new MemoryStream(content), FakeS3.Bucket, FakeS3.Key).Within();
        }

        Assert.Equal(content, S3.Published());
        Assert.InRange(client.PeakRentedBytes, 5 * MiB, memory);
    }

    [Fact]
    public async Task UploadAsync_PartDoesNotFitInWholeChunks_ErrorNamesBothOptions()
    {
        TransferClient client = NewClient(o => (o.MemoryBytes, o.UploadPartSizeBytes, o.Advanced.ChunkSizeBytes) = (6_000_000, null, 64 * 1024));

        ArgumentOutOfRangeException error = await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
            () => client.UploadAsync(new MemoryStream(new byte[10]), FakeS3.Bucket, FakeS3.Key, new UploadOptions { PartSizeBytes = 6_000_000 }).Within());

        Assert.Contains(nameof(UploadOptions.PartSizeBytes), error.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(TransferClientOptions.MemoryBytes), error.Message, StringComparison.Ordinal);
        await client.UploadAsync(new MemoryStream(new byte[10]), FakeS3.Bucket, FakeS3.Key, new UploadOptions { PartSizeBytes = 91 * 64 * 1024 }).Within();
    }

    [Fact]
    public async Task UploadAsync_PartsWait_AtMostTheLimitIsInFlight()
    {
        byte[] content = Sample.Bytes(6 * Part);
        Gate gate = new();
        S3.Before = (call, token) => call.Operation == S3Call.UploadPart ? gate.PassAsync(token) : Task.CompletedTask;
        TransferClient client = NewClient();
        Task<UploadResult> uploading = client.UploadAsync(
            new ScriptedStream(content), FakeS3.Bucket, FakeS3.Key, new UploadOptions { MaxConcurrency = 2 });

        await Deadline.Until(() => S3.GetCount(S3Call.UploadPart) == 2);

        Assert.InRange(client.RentedBytes, 1, 2 * (Part + 4096));
        gate.Open();
        await uploading.Within();
        Assert.Equal(content, S3.Published());
    }

    [Fact]
    public async Task UploadAsync_OptionsOfTheObject_AreSent()
    {
        UploadOptions options = new() { ContentType = "text/plain", Metadata = new Dictionary<string, string> { ["who"] = "me" } };

        await NewClient().UploadAsync(new ReadOnlySequence<byte>(new byte[10]), FakeS3.Bucket, FakeS3.Key, options).Within();

        PutObjectRequest put = (PutObjectRequest)S3.Calls.Single().Request!;
        Assert.EachEqual(("text/plain", "me"), (put.ContentType, put.Metadata["who"]));
    }

    [Fact]
    public async Task UploadAsync_PipeReadCanceledByItsOwner_Throws()
    {
        Pipe pipe = new();
        Task<UploadResult> uploading = NewClient().UploadAsync(pipe.Reader, FakeS3.Bucket, FakeS3.Key);

        pipe.Reader.CancelPendingRead();

        await Assert.ThrowsAsync<TransferException>(() => uploading.Within());
        Assert.Empty(S3.Calls);
    }

    [Fact]
    public async Task UploadAsync_MorePartsThanTheStoreAccepts_ErrorSaysSo()
    {
        TransferClient client = NewClient(o => (o.Advanced.MaxUploadParts, o.Advanced.EqualUploadParts) = (2, true));
        Assert.Equal(2, (await client.UploadAsync(new ScriptedStream(Sample.Bytes(2 * Part)), FakeS3.Bucket, FakeS3.Key).Within()).Parts);

        TransferException error = await Assert.ThrowsAsync<TransferException>(
            () => client.UploadAsync(new ScriptedStream(Sample.Bytes((2 * Part) + 1)), FakeS3.Bucket, FakeS3.Key).Within());

        Assert.Contains("did not end within 2 parts, 10 MiB", error.Message, StringComparison.Ordinal);
        Assert.False(S3.HasOpenUpload);
    }

    [Fact]
    public async Task UploadAsync_FewPartsAllowed_KnownLengthHasLargerParts()
    {
        byte[] content = Sample.Bytes((3 * Part) + 1);

        UploadResult result = await NewClient(o => o.Advanced.MaxUploadParts = 2).UploadAsync(new MemoryStream(content), FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Equal(2, result.Parts);
        Assert.Equal(content, S3.Published());
    }

    [Fact]
    public async Task UploadAsync_LargerThanTheLargestObject_ThrowsBeforeAnyRequest()
    {
        TransferException error = await Assert.ThrowsAsync<TransferException>(
            () => NewClient().UploadAsync(new VastStream(60_000_000_000_000), FakeS3.Bucket, FakeS3.Key).Within());

        Assert.Contains("48.8 TiB", error.Message, StringComparison.Ordinal);
        Assert.Empty(S3.Calls);
    }

    /// <summary>A seekable stream that reports a length and is never read.</summary>
    private sealed class VastStream(long length) : MemoryStream
    {
        public override long Length => length;
    }
}
