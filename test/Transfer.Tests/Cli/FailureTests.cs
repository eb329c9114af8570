using System.Net;
using System.Net.Sockets;
using Amazon.S3;
using Transfer.S3.Cli;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli;

public sealed class FailureTests
{
    private const string Store = "http://store:9000/";

    [Fact]
    public void Of_StoreError_NamesObjectCodeAndRequestId()
    {
        Failure failure = Of(new TransferException("long text") { Bucket = "b", Key = "k", ErrorCode = "NoSuchKey", StatusCode = HttpStatusCode.NotFound, RequestId = "R1" });
        Assert.EachEqual((ExitCode.Failed, "k", "R1"), (failure.ExitCode, failure.Key, failure.RequestId));
        Assert.Equal("s3://b/k: there is no such key (NoSuchKey, request id R1)", failure.Message);
    }

    [Fact]
    public void Of_KeyWithALineBreak_EscapesIt()
        => Assert.Equal("s3://b/a\\nb: no", Of(new TransferException("s3://b/a\nb: no") { Bucket = "b", Key = "a\nb" }).Message);

    [Fact]
    public void Of_ArchivedObject_SaysWhatToDo()
        => Assert.StartsWith(
            "s3://b/k: the object is archived and can't be read; cp --archived restore requests its restoration",
            Of(new TransferException("s3://b/k: no") { Bucket = "b", Key = "k", ErrorCode = "InvalidObjectState", StatusCode = System.Net.HttpStatusCode.Forbidden }).Message,
            StringComparison.Ordinal);

    [Fact]
    public void Of_NoResponse_NamesTheEndpoint()
    {
        // The exceptions of the library, and those that the SDK passes on.
        SocketException socket = new((int)SocketError.NotConnected);
        Exception[] ways = [new TransferException("no connection", new HttpRequestException("refused")) { Bucket = "b" }, new HttpRequestException("refused", socket), new IOException("reset", socket), socket];
        Assert.All(ways, way =>
        {
            Failure failure = Of(way);
            Assert.Equal(ExitCode.Failed, failure.ExitCode);
            Assert.Contains(Store, failure.Message, StringComparison.Ordinal);
            Assert.DoesNotContain("unexpected", failure.Message, StringComparison.Ordinal);
        });
    }

    [Fact]
    public void Of_Mismatch_HasItsOwnExitCode() => Assert.Equal(ExitCode.Mismatch, Of(new ChecksumMismatchException("differs")).ExitCode);

