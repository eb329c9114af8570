using System.Text;
using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli;

/// <summary>The formats of --keys-from.</summary>
public sealed class KeyListReaderTests
{
    [Theory]
    [InlineData("lines", "")]
    [InlineData("lines", "\n\r\n\n")]
    [InlineData("lines", "p/a", "p/a")]
    [InlineData("lines", "p/a\n", "p/a")]
    [InlineData("lines", "\uFEFFp/a\r\n\r\np/b\r\n", "p/a", "p/b")]
    [InlineData("lines", "p/é😀 +%2F,\"\t\u0001\np/ x \n", "p/é😀 +%2F,\"\t\u0001", "p/ x ")]
    [InlineData("nul", "p/a\nb\r\0\0p/c", "p/a\nb\r", "p/c")]
    [InlineData("csv", "b,p/a\r\n\"b\",\"p/c\"\n", "p/a", "p/c")]
    [InlineData("csv", "b,p/a+b%2B%20%C3%A9%0A%25%2C\nb,\"p/\"\"x\"\"\"\nb,p/é+", "p/a b+ é\n%,", "p/\"x\"", "p/é ")]
    [InlineData("csv:Bucket, Key, Size, ETag", "b,p/a,5,x\n", "p/a")]
    [InlineData("csv:size,key,bucket", "5,p/a,b\n", "p/a")]
    [InlineData("csv:Bucket,Key,VersionId", "b,p/a,\n", "p/a")]
    public async Task ReadAsync_EachFormat_ReturnsItsKeys(string format, string text, params string[] keys)
    {
        foreach (int bytesPerRead in new[] { 1, 7, 100_000 })
        {
            KeyListReader reader = Reader(format, Encoding.UTF8.GetBytes(text), bytesPerRead);
            Assert.Equal(keys, await reader.ReadAsync().Select(one => one.Key).ToListAsync());
            Assert.Null(reader.Error);
        }
    }

    [Theory]
    [InlineData("csv:Bucket,Key,Size,ETag", "b,p/a,5,x", 5, "x")]
    [InlineData("csv:Bucket,Key,Size,ETag", "b,p/a,,", null, null)]
    [InlineData("csv:Bucket,Key,ETag,Size", "b,p/a,\"\"\"x-2\"\"\",0", 0, "x-2")]
    [InlineData("csv:Bucket,Key,ETag", "b,p/a,x y", null, null)]
    [InlineData("csv:Bucket,Key,ETag", "b,p/a,*", null, null)]
    [InlineData("report", "{\"status\":\"done\",\"source\":\"s3://b/p/a\",\"target\":\"/d/a\",\"bytes\":5,\"source_etag\":\"\\\"x\\\"\",\"unknown\":[1]}", 5, "x")]
    [InlineData("report", "{\"status\":\"done\",\"source\":\"/d/a\",\"target\":\"s3://b/p/a\",\"bytes\":5,\"target_etag\":\"x\"}", 5, "x")]
    [InlineData("report", "{\"status\":\"done\",\"source\":\"s3://c/p/a\",\"target\":\"s3://b/p/a\",\"bytes\":5,\"source_etag\":\"y\"}", 5, null)]
    [InlineData("report:failed", "{\"status\":\"failed\",\"source\":\"s3://b/p/a\",\"bytes\":5}", null, null)]
    [InlineData("report-source", "{\"status\":\"done\",\"source\":\"s3://b/p/a\",\"target\":\"s3://b/p/c\",\"bytes\":5,\"source_etag\":\"x\",\"target_etag\":\"y\"}", 5, "x")]
    [InlineData("report-target", "{\"status\":\"done\",\"source\":\"s3://b/p/c\",\"target\":\"s3://b/p/a\",\"bytes\":5,\"source_etag\":\"x\",\"target_etag\":\"y\"}", 5, "y")]
    [InlineData("report-target: failed ", "{\"status\":\"failed\",\"source\":\"s3://b/p/c\",\"target\":\"s3://b/p/a\"}", null, null)]
    public async Task ReadAsync_SizesAndETags_AreHints(string format, string text, int? length, string? etag)
    {
        KeyListReader reader = Reader(format, Encoding.UTF8.GetBytes(text), 100);

        Assert.Equal(new ObjectKey { Key = "p/a", Length = length, ETag = etag }, Assert.Single(await reader.ReadAsync().ToListAsync()));
        Assert.Null(reader.Error);
    }

