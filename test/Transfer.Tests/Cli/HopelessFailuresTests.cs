using System.Net;
using Transfer.Cli.Commands;

namespace Transfer.Tests.Cli;

public sealed class HopelessFailuresTests
{
    private static readonly TransferException Unanswered = new("no connection", new HttpRequestException("refused"));

    [Theory]
    [InlineData("NoSuchBucket", true)]
    [InlineData("InvalidAccessKeyId", true)]
    [InlineData("ExpiredToken", true)]
    [InlineData("AccessDenied", false)]
    [InlineData("NoSuchKey", false)]
    [InlineData("InternalError", false)]
    public void Is_StoresError_DependsOnWhetherAllShareIt(string code, bool expected)
        => Assert.Equal(expected, new HopelessFailures().Is(new TransferException("text") { ErrorCode = code, StatusCode = HttpStatusCode.Forbidden }));

    [Theory]
    [InlineData(28, true)]
    [InlineData(unchecked((int)0x80070070), true)]
    [InlineData(13, false)]
    public void Is_ErrorOfTheDisk_WhereItIsFull(int code, bool expected)
        => Assert.Equal(expected, new HopelessFailures().Is(new TransferException("text", new IOException("why", code))));

    [Fact]
    public void Is_NoAnswer_OnlyAgainAndAgainWithNothingMovedBetween()
    {
        HopelessFailures failures = new();
        Assert.DoesNotContain(true, Enumerable.Range(0, 19).Select(_ => failures.Is(Unanswered)));
        failures.Moved();
        Assert.DoesNotContain(true, Enumerable.Range(0, 19).Select(_ => failures.Is(Unanswered)));
        Assert.True(failures.Is(Unanswered));
    }
}
