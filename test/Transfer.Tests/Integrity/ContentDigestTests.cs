using Transfer.S3.Integrity;
using Transfer.S3.Tests.Verify;

namespace Transfer.S3.Tests.Integrity;

public sealed class ContentDigestTests
{
    private const int Length = 1000;
    private static readonly ChecksumAlgorithm[] Algorithms = [.. ChecksumTable.Stored.Select(static entry => entry.Algorithm)];

    private static readonly int[][] Layouts = [[Length], [500, 500], [1, 999], [999, 1], [300, 300, 300, 100], [7, 600, 393], [.. Enumerable.Repeat(1, Length)], [1000, 0]];

    public static TheoryData<ChecksumAlgorithm, int> Steps()
    {
        TheoryData<ChecksumAlgorithm, int> data = [];
        foreach (ChecksumAlgorithm algorithm in Algorithms)
        {
            foreach (int step in new[] { 1, 299, 300, 301, 999, 1000 })
            {
                data.Add(algorithm, step);
            }
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Steps))]
    public void Append_StepsOfAnyLength_HasTheFullAndEveryCompositeChecksum(ChecksumAlgorithm algorithm, int step)
    {
        byte[] content = Sample.Bytes(Length);

        Assert.Equal(Sums.Full(algorithm, content).Value, Digest(algorithm, null));
        foreach (int[] layout in Layouts)
        {
            Assert.Equal(Sums.Composite(algorithm, content, layout).Value, Digest(algorithm, [.. layout.Select(part => (long)part)]));
        }

        string? Digest(ChecksumAlgorithm algorithm, long[]? layout)
        {
            using ContentDigest digest = new(algorithm, layout);
            foreach (byte[] bytes in content.Chunk(step))
            {
                digest.Append(bytes);
            }

            Assert.Equal(Length, digest.Length);
            return digest.ToBase64();
        }
    }

    [Theory]
    [InlineData(ChecksumAlgorithm.Crc64Nvme)]
    [InlineData(ChecksumAlgorithm.Crc32C)]
    [InlineData(ChecksumAlgorithm.Crc32)]
    public void Append_PiecesThatEndAtPartBoundaries_HasTheCompositeChecksum(ChecksumAlgorithm algorithm)
    {
        byte[] content = Sample.Bytes(Length);
        using ContentDigest digest = new(algorithm, [300, 600, 100]);
        foreach (byte[] bytes in content.Chunk(100))
        {
            CrcSet piece = new(CrcSet.Kinds.All);
            piece.Append(bytes);
            digest.Append(piece);
        }

        Assert.Equal(Sums.Composite(algorithm, content, 300, 600, 100).Value, digest.ToBase64());
    }

    [Theory]
    [InlineData(ChecksumAlgorithm.Crc32)]
    [InlineData(ChecksumAlgorithm.Sha256)]
    [InlineData(ChecksumAlgorithm.Md5)]
    public void Empty_NoPartsOrOneEmptyPart_HasItsChecksum(ChecksumAlgorithm algorithm)
    {
        using ContentDigest full = new(algorithm);
        using ContentDigest composite = new(algorithm, [0]);

        Assert.Equal(Sums.Full(algorithm, []).Value, full.ToBase64());
        Assert.Equal(Sums.Composite(algorithm, [], 0).Value, composite.ToBase64());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Append_PieceWithoutTheAlgorithm_HasNoValue(bool isComposite)
    {
        using ContentDigest digest = new(ChecksumAlgorithm.Crc32, isComposite ? [10, 10] : null);
        CrcSet good = new(CrcSet.Kinds.Crc32);
        CrcSet other = new(CrcSet.Kinds.Crc32C);
        good.Append(new byte[10]);
        other.Append(new byte[10]);

        digest.Append(other);
        digest.Append(good);

        Assert.Null(digest.ToBase64());
    }

    [Fact]
    public void Append_AfterTheLastPart_IsCountedWithoutEndingAPart()
    {
        using ContentDigest digest = new(ChecksumAlgorithm.Sha256, [10, 10]);

        digest.Append(new byte[25]);

        Assert.Equal(25, digest.Length);
        Assert.Equal(Sums.Composite(ChecksumAlgorithm.Sha256, new byte[20], 10, 10).Value, digest.ToBase64());
    }
}
