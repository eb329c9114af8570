using System.IO.Compression;
using System.Text;
using System.Text.Json;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Integrity;

namespace Transfer.S3.Tests.Upload;

/// <summary>Objects that are written: their content, when a write waits, and how it ends.</summary>
public sealed class ObjectWriteStreamTests : TransferTest
{
    private const int Chunk = 4 * 1024;
    private const int Part = 5 * 1024 * 1024;

    public static TheoryData<bool, int> FormsAndSizes
        => Matrix.Of([false, true], [0, 1, Chunk - 1, Chunk, Chunk + 1, (2 * Chunk) + 1, Part - 1, Part, Part + 1, (2 * Part) - 1, 3 * Part, (3 * Part) + 1]);

    [Theory]
    [MemberData(nameof(FormsAndSizes))]
    public async Task CompleteAsync_AnySizeInRandomBlocks_PublishesAndVerifies(bool byPipe, int size)
    {
        byte[] content = Sample.Bytes(size);
        Random random = new(size);
        await using ObjectWriteStream stream = await OpenAsync();
        for (int at = 0; at < size;)
        {
            int step = Math.Min(size - at, random.Next(1, 1 << random.Next(1, 21)));
            if (byPipe)
            {
                content.AsSpan(at, step).CopyTo(stream.Writer.GetSpan(step));
                stream.Writer.Advance(step);
                await stream.Writer.FlushAsync().Within();
            }
            else
            {
                await stream.WriteAsync(content.AsMemory(at, step)).Within();
            }

            at += step;
        }

        UploadResult result = await stream.CompleteAsync().Within();

        Assert.Equal(content, S3.Published());
        Assert.True(result.Verdict.IsVerified);
        Assert.Equal(CrcOf.Crc64Nvme(content), result.Verdict.Value);
        int parts = size < Part ? 0 : (size + Part - 1) / Part;
        Assert.EachEqual((size, parts, 0), (result.Statistics.BytesTransferred, result.Parts, result.Statistics.Retries));
        Assert.EachEqual((parts == 0 ? 1 : 0, parts), (S3.GetCount(S3Call.Put), S3.GetCount(S3Call.UploadPart)));
        Assert.Equal(parts == 0 ? 1 : parts + 2, S3.Calls.Count);
        Assert.False(S3.HasOpenUpload);
    }

