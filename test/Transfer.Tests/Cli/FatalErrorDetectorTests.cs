using System.Net;
using System.Net.Sockets;
using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Credentials;

namespace Transfer.S3.Tests.Cli;

public sealed class FatalErrorDetectorTests
{
    [Theory]
    [InlineData("NoSuchBucket", true)]
    [InlineData("InvalidAccessKeyId", true)]
    [InlineData("ExpiredToken", true)]
    [InlineData("AccessDenied", false)]
    [InlineData("NoSuchKey", false)]
    [InlineData("InternalError", false)]
    public void IsFatal_StoreError_DependsOnWhetherItAffectsAllObjects(string code, bool expected)
        => Assert.Equal(expected, new FatalErrorDetector().IsFatal(new TransferException("text") { ErrorCode = code, StatusCode = HttpStatusCode.Forbidden }));

    [Theory]
    [InlineData(28, true)]
    [InlineData(unchecked((int)0x80070070), true)]
    [InlineData(30, true)]
    [InlineData(13, false)]
    public void IsFatal_DiskError_IsTrueIfTheDiskIsFullOrReadOnly(int code, bool expected)
        => Assert.Equal(expected, new FatalErrorDetector().IsFatal(new TransferException("text", new IOException("why", code))));

    [Fact]
    public void IsFatal_CredentialsCannotBeRenewed_IsTrue()
        => Assert.True(new FatalErrorDetector().IsFatal(new TransferException("text", new InvalidOperationException("text", new CredentialException("no")))));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void IsFatal_NoResponse_IsTrueOnlyIfRepeatedWithoutProgress(bool isSocketsOwn)
    {
        TransferException unanswered = new("no connection", isSocketsOwn ? new SocketException((int)SocketError.NotConnected) : new HttpRequestException("refused"));
        FatalErrorDetector detector = new();
        Assert.DoesNotContain(true, Enumerable.Range(0, 19).Select(_ => detector.IsFatal(unanswered)));
        detector.NoteSuccess();
        Assert.DoesNotContain(true, Enumerable.Range(0, 19).Select(_ => detector.IsFatal(unanswered)));
        Assert.True(detector.IsFatal(unanswered));
    }

    [Theory]
    [InlineData("InvalidObjectState", HttpStatusCode.Forbidden)]
    [InlineData("AccessDenied", HttpStatusCode.Forbidden)]
    [InlineData("NotImplemented", HttpStatusCode.NotImplemented)]
    [InlineData(null, HttpStatusCode.Forbidden)]
    public void IsFatal_SameErrorForTheFirstThousandObjects_IsTrue(string? code, HttpStatusCode status)
    {
        TransferException error = new("text") { ErrorCode = code, StatusCode = status };
        FatalErrorDetector detector = new();

        Assert.DoesNotContain(true, Enumerable.Range(0, FatalErrorDetector.MaxAlike - 1).Select(_ => detector.IsFatal(error)));
        Assert.True(detector.IsFatal(error));
    }

    [Fact]
    public void IsFatal_SameErrorForAllButOneObject_IsFalse()
    {
        TransferException denied = new("text") { ErrorCode = "AccessDenied", StatusCode = HttpStatusCode.Forbidden };
        FatalErrorDetector detector = new();

        detector.NoteSuccess();

        Assert.DoesNotContain(true, Enumerable.Range(0, 2 * FatalErrorDetector.MaxAlike).Select(_ => detector.IsFatal(denied)));
    }

    [Fact]
    public void IsFatal_DifferentErrors_IsFalse()
    {
        TransferException denied = new("text") { ErrorCode = "AccessDenied", StatusCode = HttpStatusCode.Forbidden };
        TransferException archived = new("text") { ErrorCode = "InvalidObjectState", StatusCode = HttpStatusCode.Forbidden };
        TransferException local = new("text", new UnauthorizedAccessException());
        FatalErrorDetector detector = new();

        Assert.DoesNotContain(true, Enumerable.Range(0, 2 * FatalErrorDetector.MaxAlike).Select(i => detector.IsFatal(i % 2 == 0 ? denied : archived)));
        Assert.DoesNotContain(true, Enumerable.Range(0, 2 * FatalErrorDetector.MaxAlike).Select(_ => detector.IsFatal(local)));
    }

    [Fact]
    public void IsFatal_AllObjectsMustBeTried_IsTrueOnlyForCertainErrors()
    {
        TransferException denied = new("text") { ErrorCode = "AccessDenied", StatusCode = HttpStatusCode.Forbidden };
        FatalErrorDetector detector = new(triesAll: true);

        Assert.DoesNotContain(true, Enumerable.Range(0, 2 * FatalErrorDetector.MaxAlike).Select(_ => detector.IsFatal(denied)));
        Assert.True(detector.IsFatal(new TransferException("text") { ErrorCode = "NoSuchBucket" }));
    }
}
