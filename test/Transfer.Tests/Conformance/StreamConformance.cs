using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Conformance;

/// <summary>What every stream of ours promises to whoever reads it. Each has a sealed subclass here, which knows how to make one.</summary>
public abstract partial class StreamConformance : TransferTest
{
    /// <summary>Not a multiple of any chunk or part.</summary>
    protected const int ContentLength = (3 * 64 * 1024) + 4097;

    protected static byte[] Content { get; } = Sample.Bytes(ContentLength);

    /// <summary>Places where off-by-one errors of chunks and parts show.</summary>
    public static TheoryData<int> ReadSizes => [1, 7, 4095, 4096, 4097, (64 * 1024) - 1, 64 * 1024, (64 * 1024) + 1, ContentLength - 1, ContentLength, ContentLength + 1];

    public static TheoryData<ReadForm> Forms => [.. Enum.GetValues<ReadForm>()];

    protected virtual bool CanSeek => false;

    /// <summary>Whether the length can be asked for.</summary>
    protected virtual bool HasLength => false;

    /// <summary>A stream over <see cref="Content"/>, all of which is or will be there.</summary>
    protected abstract Task<Stream> OpenAsync();

    /// <summary>A stream that has nothing to give until the action is called; null where there is no such thing.</summary>
    protected virtual Task<(Stream Stream, Action Release)?> OpenStalledAsync() => Task.FromResult<(Stream, Action)?>(null);

    [Fact]
    public async Task Can_OpenThenDisposed_SaysSo()
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
    public async Task Length_AndPosition_AsPromised()
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
    public async Task Read_AnyForm_AllBytesThenTheEnd(ReadForm form)
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
    public async Task ReadAtLeast_AroundBoundaries_AllBytes(int size)
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
    public async Task ReadExactly_MoreThanThereIs_EndOfStream()
    {
        await using Stream stream = await OpenAsync();

        await Assert.ThrowsAsync<EndOfStreamException>(() => stream.ReadExactlyAsync(new byte[ContentLength + 1]).AsTask().Within());
    }

    [Fact]
    public async Task ReadByte_FirstBytes_InOrder()
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
    public async Task CopyTo_FromAnywhere_TheRest(bool sync, int from)
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
    public async Task CopyToAsync_DestinationThrows_ItsErrorAndTheStreamCanBeDisposed()
    {
        await using Stream stream = await OpenAsync();

        await Assert.ThrowsAsync<NotSupportedException>(() => stream.CopyToAsync(new MemoryStream(new byte[10], writable: true)).Within());
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Read_NoBytesAsked_NoBytesAndNoWait(ReadForm form)
    {
        await using Stream stream = await OpenAsync();
        Assert.Equal(0, await form.ReadAsync(stream, [], 0, 0));
        byte[] one = new byte[1];
        Assert.Equal(0, await form.ReadAsync(stream, one, 1, 0));

        Assert.Equal(1, await form.ReadAsync(stream, one, 0, 1));
        Assert.Equal(Content[0], one[0]);
    }
}