    [Fact]
    public async Task Write_LessThanAPart_SendsNothingBeforeComplete()
    {
        await using ObjectWriteStream stream = await OpenAsync();

        await stream.WriteAsync(Sample.Bytes(Part - 1)).Within();
        await stream.FlushAsync().Within();

        Assert.Empty(S3.Calls);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Write_StoreDelaysResponses_WaitsWhenAllPartsAreInFlight(int parts)
    {
        byte[] content = Sample.Bytes((parts * Part) + 1);
        Gate gate = HoldParts();
        TransferClient client = NewClient();
        await using ObjectWriteStream stream = await OpenAsync(client, parts);

        Task whole = stream.WriteAsync(content.AsMemory(0, parts * Part)).AsTask();
        Assert.True(whole.IsCompletedSuccessfully); // the write copies its bytes without waiting
        Task more = stream.WriteAsync(content.AsMemory(parts * Part)).AsTask();

        await Deadline.Until(() => S3.GetCount(S3Call.UploadPart) == parts);
        Assert.False(more.IsCompleted);
        Assert.Equal(parts * Part, stream.Position);
        Assert.Equal(parts * Part, client.RentedBytes);
        gate.Open();
        await more.Within();
        await stream.CompleteAsync().Within();
        Assert.Equal(content, S3.Published());
        Assert.InRange(client.PeakRentedBytes, 1, parts * Part);
    }

    [Fact]
    public async Task Write_FasterThanTheStore_StaysWithinTheBudget()
    {
        const long budget = 16 * 1024 * 1024;
        byte[] content = Sample.Bytes(8 * Part);
        TransferClient client = NewClient(o => o.MemoryBytes = budget);
        await using ObjectWriteStream stream = await OpenAsync(client);

        await new MemoryStream(content).CopyToAsync(stream).Within();
        await stream.CompleteAsync().Within();

        Assert.Equal(content, S3.Published());
        Assert.InRange(client.PeakRentedBytes, Part, budget);
    }

    [Fact]
    public async Task CompleteAsync_Twice_HasTheSameResultWithoutARequest()
    {
        await using ObjectWriteStream stream = await OpenAsync();
        await stream.WriteAsync(Sample.Bytes(10)).Within();

        UploadResult first = await stream.CompleteAsync().Within();
        UploadResult second = await stream.CompleteAsync().Within();
        await stream.DisposeAsync();

        Assert.Same(first, second);
        Assert.Same(first, await stream.CompleteAsync().Within());
        Assert.Single(S3.Calls);
    }

    [Fact]
    public async Task Completed_WritesThrowAndFlushesDoNothing()
    {
        await using ObjectWriteStream stream = await OpenAsync();
        await stream.CompleteAsync().Within();

        Assert.False(stream.CanWrite);
        Assert.Throws<InvalidOperationException>(() => stream.Write([1]));
        await Assert.ThrowsAsync<InvalidOperationException>(() => stream.WriteAsync(new byte[1]).Within());
        Assert.Throws<InvalidOperationException>(() => stream.Writer.GetMemory());
        stream.Flush();
        await stream.FlushAsync().Within();

        await stream.DisposeAsync();
        ObjectDisposedException error = Assert.Throws<ObjectDisposedException>(() => stream.Write([1]));
        Assert.DoesNotContain("No object was published", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task CompleteAsync_DuringAWrite_ThrowsAndTheWriteContinues()
    {
        byte[] content = Sample.Bytes(Part + 1);
        Gate gate = HoldParts();
        await using ObjectWriteStream stream = await OpenAsync(maxConcurrency: 1);
        Task writing = stream.WriteAsync(content).AsTask();

        await Assert.ThrowsAsync<InvalidOperationException>(() => stream.CompleteAsync().Within());

        gate.Open();
        await writing.Within();
        await stream.CompleteAsync().Within();
        Assert.Equal(content, S3.Published());
    }

    [Fact]
    public async Task Write_MaximumNumberOfParts_CompletesButAcceptsNoMoreBytes()
    {
        byte[] content = Sample.Bytes(2 * Part);
        TransferClient client = NewClient(o =>
        {
            o.Advanced.MaxUploadParts = 2;
            o.Advanced.EqualUploadParts = true;
        });
        await using ObjectWriteStream full = await OpenAsync(client);
        await full.Writer.WriteAsync(content).Within(); // includes a flush, which needs no memory
        await full.CompleteAsync().Within();
        Assert.Equal(content, S3.Published());

        await using ObjectWriteStream over = await OpenAsync(client);
        await over.WriteAsync(content).Within();
        TransferException error = await Assert.ThrowsAsync<TransferException>(() => over.WriteAsync(new byte[1]).Within());

        Assert.EachEqual((FakeS3.Bucket, FakeS3.Key), (error.Bucket, error.Key));
        Assert.Same(error, await Assert.ThrowsAsync<TransferException>(() => over.CompleteAsync().Within()));
        Assert.False(S3.HasOpenUpload);
    }

    [Fact]
    public async Task Writers_OfTextCompressionAndJson_WriteToTheStream()
    {
        TransferClient client = NewClient();
        string text = string.Join('\n', Enumerable.Range(0, 5000).Select(i => $"line {i}: ünïcode"));

        await using (ObjectWriteStream stream = await OpenAsync(client))
        {
            await using (GZipStream gzip = new(stream, CompressionLevel.Fastest, leaveOpen: true))
            await using (StreamWriter writer = new(gzip, Encoding.UTF8))
            {
                await writer.WriteAsync(text);
            }

            await stream.CompleteAsync().Within();
        }

        using StreamReader reader = new(new GZipStream(new MemoryStream(S3.Published()!), CompressionMode.Decompress), Encoding.UTF8);
        Assert.Equal(text, await reader.ReadToEndAsync());

        foreach (bool byPipe in new[] { false, true })
        {
            await using ObjectWriteStream stream = await OpenAsync(client);
            await using Utf8JsonWriter json = byPipe ? new Utf8JsonWriter(stream.Writer) : new Utf8JsonWriter(stream);
            JsonSerializer.Serialize(json, Enumerable.Range(0, 20_000));
            await json.FlushAsync();
            await stream.CompleteAsync().Within();
            Assert.Equal(Enumerable.Range(0, 20_000), JsonSerializer.Deserialize<int[]>(S3.Published()));
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task OpenWriteAsync_CanceledOrClientDisposed_Throws(bool disposed)
    {
        TransferClient client = NewClient();
        if (disposed)
        {
            await client.DisposeAsync();
        }

        Exception error = await Assert.ThrowsAnyAsync<Exception>(
            () => client.OpenWriteAsync(FakeS3.Bucket, FakeS3.Key, cancellationToken: new CancellationToken(!disposed)).Within());

        Assert.True(disposed ? error is ObjectDisposedException : error is OperationCanceledException, error.ToString());
        Assert.Empty(S3.Calls);
    }

    private Gate HoldParts()
    {
        Gate gate = new();
        S3.Before = (call, token) => call.Operation == S3Call.UploadPart ? gate.PassAsync(token) : Task.CompletedTask;
        return gate;
    }

    private Task<ObjectWriteStream> OpenAsync(TransferClient? client = null, int? maxConcurrency = null)
        => (client ?? NewClient()).OpenWriteAsync(FakeS3.Bucket, FakeS3.Key, new UploadOptions { MaxConcurrency = maxConcurrency }).Within();
}
