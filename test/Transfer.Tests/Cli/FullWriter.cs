using System.Text;

namespace Transfer.S3.Tests.Cli;

/// <summary>A file on a full disk.</summary>
internal sealed class FullWriter : TextWriter
{
    public override Encoding Encoding => Encoding.UTF8;

    public override void Write(char value)
    {
    }

    public override void Flush() => throw new IOException("No space left on device", 28);
}
