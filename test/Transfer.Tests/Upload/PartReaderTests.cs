using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Upload;

namespace Transfer.S3.Tests.Upload;

/// <summary>Reads a part that isn't kept in memory.</summary>
public sealed class PartReaderTests : TransferTest
{
    private const int Chunk = 16;
    private const int Offset = 7; // of the part in its source

    public static TheoryData<int> AroundBoundaries => [0, 1, Chunk - 1, Chunk, Chunk + 1, 2 * Chunk, (2 * Chunk) + 1, (3 * Chunk) - 1, 3 * Chunk, (3 * Chunk) + 1, 10 * Chunk];

    public static TheoryData<ChecksumAlgorithm, int> AlgorithmsAndChanges => Matrix.Of(
        [ChecksumAlgorithm.Crc64Nvme, ChecksumAlgorithm.Crc32, ChecksumAlgorithm.Md5, ChecksumAlgorithm.None], [0, 1, Chunk, (3 * Chunk) - 1, 4 * Chunk]);

    [Theory]
    [MemberData(nameof(AroundBoundaries))]
    public async Task Read_SeveralTimes_ReturnsTheSameBytesWithLittleMemory(int size)
    {
        ChunkPool pool = NewPool(Chunk);
        byte[] content = Sample.Bytes(size + Offset);
        using PartBody body = await FillAsync(pool, content);

        foreach (int pieces in new[] { int.MaxValue, int.MaxValue, 5, 1 })
        {
            using PartReader reader = body.OpenReader();
            Assert.Equal(content[Offset..], Send(reader, pieces));
            Assert.Equal(content[Offset..], Send(reader, pieces));
        }

        Assert.InRange(pool.RentedBytes, 0, size > 2 * Chunk ? 0 : size == 0 ? 0 : 2 * Chunk); // a small part is kept
        Assert.InRange(pool.PeakRentedBytes, 0, 2 * Chunk);
    }

    [Fact]
    public async Task Read_AnyOffset_ReturnsTheBytes()
    {
        byte[] content = Sample.Bytes(Offset + 100);
        using PartBody body = await FillAsync(NewPool(Chunk), content);
        using PartReader reader = body.OpenReader();
        Send(reader);

        foreach (int at in new[] { 50, 70, 3, 3, 99, 0, 100, 17 })
        {
            ReadOnlySpan<byte> piece = reader.Read(at, 10).Span;
            Assert.Equal(content.AsSpan(Offset + at, piece.Length), piece);
            Assert.Equal(at == 100, piece.IsEmpty);
        }
    }

    /// <summary>Compares every byte. The last bytes are returned only if all are the same.</summary>
    [Theory]
    [MemberData(nameof(AlgorithmsAndChanges))]
    public async Task Read_SourceHasChanged_FailsBeforeTheLastBytes(ChecksumAlgorithm algorithm, int changed)
    {
        byte[] content = Sample.Bytes(Offset + (5 * Chunk));
        using PartBody body = await FillAsync(NewPool(Chunk), content, algorithm);
        content[Offset + changed] ^= 1; // before the first request
        using PartReader second = body.OpenReader();
        long at = 0;
        TransferException e = Assert.Throws<TransferException>(() =>
        {
            while (at < second.Length)
            {
                at += second.Read(at).Length;
            }
        });

        Assert.Equal(4 * Chunk, at);
        Assert.Contains("changed while it was being uploaded", e.Message, StringComparison.Ordinal);
        Assert.Same(e, second.Failure);
        content[Offset + changed] ^= 1;
        Assert.Equal(content[Offset..], Send(second));
    }

    [Fact]
    public async Task UseChecksum_AnotherOne_IsComputedFromTheSameBytes()
    {
        byte[] content = Sample.Bytes(Offset + 100);
        using PartBody body = await FillAsync(NewPool(Chunk), content);
        using PartReader reader = body.OpenReader();
        Send(reader);

        body.UseChecksum(ChecksumAlgorithm.Md5, reader);
        Assert.Equal(Convert.ToBase64String(Md5Of(content[Offset..])), body.Checksum.ToBase64());
        Assert.Equal(body.Checksum.ToBase64(), body.ComputeMd5());

        content[Offset]++;
        Assert.Throws<TransferException>(() => body.UseChecksum(ChecksumAlgorithm.Crc32, reader));
        Assert.Equal(ChecksumAlgorithm.Md5, body.Checksum.Algorithm);
    }

