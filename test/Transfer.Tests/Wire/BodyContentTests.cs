using System.Buffers;
using Transfer.S3.Buffers;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Wire;

/// <summary>How a request body is written to its connection.</summary>
public sealed class BodyContentTests
{
    private const int KiB = 1024;

    /// <summary>Each write counts as progress, so a large piece of memory is written in several steps.</summary>
    [Theory]
    [InlineData(10, new[] { 10 })]
    [InlineData(64 * KiB, new[] { 64 * KiB })]
    [InlineData((64 * KiB) + 1, new[] { 64 * KiB, 1 })]
    [InlineData(150 * KiB, new[] { 64 * KiB, 64 * KiB, 22 * KiB })]
    public async Task LargePiece_IsWrittenInSteps(int length, int[] writes)
    {
        byte[] content = Sample.Bytes(length);
        int moved = 0;
        await using Connection connection = new();
        using BodyContent body = new(new SequenceBytes(new ReadOnlySequence<byte>(content)), () => moved++);

        await body.CopyToAsync(connection);

        Assert.Equal(writes, connection.Writes);
        Assert.Equal(content, connection.ToArray());
        Assert.Equal(writes.Length, moved);
    }

    private sealed class Connection : MemoryStream
    {
        public List<int> Writes { get; } = [];

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Writes.Add(buffer.Length);
            return base.WriteAsync(buffer, cancellationToken);
        }
    }
}
