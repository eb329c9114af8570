using System.Net;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli;

public sealed class MetricsAddressTextTests
{
    [Theory]
    [InlineData("9464", "127.0.0.1:9464")]
    [InlineData("0", "127.0.0.1:0")]
    [InlineData("127.0.0.1:9464", "127.0.0.1:9464")]
    [InlineData("localhost:9464", "127.0.0.1:9464")]
    [InlineData("0.0.0.0:65535", "0.0.0.0:65535")]
    [InlineData("[::1]:9464", "[::1]:9464")]
    [InlineData("[::]:1", "[::]:1")]
    public void TryParse_Address_IsTaken(string text, string expected)
    {
        Assert.True(MetricsAddressText.TryParse(text, out IPEndPoint address));
        Assert.Equal(expected, address.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData(":")]
    [InlineData("x")]
    [InlineData(":9464")]
    [InlineData("65536")]
    [InlineData("-1")]
    [InlineData("+1")]
    [InlineData("99999999999")]
    [InlineData("127.0.0.1")]
    [InlineData("127.0.0.1:")]
    [InlineData("127.1:9464")]
    [InlineData("1:9464")]
    [InlineData("::1")]
    [InlineData("::1:9464")]
    [InlineData("[127.0.0.1]:9464")]
    [InlineData("[]:9464")]
    [InlineData("store.example:9464")]
    [InlineData("http://127.0.0.1:9464")]
    public void TryParse_AnythingElse_IsNot(string text) => Assert.False(MetricsAddressText.TryParse(text, out _));
}
