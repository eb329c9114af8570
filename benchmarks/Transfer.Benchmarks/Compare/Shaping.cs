using Transfer.S3.Server;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The latency and the rates of an embedded server.</summary>
/// <param name="FirstByteDelay">The delay of the first byte of every response.</param>
/// <param name="ConnectionBytesPerSecond">The rate of each connection; null for no limit.</param>
/// <param name="LinkBytesPerSecond">The rate of all connections together; null for no limit.</param>
internal sealed record Shaping(TimeSpan FirstByteDelay, long? ConnectionBytesPerSecond = null, long? LinkBytesPerSecond = null)
{
    public static Shaping None { get; } = new(TimeSpan.Zero);

    public void Apply(EmbeddedS3Server server)
    {
        server.FirstByteDelay = FirstByteDelay;
        server.ConnectionBytesPerSecond = ConnectionBytesPerSecond;
        server.LinkBytesPerSecond = LinkBytesPerSecond;
    }
}
