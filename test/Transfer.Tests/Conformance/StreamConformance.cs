using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Conformance;

/// <summary>The contract of every readable stream of the library. Each has a sealed subclass here that creates it.</summary>
public abstract partial class StreamConformance : TransferTest
{
    /// <summary>The length of the content. It is not a multiple of any chunk or part size.</summary>
    protected const int ContentLength = (3 * 64 * 1024) + 4097;

    protected static byte[] Content { get; } = Sample.Bytes(ContentLength);

    /// <summary>Sizes at which off-by-one errors of chunks and parts show.</summary>
    public static TheoryData<int> ReadSizes => [1, 7, 4095, 4096, 4097, (64 * 1024) - 1, 64 * 1024, (64 * 1024) + 1, ContentLength - 1, ContentLength, ContentLength + 1];

    public static TheoryData<ReadForm> Forms => [.. Enum.GetValues<ReadForm>()];

    protected virtual bool CanSeek => false;

    /// <summary>Gets a value that indicates whether the stream has a length.</summary>
    protected virtual bool HasLength => false;

    /// <summary>Opens a stream over <see cref="Content"/>. All of it is available now or later.</summary>
    protected abstract Task<Stream> OpenAsync();

    /// <summary>Opens a stream without available data until the action is called. Returns null if this is not possible.</summary>
    protected virtual Task<(Stream Stream, Action Release)?> OpenStalledAsync() => Task.FromResult<(Stream, Action)?>(null);

    [Fact]
    public async Task CanRead_OpenThenDisposed_Changes()
    {
        Stream stream = await OpenAsync();
        Assert.True(stream.CanRead);
        Assert.Equal(CanSeek, stream.CanSeek);
        Assert.False(stream.CanWrite);
        Assert.False(stream.CanTimeout);

        await stream.DisposeAsync();

        Assert.False(stream.CanRead);
        Assert.False(stream.CanSeek);
        Assert.False(stream.CanWrite);
    }

    [Fact]
    public async Task LengthAndPosition_FollowTheContract()
    {
        await using Stream stream = await OpenAsync();
        if (HasLength)
        {
            Assert.Equal(ContentLength, stream.Length);
            Assert.Equal(0, stream.Position);
            await stream.ReadExactlyAsync(new byte[5000]).Within();
            Assert.Equal(5000, stream.Position);
        }
        else
        {
            Assert.Throws<NotSupportedException>(() => stream.Length);
            Assert.Throws<NotSupportedException>(() => stream.Position);
        }

        if (!CanSeek)
        {
            Assert.Throws<NotSupportedException>(() => stream.Position = 0);
            Assert.Throws<NotSupportedException>(() => stream.Seek(0, SeekOrigin.Begin));
        }
    }

    [Fact]
    public async Task Write_AnyForm_NotSupported()
    {
        await using Stream stream = await OpenAsync();

        Assert.Throws<NotSupportedException>(() => stream.Write(new byte[1], 0, 1));
        Assert.Throws<NotSupportedException>(() => stream.Write(new byte[1].AsSpan()));
        Assert.Throws<NotSupportedException>(() => stream.WriteByte(1));
        Assert.Throws<NotSupportedException>(() => stream.SetLength(1));
        await Assert.ThrowsAsync<NotSupportedException>(() => stream.WriteAsync(new byte[1], 0, 1).Within());
        await Assert.ThrowsAsync<NotSupportedException>(() => stream.WriteAsync(new byte[1]).AsTask().Within());
        stream.Flush();
        await stream.FlushAsync().Within();
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Read_AnyForm_ReturnsAllBytesThenZero(ReadForm form)
    {
        await using Stream stream = await OpenAsync();
        MemoryStream read = new();
        byte[] buffer = new byte[10_000];
        int count;
        while ((count = await form.ReadAsync(stream, buffer, 3, 9_990)) > 0)
        {
            read.Write(buffer, 3, count);
        }

        Assert.Equal(Content, read.ToArray());
        Assert.Equal(0, await form.ReadAsync(stream, buffer, 0, 10));
        Assert.Equal(-1, stream.ReadByte());
    }

    [Theory]
    [MemberData(nameof(ReadSizes))]
    public async Task ReadAtLeast_AroundBoundaries_ReturnsAllBytes(int size)
    {
        await using Stream stream = await OpenAsync();
        byte[] read = new byte[ContentLength];
        int at = 0;
        while (at < ContentLength)
        {
            int want = Math.Min(size, ContentLength - at);
            await stream.ReadExactlyAsync(read, at, want).AsTask().Within();
            at += want;
        }

        Assert.Equal(0, await stream.ReadAtLeastAsync(new byte[size], size, throwOnEndOfStream: false).AsTask().Within());
        Assert.Equal(Content, read);
    }

    [Fact]
    public async Task ReadExactly_BeyondTheEnd_ThrowsEndOfStream()
    {
        await using Stream stream = await OpenAsync();

        await Assert.ThrowsAsync<EndOfStreamException>(() => stream.ReadExactlyAsync(new byte[ContentLength + 1]).AsTask().Within());
    }

    [Fact]
    public async Task ReadByte_FirstBytes_AreInOrder()
    {
        await using Stream stream = await OpenAsync();
        for (int i = 0; i < 5000; i++)
        {
            Assert.Equal(Content[i], stream.ReadByte());
        }
    }

    [Theory]
    [InlineData(false, 0)]
    [InlineData(true, 0)]
    [InlineData(false, 5000)]
    [InlineData(true, 5000)]
    public async Task CopyTo_FromAnyPosition_CopiesTheRest(bool sync, int from)
    {
        await using Stream stream = await OpenAsync();
        await stream.ReadExactlyAsync(new byte[from]).Within();
        MemoryStream copy = new();
        if (sync)
        {
            stream.CopyTo(copy);
        }
        else
        {
            await stream.CopyToAsync(copy).Within();
        }

        Assert.Equal(Content[from..], copy.ToArray());
        Assert.Equal(0, await stream.ReadAsync(new byte[1]).Within());
    }

    [Fact]
    public async Task CopyToAsync_DestinationThrows_ThrowsAndTheStreamCanBeDisposed()
    {
        await using Stream stream = await OpenAsync();

        await Assert.ThrowsAsync<NotSupportedException>(() => stream.CopyToAsync(new MemoryStream(new byte[10], writable: true)).Within());
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Read_ZeroBytes_ReturnsImmediately(ReadForm form)
    {
        await using Stream stream = await OpenAsync();
        Assert.Equal(0, await form.ReadAsync(stream, [], 0, 0));
        byte[] one = new byte[1];
        Assert.Equal(0, await form.ReadAsync(stream, one, 1, 0));

        Assert.Equal(1, await form.ReadAsync(stream, one, 0, 1));
        Assert.Equal(Content[0], one[0]);
    }
}
