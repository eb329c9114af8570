using FsCheck;
using FsCheck.Fluent;
using Transfer.S3.Cli.Options;
using Transfer.S3.Server;

namespace Transfer.S3.Tests.Cli;

public sealed class FaultTextTests
{
    [Theory]
    [InlineData("slow-down=0.05", ServerFault.SlowDown, 0.05)]
    [InlineData("slow-down-retry-after=1", ServerFault.SlowDownRetryAfter, 1)]
    [InlineData("change-etag=.5", ServerFault.ChangeETag, 0.5)]
    [InlineData("fail-handshake=0", ServerFault.FailHandshake, 0)]
    public void TryParse_NameAndProbability_ReturnsBoth(string text, ServerFault fault, double probability)
    {
        Assert.True(FaultText.TryParse(text, out KeyValuePair<ServerFault, double> parsed));
        Assert.Equal(new KeyValuePair<ServerFault, double>(fault, probability), parsed);
    }

    [Theory]
    [InlineData("")]
    [InlineData("slow-down")]
    [InlineData("slow-down=")]
    [InlineData("slow-down=1.01")]
    [InlineData("slow-down=-0.1")]
    [InlineData("slow-down=5%")]
    [InlineData("slow-down=NaN")]
    [InlineData("SlowDown=0.1")]
    [InlineData("0=0.1")]
    [InlineData("=0.1")]
    public void TryParse_AnythingElse_ReturnsFalse(string text) => Assert.False(FaultText.TryParse(text, out _));

    [Fact]
    public void Accepted_NamesEveryFault_AndEachIsAccepted()
    {
        foreach (ServerFault fault in Enum.GetValues<ServerFault>())
        {
            Assert.Contains(EnumText.Name(fault), FaultText.Accepted, StringComparison.Ordinal);
            Assert.True(FaultText.TryParse($"{EnumText.Name(fault)}=0.25", out KeyValuePair<ServerFault, double> parsed));
            Assert.Equal(fault, parsed.Key);
        }
    }

    [Fact]
    public void TryParse_AnyText_NeverThrows()
        => Prop.ForAll<string>(static text => FaultText.TryParse(text ?? string.Empty, out _) || true).QuickCheckThrowOnFailure();
}
