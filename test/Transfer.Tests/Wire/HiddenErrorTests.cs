using System.Text;
using Transfer.S3.Wire;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Wire;

/// <summary>Errors in the bodies of responses whose status is a success.</summary>
public class HiddenErrorTests
{
    [Theory]
    [InlineData("<Error><Code>SlowDown</Code></Error>")]
    [InlineData("<Error xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Code>SlowDown</Code></Error>")]
    [InlineData("\r\n \t<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\n<Error><Code>SlowDown</Code><Message>Later</Message></Error>\n")]
    [InlineData("<!-- from a gateway --><Error><Code>SlowDown</Code></Error>")]
    public async Task Find_Error_WhateverPiecesArrive(string text)
    {
        for (int piece = 1; piece <= text.Length; piece++)
        {
            using PieceStream body = new(Encoding.UTF8.GetBytes(text), piece);
            Assert.Equal("SlowDown", (await HiddenError.FindAsync(body, CancellationToken.None)).Error.Code);
        }
    }

    [Theory]
    [InlineData("", 1)]
    [InlineData("{\"Error\": 1}", 1)]
    [InlineData("<Errors><Code>SlowDown</Code></Errors>", int.MaxValue)]
    [InlineData("<Error>no code</Error>", int.MaxValue)]
    [InlineData("<Error><Code>Cut", int.MaxValue)]
    [InlineData("<?xml version=\"1.0\"?><Other><Error><Code>SlowDown</Code></Error></Other>", int.MaxValue)]
    [InlineData("<html><body>Hello</body></html>", 2)]
    [InlineData("       ", int.MaxValue)]
    public async Task Find_NoError_ReturnsTheWholeBody_AndReadsNoMoreThanNeeded(string text, int reads)
    {
        byte[] content = Encoding.UTF8.GetBytes(text);
        for (int piece = 1; piece <= content.Length + 1; piece++)
        {
            using PieceStream body = new(content, piece);
            (ErrorBody error, Stream whole) = await HiddenError.FindAsync(body, CancellationToken.None);

            Assert.Null(error.Code);
            Assert.InRange(body.Reads, 0, piece == 1 ? reads : int.MaxValue);
            using MemoryStream copy = new();
            await whole.CopyToAsync(copy);
            Assert.Equal(content, copy.ToArray());
        }
    }

    /// <summary>An error has at most 64 KiB. What looks like one and is longer is an object, which is read completely.</summary>
    [Theory]
    [InlineData(-1)]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Find_AtTheLimit(int beyond)
    {
        const int max = 64 * 1024;
        const string begin = "<Error><Code>SlowDown</Code><Message>";
        const string end = "</Message></Error>";
        byte[] content = Encoding.UTF8.GetBytes(begin + new string('x', max - begin.Length - end.Length + beyond) + end);
        using PieceStream body = new(content, 10_000);

        (ErrorBody error, Stream whole) = await HiddenError.FindAsync(body, CancellationToken.None);

        Assert.Equal(beyond < 0 ? "SlowDown" : null, error.Code);
        using MemoryStream copy = new();
        await whole.CopyToAsync(copy);
        Assert.Equal(beyond < 0 ? 0 : content.Length, copy.Length);
    }

    [Theory]
    [InlineData(null, false, -1, true)]
    [InlineData("", false, 100, true)]
    [InlineData(null, false, 65_536, true)]
    [InlineData(null, false, 65_537, false)]
    [InlineData(null, false, 0, false)]
    [InlineData("\"e\"", false, 100, false)]
    [InlineData(null, true, -1, false)]
    public void IsPossible_OnlyWithoutWhatObjectsHave(string? etag, bool hasTime, long length, bool isPossible)
        => Assert.Equal(isPossible, HiddenError.IsPossible(etag, hasTime, length));

    /// <summary>A stream that returns its content in pieces.</summary>
    private sealed class PieceStream(byte[] content, int piece) : MemoryStream(content)
    {
        public int Reads { get; private set; }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Reads++;
            return base.ReadAsync(buffer.Length > piece ? buffer[..piece] : buffer, cancellationToken);
        }
    }
}
