using Transfer.S3.Server;

namespace Transfer.S3.Tests.Server;

public sealed class ResolvedOptionsTests
{
    public static TheoryData<EmbeddedS3ServerOptions, string> Wrong => new()
    {
        { new() { Port = -1 }, "Port is '-1'; allowed: 0 to 65535" },
        { new() { Port = 65536 }, "Port is '65536'" },
        { new() { Host = "example.org" }, "Host is 'example.org'; allowed: an IP address or localhost" },
        { new() { Directory = " " }, "Directory is ' '" },
        { new() { Directory = "x", Discard = true }, "Discard is 'True'; allowed: false while Directory is set" },
        { new() { AccessKeyId = "" }, "AccessKeyId is ''" },
        { new() { SecretAccessKey = "" }, "SecretAccessKey is '(hidden)'" },
        { new() { Region = "us east" }, "Region is 'us east'" },
        { new() { Buckets = ["good-name", "Bad"] }, "Buckets is 'Bad'" },
        { new() { FirstByteDelay = TimeSpan.FromTicks(-1) }, "FirstByteDelay is '-00:00:00.0000001'; allowed: 00:00:00 to 00:05:00" },
        { new() { FirstByteDelay = TimeSpan.FromMinutes(5) + TimeSpan.FromTicks(1) }, "FirstByteDelay is" },
        { new() { ConnectionBytesPerSecond = 1023 }, "ConnectionBytesPerSecond is '1023'; allowed: null, or 1024 to" },
        { new() { LinkBytesPerSecond = 0 }, "LinkBytesPerSecond is '0'" },
    };

    public static TheoryData<EmbeddedS3ServerOptions> Right => new(
        new EmbeddedS3ServerOptions(),
        new EmbeddedS3ServerOptions { Port = 0, FirstByteDelay = TimeSpan.Zero, ConnectionBytesPerSecond = 1024, LinkBytesPerSecond = 1024 },
        new EmbeddedS3ServerOptions { Port = 65535, FirstByteDelay = TimeSpan.FromMinutes(5), LinkBytesPerSecond = long.MaxValue },
        new EmbeddedS3ServerOptions { Host = "localhost", Region = "eu-1", Buckets = ["abc", "a.b-c"] },
        new EmbeddedS3ServerOptions { Host = "::1" });

    [Theory]
    [MemberData(nameof(Wrong))]
    public void From_OutOfRange_ErrorNamesOptionValueAndRange(EmbeddedS3ServerOptions options, string message) =>
        Assert.Contains(message, Assert.Throws<ArgumentException>(() => ResolvedOptions.From(options)).Message, StringComparison.Ordinal);

    [Theory]
    [MemberData(nameof(Right))]
    public void From_DefaultsAndLimits_AreAccepted(EmbeddedS3ServerOptions options) => Assert.Equal(options.Port, ResolvedOptions.From(options).Port);
}
