using System.Buffers;
using System.Runtime.InteropServices;
using Amazon.S3;
using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Upload;

namespace Transfer.S3.Tests.Upload;

/// <summary>Uploads of memory, which is sent without copying it to chunks of the client.</summary>
public sealed class MemorySourceTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;
    private const int Chunk = 16;
    private const int LargePiece = 64 * 1024;
    private const int Offset = 7; // of the part in its source

    private AmazonS3Client? _s3;

    public override async Task DisposeAsync()
    {
        await base.DisposeAsync();
        _s3?.Dispose();
    }

    [Theory]
    [InlineData(1, 0, true)]
    [InlineData(1, 1, true)]
    [InlineData(2, 2 * LargePiece, true)]
    [InlineData(2, (2 * LargePiece) - 1, false)]
    [InlineData(3, 10, false)]
    public void IsInPlace_LargePiecesOnly(int pieces, int length, bool expected)
        => Assert.Equal(expected, new MemorySource(Sample.Sequence(new byte[length], Math.Max(1, (length + pieces - 1) / pieces))).PartMemory == PartMemory.None);

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public async Task Read_LargePieces_IsTheCallersMemory(int pieces)
    {
        byte[] content = Sample.Bytes(pieces * LargePiece);
        ChunkPool pool = NewPool(Chunk);
        using PartBody body = await FillAsync(pool, Sample.Sequence(content, LargePiece), content.Length - Offset);
        using PartReader reader = body.OpenReader();

        long at = 0;
        while (at < reader.Length)
        {
            ReadOnlyMemory<byte> piece = reader.Read(at);
            Assert.True(MemoryMarshal.TryGetArray(piece, out ArraySegment<byte> segment));
            Assert.Same(content, segment.Array);
            Assert.Equal(Offset + at, segment.Offset);
            at += piece.Length;
            reader.Sent(at);
        }

        Assert.Equal(content.Length - Offset, at);
        Assert.EachEqual((0, 0), (pool.PeakRentedBytes, pool.Budget.ReservedBytes));
        Assert.Equal(Crc.Crc64Nvme.ToBase64(Crc.Crc64Nvme.Compute(content.AsSpan(Offset))), body.Checksum.ToBase64());
    }

    [Fact]
    public async Task Read_AnyOffsetRepeatedly_ReturnsTheBytes()
    {
        byte[] content = Sample.Bytes(2 * LargePiece);
        using PartBody body = await FillAsync(NewPool(Chunk), Sample.Sequence(content, LargePiece), content.Length - Offset);
        using PartReader reader = body.OpenReader();
        reader.Sent(reader.Length);

        foreach (int at in new[] { 50, LargePiece - Offset, 3, 3, content.Length - Offset, 0, (2 * LargePiece) - Offset - 1 })
        {
            ReadOnlySpan<byte> piece = reader.Read(at, 10).Span;
            Assert.Equal(content.AsSpan(Offset + at, piece.Length), piece);
            Assert.Equal(at == content.Length - Offset, piece.IsEmpty);
        }
    }

    /// <summary>If the caller changes the memory during the upload, it fails, and no request completes with other bytes.</summary>
    [Theory]
    [InlineData(ChecksumAlgorithm.Crc64Nvme)]
    [InlineData(ChecksumAlgorithm.Md5)]
    [InlineData(ChecksumAlgorithm.None)]
    public async Task Read_AgainAfterAChange_FailsBeforeTheLastBytes(ChecksumAlgorithm algorithm)
    {
        byte[] content = Sample.Bytes(2 * LargePiece);
        using PartBody body = await FillAsync(NewPool(Chunk), Sample.Sequence(content, LargePiece), content.Length - Offset, algorithm);
        using (PartReader first = body.OpenReader())
        {
            first.Sent(1);
        }

        content[Offset] ^= 1;
        using PartReader second = body.OpenReader();
        int count = second.Read(0).Length;
        TransferException e = Assert.Throws<TransferException>(() => second.Read(count));

        Assert.Contains($"The memory changed while it was being uploaded: the bytes from {Offset} to {content.Length - 1}", e.Message, StringComparison.Ordinal);
        Assert.Same(e, second.Failure);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1000)]
    [InlineData((5 * 1024 * 1024) + 1)]
    public async Task Upload_LargePieces_RentsNothing(int length)
    {
        byte[] content = Sample.Bytes(length);
        TransferClient client = NewClient();

        await client.UploadAsync(new ReadOnlySequence<byte>(content), FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Equal(content, S3.Published());
        Assert.Equal(0, client.Context.Pool.PeakRentedBytes);
    }

    /// <summary>The connection is closed in the middle of a piece that is larger than a write.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Upload_ConnectionIsClosed_SendsTheSameBytesAgainOrFails(bool changes)
    {
        byte[] content = Sample.Bytes((2 * Part) + 1000);
        byte[] sent = [.. content];
        PartStore store = new();
        store.Reading = (part, attempt, read, _) =>
        {
            if (part != 2 || attempt != 1 || read < Part / 2)
            {
                return Task.CompletedTask;
            }

            content[Part] ^= (byte)(changes ? 1 : 0);
            throw new IOException("the connection was closed");
        };
        _s3 = store.NewS3(isTls: true);
        TransferClient client = NewClient(_s3);
        Task<UploadResult> upload = client.UploadAsync(new ReadOnlySequence<byte>(content), "bucket", "key");

        if (changes)
        {
            TransferException e = await Assert.ThrowsAsync<TransferException>(() => upload.Within());
            Assert.Contains("The memory changed while it was being uploaded", e.Message, StringComparison.Ordinal);
            Assert.Empty(store.Published);
        }
        else
        {
            Assert.Equal(1, (await upload.Within()).Statistics.Retries);
            Assert.Equal(sent, store.Published["/bucket/key"]);
        }

        Assert.Equal(0, client.Context.Pool.PeakRentedBytes);
    }

    private async Task<PartBody> FillAsync(ChunkPool pool, ReadOnlySequence<byte> source, int size, ChecksumAlgorithm algorithm = ChecksumAlgorithm.Crc64Nvme)
    {
        PartBody body = new(pool.LeaseForUnfinished(size), size, algorithm, isSigned: false, NewReporter());
        await new SourceReader(new MemorySource(source)).FillAsync(Offset, body, CancellationToken.None);
        return body;
    }
}
