namespace Transfer.S3.Tests.Conformance;

/// <summary>The contract of streams that can seek. A <see cref="FileStream"/> passes the same tests.</summary>
public abstract class SeekableStreamConformance : StreamConformance
{
    protected override bool CanSeek => true;

    protected override bool HasLength => true;

    [Theory]
    [InlineData(0, SeekOrigin.Begin, 0)]
    [InlineData(10, SeekOrigin.Begin, 10)]
    [InlineData(ContentLength, SeekOrigin.Begin, ContentLength)]
    [InlineData(ContentLength + 5, SeekOrigin.Begin, ContentLength + 5)]
    [InlineData(0, SeekOrigin.Current, 5000)]
    [InlineData(-5000, SeekOrigin.Current, 0)]
    [InlineData(1, SeekOrigin.Current, 5001)]
    [InlineData(0, SeekOrigin.End, ContentLength)]
    [InlineData(-1, SeekOrigin.End, ContentLength - 1)]
    [InlineData(-ContentLength, SeekOrigin.End, 0)]
    [InlineData(7, SeekOrigin.End, ContentLength + 7)]
    public async Task Seek_AnyOrigin_SetsThePosition(long offset, SeekOrigin origin, long expected)
    {
        await using Stream stream = await OpenAsync();
        stream.Position = 5000;

        Assert.Equal(expected, stream.Seek(offset, origin));

        Assert.Equal(expected, stream.Position);
        byte[] rest = await ReadAllAsync(stream);
        Assert.Equal(Content[(int)Math.Min(expected, ContentLength)..], rest);
    }

    [Fact]
    public async Task Seek_BeforeTheBeginning_ThrowsAndKeepsThePosition()
    {
        await using Stream stream = await OpenAsync();
        stream.Position = 5000;

        Assert.Throws<IOException>(() => stream.Seek(-5001, SeekOrigin.Current));
        Assert.Throws<IOException>(() => stream.Seek(-1, SeekOrigin.Begin));
        Assert.Throws<IOException>(() => stream.Seek(-ContentLength - 1, SeekOrigin.End));
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.Position = -1);
        Assert.Throws<ArgumentException>(() => stream.Seek(0, (SeekOrigin)7));

        Assert.Equal(5000, stream.Position);
        Assert.Equal(Content[5000], stream.ReadByte());
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Read_AfterASeek_ReturnsTheBytesThere(ReadForm form)
    {
        await using Stream stream = await OpenAsync();
        byte[] buffer = new byte[100];
        foreach (int at in (int[])[ContentLength - 50, 0, 4096, 4095, 64 * 1024, (64 * 1024) - 1, 10, ContentLength, ContentLength + 10])
        {
            stream.Position = at;
            int count = await form.ReadAsync(stream, buffer, 0, 100);

            int expected = Math.Clamp(ContentLength - at, 0, 100);
            Assert.InRange(count, Math.Min(1, expected), expected);
            Assert.Equal(Content.AsSpan(Math.Min(at, ContentLength), count), buffer.AsSpan(0, count));
            Assert.Equal(at + count, stream.Position);
        }
    }

    [Fact]
    public async Task Members_AfterDispose_Throw()
    {
        Stream stream = await OpenAsync();
        await stream.DisposeAsync();

        Assert.Throws<ObjectDisposedException>(() => stream.Position);
        Assert.Throws<ObjectDisposedException>(() => stream.Position = 0);
        Assert.Throws<ObjectDisposedException>(() => stream.Length);
        Assert.Throws<ObjectDisposedException>(() => stream.Seek(0, SeekOrigin.Begin));
        Assert.Throws<ObjectDisposedException>(() => stream.ReadByte());
        await stream.DisposeAsync();
    }

    private static async Task<byte[]> ReadAllAsync(Stream stream)
    {
        MemoryStream all = new();
        byte[] buffer = new byte[10_000];
        for (int count; (count = await stream.ReadAsync(buffer).AsTask().Within()) > 0;)
        {
            all.Write(buffer, 0, count);
        }

        return all.ToArray();
    }
}
