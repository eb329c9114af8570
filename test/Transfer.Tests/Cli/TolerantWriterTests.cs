using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Tests.Cli;

/// <summary>Standard error, which may be closed with its terminal.</summary>
public sealed class TolerantWriterTests
{
    [Fact]
    public async Task Write_AnyOverload_WritesTheText()
    {
        using StringWriter inner = new() { NewLine = "\n" };
        using TolerantWriter writer = new(inner);

        writer.Write('a');
        writer.Write("b");
        writer.Write(['c', 'd']);
        writer.Write("ef".AsSpan());
        writer.Write(7);
        writer.WriteLine("g");
        await writer.WriteLineAsync("h");
        await writer.WriteAsync("i");
        await writer.FlushAsync();

        Assert.Equal("abcdef7g\nh\ni", inner.ToString());
    }

    [Fact]
    public async Task Write_OutputIsClosed_DoesNotThrow()
    {
        using TolerantWriter writer = new(new DeadWriter());

        writer.Write('a');
        writer.Write("b");
        writer.Write(["c"[0]]);
        writer.WriteLine("d");
        writer.WriteLine();
        await writer.WriteLineAsync("e");
        writer.Flush();
    }

    private sealed class DeadWriter : TextWriter
    {
        public override System.Text.Encoding Encoding => System.Text.Encoding.UTF8;

        public override void Write(char value) => throw new IOException("Input/output error");

        public override void Write(string? value) => throw new IOException("Input/output error");

        public override void WriteLine(string? value) => throw new IOException("Input/output error");

        public override void Flush() => throw new IOException("Input/output error");
    }
}