    /// <summary>Two requests for the same part: each has a chunk.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(6)]
    public async Task TwoReaders_EachReadsAllBytes(int sent)
    {
        ChunkPool pool = NewPool(Chunk);
        byte[] content = Sample.Bytes(Offset + (6 * Chunk));
        using PartBody body = await FillAsync(pool, content);
        using PartReader first = body.OpenReader();
        for (long at = 0; at < sent * Chunk;)
        {
            at += first.Read(at).Length;
            first.Sent(at);
        }

        PartReader second = body.OpenReader();
        Assert.Equal(content[(Offset + (sent * Chunk))..], Send(first, from: sent * Chunk));
        Assert.Equal(content[Offset..], Send(second));
        Assert.Equal(content[Offset..], Send(first));
        Assert.Equal(2 * Chunk, pool.RentedBytes);
        second.Dispose();
        second.Dispose();
        Assert.Throws<ObjectDisposedException>(() => second.Read(0));
        second.Sent(6 * Chunk);
        Assert.Equal(content[Offset..], Send(first));
        first.Dispose();
        Assert.Equal(0, pool.RentedBytes);
    }

    /// <summary>A connection can send several pieces at once, so they are valid at the same time. Little memory holds fewer of them.</summary>
    [Theory]
    [InlineData(0, 1)]
    [InlineData(512 * 2 * Chunk / 3 * 8, 1)]
    [InlineData((512 * 2 * Chunk / 3 * 8) + 64, 2)]
    [InlineData(512 * 6 * Chunk / 3 * 8, 6)]
    [InlineData(1L << 40, PartBody.MostChunksPerReader)]
    public async Task Read_AsManyPiecesAsAreValid_TheirBytesStay(long memory, int expected)
    {
        const int pieces = 21;
        ChunkPool pool = NewPool(Chunk);
        byte[] content = Sample.Bytes(Offset + (pieces * Chunk));
        using PartBody body = await FillAsync(pool, content, memory: memory);
        using PartReader reader = body.OpenReader();
        Assert.Equal(expected, reader.ValidPieces);

        List<ReadOnlyMemory<byte>> read = [];
        for (int at = 0; at < pieces; at++)
        {
            read.Add(reader.Read(at * Chunk));
            for (int valid = Math.Max(0, at + 1 - expected); valid <= at; valid++)
            {
                Assert.Equal(content.AsSpan(Offset + (valid * Chunk), Chunk), read[valid].Span);
            }
        }

        Assert.Equal(expected * Chunk, pool.RentedBytes);
    }

    [Theory]
    [InlineData(ChecksumAlgorithm.Crc64Nvme, false, 5 * Chunk)]
    [InlineData(ChecksumAlgorithm.Crc64Nvme, true, 5 * Chunk)]
    [InlineData(ChecksumAlgorithm.Md5, true, (3 * Chunk) + 1)]
    [InlineData(ChecksumAlgorithm.None, true, 1)]
    [InlineData(ChecksumAlgorithm.None, true, 0)]
    [InlineData(ChecksumAlgorithm.Sha256, true, 5 * Chunk)]
    public async Task Sha256_OfASignedBody_IsComputedWhenTheDataIsReadFirst(ChecksumAlgorithm algorithm, bool isSigned, int size)
    {
        byte[] content = Sample.Bytes(Offset + size);
        string expected = Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(content.AsSpan(Offset)));
        using PartBody body = await FillAsync(NewPool(Chunk), content, algorithm, isSigned);
        Array.Clear(content); // so that a second reading would have another one

        Assert.Equal(isSigned ? expected : null, body.Sha256);
        Assert.Equal(isSigned ? expected : null, body.Sha256); // for the second request
    }

    private static byte[] Send(PartReader reader, int pieces = int.MaxValue, long from = 0)
    {
        List<byte> sent = [];
        for (long at = from; at < reader.Length;)
        {
            ReadOnlySpan<byte> piece = reader.Read(at, pieces).Span;
            sent.AddRange(piece);
            at += piece.Length;
            reader.Sent(at);
        }

        return [.. sent];
    }

#pragma warning disable CA5351 // stores require MD5
    private static byte[] Md5Of(byte[] content) => System.Security.Cryptography.MD5.HashData(content);
#pragma warning restore CA5351

    private async Task<PartBody> FillAsync(ChunkPool pool, byte[] source, ChecksumAlgorithm algorithm = ChecksumAlgorithm.Crc64Nvme, bool isSigned = false, long memory = 0)
    {
        int size = source.Length - Offset;
        ChunkLease lease = await pool.LeaseAsync(MemoryUse.Transient, pool.ChunksFor(PartBody.GetMemory(size, Chunk, memory)), revolving: true, CancellationToken.None);
        PartBody body = new(lease, size, algorithm, isSigned, NewReporter());
        SourceReader reader = new(new MemorySource(Sample.Sequence(source, Math.Max(1, source.Length / 2)))); // in small pieces, so that they are copied
        await reader.FillAsync(Offset, body, CancellationToken.None);
        return body;
    }
}