    /// <summary>A report also has lines of what failed. Nothing may be deleted because of them.</summary>
    [Theory]
    [InlineData("report", "p/done")]
    [InlineData("report:failed,conflict", "p/failed", "p/conflict")]
    [InlineData("report: skipped , done ", "p/done", "p/skipped")]
    public async Task ReadAsync_Report_UsesTheLinesOfItsStatuses(string format, params string[] keys)
    {
        StringBuilder text = new();
        foreach (string status in new[] { "done", "failed", "skipped", "conflict" })
        {
            text.Append(System.Globalization.CultureInfo.InvariantCulture, $"{{\"status\":\"{status}\",\"target\":\"s3://b/p/{status}\"}}\n");
        }

        KeyListReader reader = Reader(format, Encoding.UTF8.GetBytes(text.ToString()), 7);

        Assert.Equal(keys, await reader.ReadAsync().Select(one => one.Key).ToListAsync());
        Assert.Null(reader.Error);
    }

    [Theory]
    [InlineData("lines", "p/a\n\nq/b\np/c\n", "line 3 of 'list': the key 'q/b' is not under 'p/'", 1)]
    [InlineData("lines", "p/a\0p/b", "line 1 of 'list': it contains a NUL byte", 0)]
    [InlineData("lines", "p/a\np/\u00ff\n", "line 2 of 'list': it isn't valid UTF-8", 1)]
    [InlineData("nul", "p/a\0q/b\0", "key 2 of 'list': the key 'q/b' is not under 'p/'", 1)]
    [InlineData("csv", "b,p/a\nc,p/b\n", "line 2 of 'list': its bucket is 'c' instead of 'b'", 1)]
    [InlineData("csv", "Bucket,Key\n", "line 1 of 'list': its bucket is 'Bucket'", 0)]
    [InlineData("csv", "p/a\n", "line 1 of 'list': it has 1 column instead of 2", 0)]
    [InlineData("csv", "b,p/a,5\n", "line 1 of 'list': it has 3 columns instead of 2", 0)]
    [InlineData("csv", "b,\n", "line 1 of 'list': its key is empty", 0)]
    [InlineData("csv", "b,\"p/a\n", "line 1 of 'list': its quotation marks don't match", 0)]
    [InlineData("csv", "b,\"p/a\"x\n", "line 1 of 'list': its quotation marks don't match", 0)]
    [InlineData("csv", "b,p/%4\n", "line 1 of 'list': the key 'p/%4' isn't URL-encoded", 0)]
    [InlineData("csv", "b,p/%FF\n", "line 1 of 'list': the key 'p/%FF' isn't URL-encoded", 0)]
    [InlineData("csv:Bucket,Key,Size", "b,p/a,1\nb,p/b,-1\n", "line 2 of 'list': its size is '-1' instead of a number of bytes", 1)]
    [InlineData("csv:Bucket,Key,Size", "b,p/a,1.5\n", "line 1 of 'list': its size is '1.5'", 0)]
    [InlineData("report", "p/a\n", "line 1 of 'list': it isn't a line of a report, as --report writes it", 0)]
    [InlineData("report", "{}\n", "line 1 of 'list': it isn't a line of a report", 0)]
    [InlineData("report", "{\"status\":\"done\",\"target\":\"s3://b/p/a\",\"version_id\":\"v1\"}\n", "line 1 of 'list': it is about the version 'v1'", 0)]
    [InlineData("report", "[1]\n", "line 1 of 'list': it isn't a line of a report", 0)]
    [InlineData("report", "null\n", "line 1 of 'list': it isn't a line of a report", 0)]
    [InlineData("report", "{\"status\":\"done\",\"target\":\"s3://b/p/a\"}\n{\"status\":\"done\",\"target\":\"s3://b/q/a\"}\n", "line 2 of 'list': neither its source nor its target is an object under 's3://b/p/'", 1)]
    [InlineData("report", "{\"status\":\"done\",\"source\":\"/d/a\",\"target\":\"s3://bb/p/a\"}\n", "line 1 of 'list': neither its source nor its target", 0)]
    [InlineData("report", "{\"status\":\"failed\",\"source\":\"s3://b/p/a\",\"target\":\"s3://b/p/c\"}\n{\"status\":\"done\",\"source\":\"s3://b/p/a\",\"target\":\"s3://b/p/c\"}\n", "line 2 of 'list': its source 's3://b/p/a' and its target 's3://b/p/c' are both under 's3://b/p/'; say which to use", 0)]
    [InlineData("report-source", "{\"status\":\"done\",\"source\":\"s3://b/q/a\",\"target\":\"s3://b/p/c\"}\n", "line 1 of 'list': its source is not an object under 's3://b/p/'", 0)]
    [InlineData("report-target", "{\"status\":\"done\",\"source\":\"s3://b/p/a\",\"target\":\"/d/a\"}\n", "line 1 of 'list': its target is not an object under 's3://b/p/'", 0)]
    [InlineData("report", "{\"status\":\"done\",\"target\":\"s3://b/p/a\"}\n{\"status\":\"done\",\"target\":\"s3://b/p/", "line 2 of 'list': it isn't a line of a report", 1)]
    [InlineData("csv:Bucket,Key,VersionId", "b,p/a,\nb,p/b,v1\n", "line 2 of 'list': it is about the version 'v1'", 1)]
    public async Task ReadAsync_WrongLine_EndsTheListWithItsNumber(string format, string text, string message, int keysBefore)
    {
        // Latin-1 has no UTF-8 byte sequence for the character above 0x7F.
        KeyListReader reader = Reader(format, Encoding.Latin1.GetBytes(text + "p/never"), 5);

        Assert.Equal(keysBefore, await reader.ReadAsync().CountAsync());
        Assert.StartsWith(message, reader.Error!.Message, StringComparison.Ordinal);
    }