    [Fact]
    public void Of_ArgumentExceptionOfTheLibrary_IsAUsageErrorWithOptionNames()
    {
        Failure failure = Of(new ArgumentOutOfRangeException("options", 1, "PartSizeBytes is 1 GiB; it must be at most MemoryBytes."));
        Assert.Equal(ExitCode.Usage, failure.ExitCode);
        Assert.StartsWith("--part-size is 1 GiB; it must be at most --memory", failure.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("Parameter", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Of_Cancellation_IsInterruptedOnlyIfRequested()
    {
        Assert.Equal(ExitCode.Interrupted, Failure.From(new OperationCanceledException(), null, new CancellationToken(canceled: true)).ExitCode);
        Assert.Equal(ExitCode.Failed, Of(new OperationCanceledException()).ExitCode);
    }

    [Fact]
    public void Of_Cancellation_ReportsWhatWasNotCleanedUp()
    {
        TransferCanceledException e = new(new OperationCanceledException(), new TransferException("the upload U1 stays open"), new CancellationToken(canceled: true));
        Failure failure = Failure.From(e, null, e.CancellationToken);
        Assert.EachEqual((ExitCode.Interrupted, "interrupted; and cleaning up failed: the upload U1 stays open"), (failure.ExitCode, failure.Message));
    }

    [Fact]
    public void Of_SdkErrorInABenchmark_HasItsCodeAndRequestId()
        => Assert.Equal(
            new Failure(ExitCode.Failed, "text (SlowDown, request id R2)", null, "R2"),
            Of(new AmazonS3Exception("text", Amazon.Runtime.ErrorType.Sender, "SlowDown", "R2", HttpStatusCode.ServiceUnavailable)));

    [Fact]
    public void Of_ErrorThatIsAboutNoBucket_HasNoAddress()
        => Assert.StartsWith("access denied", Of(new TransferException("no") { ErrorCode = "AccessDenied", StatusCode = HttpStatusCode.Forbidden }).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("b", null, "s3://b/k: the bucket is in the region eu-west-1; specify it with --region eu-west-1 or AWS_REGION")]
    [InlineData(null, null, "the store is in the region eu-west-1; specify it with --region eu-west-1 or AWS_REGION")]
    [InlineData("b", CopySide.Source, "source s3://b/k: the bucket is in the region eu-west-1; specify it with --from-region eu-west-1 or AWS_REGION")]
    public void Of_OtherRegion_SaysHowToSetIt(string? bucket, CopySide? side, string expected)
        => Assert.StartsWith(expected, Of(new TransferException("text") { Bucket = bucket, Key = bucket is null ? null : "k", BucketRegion = "eu-west-1", CopySide = side }).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("Bad_Name", "InvalidBucketName", HttpStatusCode.BadRequest, "s3://Bad_Name/k: the name of the bucket is not valid; a bucket name has 3 to 63 lowercase letters, digits, dots, and hyphens")]
    [InlineData("ab", "NoSuchBucket", HttpStatusCode.NotFound, "s3://ab/k: there is no such bucket; a bucket name has 3 to 63 lowercase letters, digits, dots, and hyphens")]
    [InlineData("abc", "NoSuchBucket", HttpStatusCode.NotFound, "s3://abc/k: there is no such bucket; run 'transfer ls' to list the buckets")]
    [InlineData("arn:aws:s3:::b", "InvalidBucketName", null, "long text (InvalidBucketName)")]
    public void Of_BadBucketName_NamesTheRule(string bucket, string code, HttpStatusCode? status, string expected)
        => Assert.StartsWith(expected, Of(new TransferException("long text") { Bucket = bucket, Key = "k", ErrorCode = code, StatusCode = status }).Message, StringComparison.Ordinal);

    [Fact]
    public void Of_Hint_IsShownOnce()
    {
        TransferException e = new("long text.") { Bucket = "b", Key = "k", ErrorCode = "SignatureDoesNotMatch", StatusCode = HttpStatusCode.Forbidden, Hint = "check the proxy" };
        Assert.Equal("s3://b/k: the store rejected the signature; check AWS_SECRET_ACCESS_KEY and the region; check the proxy (SignatureDoesNotMatch)", Of(e).Message);
        Assert.Equal("long text; check the proxy", Of(new TransferException("long text.") { Hint = "check the proxy" }).Message);
    }

    [Fact]
    public void Of_Usage_KeepsItsMessage() => Assert.Equal(new Failure(ExitCode.Usage, "why"), Of(new UsageException("why")));

    /// <summary>.NET adds the path to its messages, in several forms.</summary>
    [Theory]
    [InlineData("'/a/b' could not be written: {0}", "Read-only file system : '/a/b'", "'/a/b' could not be written: Read-only file system")]
    [InlineData("'/a/b' could not be read: {0}.", "Access to the path '/a/b' is denied.", "'/a/b' could not be read: permission denied")]
    [InlineData("s3://b/k : 'x': {0}", "No space left on device : '/a/b'", "s3://b/k : 'x': '/a/b': No space left on device")]
    [InlineData("'/a/b': {0}", "Could not find file '/a/b'.", "'/a/b': no such file")]
    [InlineData("'/a/b': {0}", "Broken pipe", "'/a/b': Broken pipe")]
    public void Of_AFile_NamesItOnce(string format, string message, string expected)
        => Assert.Equal(expected, Of(new TransferException(string.Format(System.Globalization.CultureInfo.InvariantCulture, format, message.TrimEnd('.')), new IOException(message))).Message);

    [Fact]
    public void Of_AFileAlone_BeginsWithIt()
        => Assert.Equal("'/a/b': Read-only file system", Of(new IOException("Read-only file system : '/a/b'")).Message);

    [Fact]
    public void Of_AnyMessage_IsOneLine() => Assert.Equal("a b \\u001b", Of(new IOException("a\r\nb \u001b")).Message);

    private static Failure Of(Exception e) => Failure.From(e, Store, CancellationToken.None);
}
