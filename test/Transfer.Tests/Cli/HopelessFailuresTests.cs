using System.Net;
using System.Net.Sockets;
using Transfer.Cli.Commands;

namespace Transfer.Tests.Cli;

public sealed class HopelessFailuresTests
{
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

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Is_NoAnswer_OnlyAgainAndAgainWithNothingMovedBetween(bool isSocketsOwn)
    {
        TransferException unanswered = new("no connection", isSocketsOwn ? new SocketException((int)SocketError.NotConnected) : new HttpRequestException("refused"));
        HopelessFailures failures = new();
        Assert.DoesNotContain(true, Enumerable.Range(0, 19).Select(_ => failures.Is(unanswered)));
        failures.Moved();
        Assert.DoesNotContain(true, Enumerable.Range(0, 19).Select(_ => failures.Is(unanswered)));
        Assert.True(failures.Is(unanswered));
    }
}
