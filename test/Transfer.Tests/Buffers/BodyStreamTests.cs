using System.Buffers;
using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Buffers;

public sealed class BodyStreamTests : TransferTest
{
    private const int ChunkSize = 16;

    public static TheoryData<int> AroundBoundaries => [0, 1, ChunkSize - 1, ChunkSize, ChunkSize + 1, (2 * ChunkSize) - 1, 2 * ChunkSize, (2 * ChunkSize) + 1, 39, 40, 41, 1000];

    [Theory]
    [MemberData(nameof(AroundBoundaries))]
    public void Position_Set_ReadsFromThere(int position)
    {
        byte[] content = Sample.Bytes(40);
        using BodyStream stream = NewStream(content);

        stream.Position = position;

        byte[] rest = new byte[50];
        int read = stream.ReadAtLeast(rest, 50, throwOnEndOfStream: false);
        Assert.Equal(content[Math.Min(position, 40)..], rest[..read]);
        Assert.Equal(Math.Max(position, 40), stream.Position);
    }

    [Fact]
    public void Seek_EveryOrigin_ReturnsTheNewPosition()
    {
        using BodyStream stream = NewStream(Sample.Bytes(40));

        Assert.Equal(17, stream.Seek(17, SeekOrigin.Begin));
        Assert.Equal(16, stream.Seek(-1, SeekOrigin.Current));
        Assert.Equal(24, stream.Seek(-16, SeekOrigin.End));
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.Seek(-25, SeekOrigin.Current));
        Assert.Equal(24, stream.Position);
    }

    [Fact]
    public void Read_AfterRewind_ReturnsTheSameBytes()
    {
        byte[] content = Sample.Bytes(40);
        using BodyStream stream = NewStream(content);
        for (int round = 0; round < 3; round++)
        {
            stream.Position = 0;
            byte[] read = new byte[40];
            stream.ReadExactly(read);
            Assert.Equal(content, read);
        }
    }

    [Fact]
    public void Length_Slice_IsTheLengthOfTheSlice()
    {
        byte[] content = Sample.Bytes(40);
        using BodyStream stream = new(new SequenceBytes(Sample.Sequence(content, ChunkSize).Slice(15, 18)));
        byte[] read = new byte[18];

        stream.ReadExactly(read);

        Assert.Equal(18, stream.Length);
        Assert.Equal(content[15..33], read);
        Assert.Equal(-1, stream.ReadByte());
    }

    [Fact]
    public void TryCloseUnread_NotRead_ClosesTheStream()
    {
        using BodyStream stream = NewStream(Sample.Bytes(40));

        Assert.True(stream.TryCloseUnread());

        Assert.False(stream.CanRead);
        Assert.Throws<ObjectDisposedException>(() => stream.ReadByte());
        Assert.True(stream.TryCloseUnread());
    }

    [Fact]
    public void TryCloseUnread_PartlyRead_LeavesTheStreamOpenUntilRewound()
    {
        using BodyStream stream = NewStream(Sample.Bytes(40));
        stream.ReadExactly(new byte[17]);

        Assert.False(stream.TryCloseUnread());
        stream.ReadExactly(new byte[23]);
        Assert.False(stream.TryCloseUnread());
        stream.Position = 0;
        Assert.True(stream.TryCloseUnread());
        Assert.Throws<ObjectDisposedException>(() => stream.ReadByte());
    }

    [Fact]
    public void Write_NotSupported()
    {
        using BodyStream stream = new(new SequenceBytes(ReadOnlySequence<byte>.Empty));

        Assert.False(stream.CanWrite);
        Assert.Throws<NotSupportedException>(() => stream.SetLength(1));
        Assert.Throws<NotSupportedException>(() => stream.Write(new byte[1], 0, 1));
    }

    private static BodyStream NewStream(byte[] content) => new(new SequenceBytes(Sample.Sequence(content, ChunkSize)));
}