    /// <summary>A plan binds each object to its version. Older versions and deleted objects aren't planned.</summary>
    [Theory]
    [InlineData("csv:Bucket,Key,VersionId", "b,p/a,v1\nb,p/b,\n", "p/a v1", "p/b ")]
    [InlineData("csv:Bucket,Key,VersionId,IsLatest,IsDeleteMarker", "b,p/a,v2,true,false\nb,p/a,v1,false,false\nb,p/b,v3,true,true\nb,p/c,v4,TRUE,FALSE\n", "p/a v2", "p/c v4")]
    [InlineData("report", "{\"status\":\"done\",\"source\":\"s3://b/p/a\",\"version_id\":\"v1\"}\n", "p/a v1")]
    public async Task ReadAllAsync_OfAPlan_HasVersions(string format, string text, params string[] expected)
    {
        KeyListReader reader = new(Settings(format), Prefix(), () => new MemoryStream(Encoding.UTF8.GetBytes(text)), plans: true);
        Assert.Equal(expected, await reader.ReadAllAsync().Select(one => $"{one.Key} {one.VersionId}").ToListAsync());
    }

    [Fact]
    public async Task ReadAllAsync_WrongLine_Throws()
    {
        KeyListReader reader = new(Settings("lines"), Prefix(), () => new MemoryStream("p/a\nq/b\n"u8.ToArray()), plans: true);
        TransferException error = await Assert.ThrowsAsync<TransferException>(async () => await reader.ReadAllAsync().ToListAsync());
        Assert.Equal("line 2 of 'list': the key 'q/b' is not under 'p/'. Nothing was planned.", error.Message);
    }

    [Theory]
    [InlineData("lines")]
    [InlineData("nul")]
    public async Task ReadAsync_LineWithoutEnd_IsRefusedBeforeItFillsTheMemory(string format)
    {
        using EndlessStream stream = new();
        KeyListReader reader = new(Settings(format), Prefix(), () => stream);

        Assert.Empty(await reader.ReadAsync().ToListAsync().AsTask().Within());
        Assert.Contains("1 of 'list': it is longer than 64 KiB", reader.Error!.Message, StringComparison.Ordinal);
        Assert.InRange(stream.Position, 64 * 1024, 1024 * 1024);
    }

    [Fact]
    public async Task ReadAsync_FileThatCannotBeRead_IsTheError()
    {
        KeyListReader reader = new(Settings("lines"), Prefix(), () => throw new IOException("no medium"));
        Assert.Empty(await reader.ReadAsync().ToListAsync());
        Assert.Equal("'list' can't be read: no medium", reader.Error!.Message);
    }

    [Theory]
    [InlineData("csv:")]
    [InlineData("csv:Bucket,Size")]
    [InlineData("CSV")]
    [InlineData("json")]
    [InlineData("report:")]
    [InlineData("report:ok")]
    [InlineData("report:done,,failed")]
    [InlineData("report-source:")]
    [InlineData("report-sources")]
    [InlineData("nul:")]
    [InlineData("lines:x")]
    [InlineData("")]
    public void TryParse_OtherFormats_AreRefused(string text) => Assert.False(KeyListFormat.TryParse(text, out _));

    private static KeyListReader Reader(string format, byte[] content, int bytesPerRead) => new(Settings(format), Prefix(), () => new TricklingStream(content, bytesPerRead));

    private static Location Prefix() => Location.Parse("s3://b/p/");

    private static KeyListSettings Settings(string format)
    {
        Assert.True(KeyListFormat.TryParse(format, out KeyListFormat parsed));
        return new KeyListSettings("list", parsed);
    }

    private sealed class TricklingStream(byte[] content, int bytesPerRead) : MemoryStream(content)
    {
        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
            => base.ReadAsync(buffer[..Math.Min(buffer.Length, bytesPerRead)], cancellationToken);
    }

    private sealed class EndlessStream : MemoryStream
    {
        private long _position;

        public override long Position
        {
            get => _position;
            set => _position = value;
        }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            buffer.Span.Fill((byte)'x');
            _position += buffer.Length;
            return new ValueTask<int>(buffer.Length);
        }
    }
}
