using System.Buffers;
using System.IO.Pipelines;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Upload;

/// <summary>Uploads of an object that is read from a store. Its length is known, although its stream can't seek.</summary>
public sealed class StreamSourceTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;
    private const string Source = "source";

    /// <summary>The lengths of a source, and whether it is a pipe instead of a stream.</summary>
    public static TheoryData<int, bool> Lengths => new() { { 0, false }, { 0, true }, { 1000, false }, { 1000, true }, { (2 * Part) + 1, false }, { (2 * Part) + 1, true } };

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1000, 0)]
    [InlineData(3 * Part, 7)]
    public async Task ObjectReadStream_LengthIsKnown(int size, int read)
    {
        byte[] content = S3.Put(Source, size);
        TransferClient client = NewClient(o => (o.Advanced.MaxUploadParts, o.Advanced.EqualUploadParts) = (2, true)); // parts of the default size would be too small
        await using ObjectReadStream source = await client.OpenReadAsync(FakeS3.Bucket, Source);
        await source.ReadExactlyAsync(new byte[read]).AsTask().Within();

        UploadResult result = await client.UploadAsync(source, FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Equal(content[read..], S3.Published());
        Assert.Equal(size < Part ? 0 : 2, result.Parts);
        Assert.True(source.Verdict!.IsVerified);
    }

    /// <summary>The copied content is compared with its checksum before the object is published.</summary>
    [Theory]
    [InlineData(1000)]
    [InlineData((2 * Part) + 1)]
    public async Task ObjectReadStream_ContentDiffers_NothingIsPublished(int size)
    {
        S3.Objects[Source] = FakeObject.Checked(Sample.Bytes(size, seed: 2)) with { Content = Sample.Bytes(size) };
        TransferClient client = NewClient();
        await using ObjectReadStream source = await client.OpenReadAsync(FakeS3.Bucket, Source);

        await Assert.ThrowsAsync<ChecksumMismatchException>(() => client.UploadAsync(source, FakeS3.Bucket, FakeS3.Key).Within());

        Assert.Null(S3.Published());
        Assert.False(S3.HasOpenUpload);
    }

    /// <summary>The caller knows the length of a stream that can't seek, or of a pipe.</summary>
    [Theory]
    [MemberData(nameof(Lengths))]
    public async Task LengthIsGiven_PartsAndTotalAreKnown(int size, bool isPipe)
    {
        byte[] content = Sample.Bytes(size);
        TransferClient client = NewClient(o => (o.Advanced.MaxUploadParts, o.Advanced.EqualUploadParts) = (2, true));
        List<TransferProgress> reports = [];

        UploadResult result = await UploadAsync(client, content, isPipe, new UploadOptions { Length = size }, new RecordedProgress(reports)).Within();

        Assert.Equal(content, S3.Published());
        Assert.Equal(size < Part ? 0 : 2, result.Parts);
        Assert.Equal(size, Assert.Single(reports.Select(report => report.TotalBytes).Distinct()));
    }

    /// <summary>The source doesn't have the length that the caller gave, so nothing is published.</summary>
    [Theory]
    [MemberData(nameof(Lengths))]
    public async Task GivenLengthIsWrong_NothingIsPublished(int size, bool isPipe)
    {
        byte[] content = Sample.Bytes(size);
        TransferClient client = NewClient();

        TransferException tooShort = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(client, content, isPipe, new UploadOptions { Length = size + 1 }).Within());
        Assert.Contains($"The source ended after {size} bytes, but {size + 1} were expected", tooShort.Message, StringComparison.Ordinal);

        if (size > 0)
        {
            TransferException tooLong = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(client, content, isPipe, new UploadOptions { Length = size - 1 }).Within());
            Assert.Contains($"The source has more than the {size - 1} bytes that were expected", tooLong.Message, StringComparison.Ordinal);
        }

        Assert.Null(S3.Published());
        Assert.False(S3.HasOpenUpload);
    }

    [Fact]
    public async Task GivenLengthIsNotThatOfTheSource_IsAnError()
    {
        TransferClient client = NewClient();
        UploadOptions options = new() { Length = 5 };
        Func<Task>[] uploads =
        [
            () => client.UploadAsync(new ReadOnlySequence<byte>(new byte[4]), FakeS3.Bucket, FakeS3.Key, options),
            () => client.UploadAsync(new MemoryStream(new byte[4]), FakeS3.Bucket, FakeS3.Key, options),
            () => client.UploadAsync(Folder.File("file", new byte[4]), FakeS3.Bucket, FakeS3.Key, options),
        ];

        foreach (Func<Task> upload in uploads)
        {
            TransferException e = await Assert.ThrowsAsync<TransferException>(() => upload().Within());
            Assert.Contains("The source has 4 bytes, but UploadOptions.Length is 5.", e.Message, StringComparison.Ordinal);
        }

        ArgumentException write = await Assert.ThrowsAsync<ArgumentException>(() => client.OpenWriteAsync(FakeS3.Bucket, FakeS3.Key, options).Within());
        Assert.StartsWith("Length is 5; it is for sources that are read.", write.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<ArgumentException>(() => client.UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, "p", new DirectoryOptions { Upload = options }).Within());
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => client.UploadAsync(Stream.Null, FakeS3.Bucket, FakeS3.Key, new UploadOptions { Length = -1 }).Within());
        Assert.Null(S3.Published());
    }

    private static Task<UploadResult> UploadAsync(TransferClient client, byte[] content, bool isPipe, UploadOptions options, IProgress<TransferProgress>? progress = null)
        => isPipe
            ? client.UploadAsync(PipeReader.Create(new ReadOnlySequence<byte>(content)), FakeS3.Bucket, FakeS3.Key, options, progress)
            : client.UploadAsync(new ScriptedStream(content), FakeS3.Bucket, FakeS3.Key, options, progress);

    /// <summary>The parts need most of the memory, which the source holds for its read-ahead.</summary>
    [Theory]
    [InlineData(16_777_216, 25_165_824)]
    [InlineData(16_777_216, 31_000_000)]
    [InlineData(20_000_001, 30_000_000)]
    public async Task ObjectReadStream_LargeParts_GetTheMemory(int memory, int size)
    {
        byte[] content = S3.Put(Source, size);
        TransferClient client = NewClient(o => (o.Advanced.MaxUploadParts, o.MemoryBytes, o.UploadPartSizeBytes) = (2, memory, Part));
        await using ObjectReadStream source = await client.OpenReadAsync(FakeS3.Bucket, Source);

        Assert.Equal(2, (await client.UploadAsync(source, FakeS3.Bucket, FakeS3.Key).Within()).Parts);

        Assert.Equal(content, S3.Published());
    }

    /// <summary>The last parts of an unknown length use half of the memory, which need not be a multiple of the chunk size.</summary>
    [Theory]
    [InlineData(20_000_001)]
    [InlineData(20_971_520)]
    public async Task UnknownLength_LateParts_GetTheMemory(int memory)
    {
        byte[] content = Sample.Bytes(30_000_000);
        TransferClient client = NewClient(o => (o.Advanced.MaxUploadParts, o.MemoryBytes, o.UploadPartSizeBytes) = (4, memory, Part));

        UploadResult result = await client.UploadAsync(new ScriptedStream(content), FakeS3.Bucket, FakeS3.Key).Within();

        Assert.EachEqual((4, content.Length), (result.Parts, S3.Published()!.Length));
    }

    /// <summary>The stream doesn't count bytes that were read through the pipe, so its length can't be used.</summary>
    [Fact]
    public async Task ObjectReadStream_ItsPipeWasUsed_IsReadToItsEnd()
    {
        byte[] content = S3.Put(Source, 200_000);
        TransferClient client = NewClient();
        await using ObjectReadStream source = await client.OpenReadAsync(FakeS3.Bucket, Source);
        ReadResult read = await source.Reader.ReadAtLeastAsync(100).AsTask().Within();
        source.Reader.AdvanceTo(read.Buffer.GetPosition(100));

        await client.UploadAsync(source, FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Equal(content[100..], S3.Published());
    }

    /// <summary>The maximum size of an object of unknown length is logged early.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task UnknownLength_TheLimitIsLogged(bool isWritten)
    {
        using LogLines log = new();
        using Microsoft.Extensions.Logging.LoggerFactory factory = new([log]);
        TransferClient client = NewClient(o => (o.Advanced.MaxUploadParts, o.Advanced.EqualUploadParts, o.LoggerFactory) = (4, true, factory));

        await UploadAsync(client, Sample.Bytes(Part + 1), isWritten);
        Assert.Contains(log.Written, line => line.StartsWith("Information:", StringComparison.Ordinal) && line.Contains($"at most {4 * Part} bytes", StringComparison.Ordinal));
        Assert.DoesNotContain(log.Written, line => line.StartsWith("Warning:", StringComparison.Ordinal));
        await UploadAsync(client, Sample.Bytes((2 * Part) + 1), isWritten);
        Assert.Contains(log.Written, line => line.StartsWith("Warning:", StringComparison.Ordinal) && line.Contains($"after {2 * Part} bytes", StringComparison.Ordinal));
    }

    private static async Task UploadAsync(TransferClient client, byte[] content, bool isWritten)
    {
        if (!isWritten)
        {
            await client.UploadAsync(new ScriptedStream(content), FakeS3.Bucket, FakeS3.Key).Within();
            return;
        }

        await using ObjectWriteStream stream = await client.OpenWriteAsync(FakeS3.Bucket, FakeS3.Key);
        await stream.WriteAsync(content).AsTask().Within();
        await stream.CompleteAsync().Within();
    }
}
