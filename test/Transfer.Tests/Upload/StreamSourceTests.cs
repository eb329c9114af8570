using System.IO.Pipelines;
using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Upload;

/// <summary>Uploads of an object that is read from a store. Its length is known, although its stream can't seek.</summary>
public sealed class StreamSourceTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;
    private const string Source = "source";

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1000, 0)]
    [InlineData(3 * Part, 7)]
    public async Task ObjectReadStream_LengthIsKnown(int size, int read)
    {
        byte[] content = S3.Put(Source, size);
        TransferClient client = NewClient(o => (o.MaxUploadParts, o.EqualUploadParts) = (2, true)); // parts of the default size would be too small
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

    /// <summary>The parts need most of the memory, which the source holds for its read-ahead.</summary>
    [Theory]
    [InlineData(16_777_216, 25_165_824)]
    [InlineData(16_777_216, 31_000_000)]
    [InlineData(20_000_001, 30_000_000)]
    public async Task ObjectReadStream_LargeParts_GetTheMemory(int memory, int size)
    {
        byte[] content = S3.Put(Source, size);
        TransferClient client = NewClient(o => (o.MaxUploadParts, o.MemoryBytes, o.UploadPartSizeBytes) = (2, memory, Part));
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
        TransferClient client = NewClient(o => (o.MaxUploadParts, o.MemoryBytes, o.UploadPartSizeBytes) = (4, memory, Part));

        UploadResult result = await client.UploadAsync(new ScriptedStream(content), FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Equal((4, content.Length), (result.Parts, S3.Published()!.Length));
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
        TransferClient client = NewClient(o => (o.MaxUploadParts, o.EqualUploadParts, o.LoggerFactory) = (4, true, factory));

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
