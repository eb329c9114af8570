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

    [Theory]
    [InlineData("InvalidObjectState", HttpStatusCode.Forbidden)]
    [InlineData("AccessDenied", HttpStatusCode.Forbidden)]
    [InlineData("NotImplemented", HttpStatusCode.NotImplemented)]
    [InlineData(null, HttpStatusCode.Forbidden)]
    public void Is_TheSameErrorOfTheFirstThousandObjects_Hopeless(string? code, HttpStatusCode status)
    {
        TransferException error = new("text") { ErrorCode = code, StatusCode = status };
        HopelessFailures failures = new();

        Assert.DoesNotContain(true, Enumerable.Range(0, HopelessFailures.MaxAlike - 1).Select(_ => failures.Is(error)));
        Assert.True(failures.Is(error));
    }

    [Fact]
    public void Is_TheSameErrorOfAllButOneObject_NotHopeless()
    {
        TransferException denied = new("text") { ErrorCode = "AccessDenied", StatusCode = HttpStatusCode.Forbidden };
        HopelessFailures failures = new();

        failures.Moved();

        Assert.DoesNotContain(true, Enumerable.Range(0, 2 * HopelessFailures.MaxAlike).Select(_ => failures.Is(denied)));
    }

    [Fact]
    public void Is_DifferentErrors_NotHopeless()
    {
        TransferException denied = new("text") { ErrorCode = "AccessDenied", StatusCode = HttpStatusCode.Forbidden };
        TransferException archived = new("text") { ErrorCode = "InvalidObjectState", StatusCode = HttpStatusCode.Forbidden };
        TransferException local = new("text", new UnauthorizedAccessException());
        HopelessFailures failures = new();

        Assert.DoesNotContain(true, Enumerable.Range(0, 2 * HopelessFailures.MaxAlike).Select(i => failures.Is(i % 2 == 0 ? denied : archived)));
        Assert.DoesNotContain(true, Enumerable.Range(0, 2 * HopelessFailures.MaxAlike).Select(_ => failures.Is(local)));
    }

    [Fact]
    public void Is_WhereAllAreToBeTried_OnlyWhatSurelyFailsThem()
    {
        TransferException denied = new("text") { ErrorCode = "AccessDenied", StatusCode = HttpStatusCode.Forbidden };
        HopelessFailures failures = new(triesAll: true);

        Assert.DoesNotContain(true, Enumerable.Range(0, 2 * HopelessFailures.MaxAlike).Select(_ => failures.Is(denied)));
        Assert.True(failures.Is(new TransferException("text") { ErrorCode = "NoSuchBucket" }));
    }
}
