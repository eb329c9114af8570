using System.Buffers;
using Amazon.S3;
using Amazon.S3.Model;
using Microsoft.Extensions.Logging.Abstractions;
using Moq;
using Transfer.S3.Buffers;
using Transfer.S3.Stores;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;
using Transfer.S3.Wire.Sdk;

namespace Transfer.S3.Tests.Wire;

public class SdkWireTests
{
    private static readonly StoreProfile Profile = new(TimeProvider.System, NullLogger.Instance);
    [Fact]
    public async Task Attributes_SdkIgnoresCancellation_EndsWhenCanceled()
    {
        Mock<IAmazonS3> s3 = new();
        s3.Setup(client => client.GetObjectAttributesAsync(It.IsAny<GetObjectAttributesRequest>(), It.IsAny<CancellationToken>()))
            .Returns(new TaskCompletionSource<GetObjectAttributesResponse>().Task);
        SdkWire wire = new(s3.Object, WireSettings.Default, Profile);
        using CancellationTokenSource cancel = new();
        Task<StoredChecksum?> asking = wire.GetAttributesChecksumAsync(new ObjectAddress("bucket", "key"), null, cancel.Token);

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => asking.Within());
    }

    [Fact]
    public async Task Get_SdkIgnoresCancellation_EndsWhenCanceledAndDisposesALateResponse()
    {
        TaskCompletionSource<GetObjectResponse> answer = new();
        Mock<IAmazonS3> s3 = new();
        s3.Setup(client => client.GetObjectAsync(It.IsAny<GetObjectRequest>(), It.IsAny<CancellationToken>())).Returns(answer.Task);
        SdkWire wire = new(s3.Object, WireSettings.Default, Profile);
        using CancellationTokenSource cancel = new();
        Task<RangeResponse> asking = wire.GetRangeAsync(new ObjectAddress("bucket", "key"), new RequestedRange(0, 1), ReadCondition.None, wantChecksum: true, cancel.Token);

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => asking.Within());
        ScriptedStream body = new(new byte[1]);
        answer.SetResult(new GetObjectResponse { ResponseStream = body });
        Assert.True(body.IsDisposed);
    }

    [Fact]
    public async Task Put_SdkIgnoresCancellation_EndsWhenCanceledAndClosesTheBody()
    {
        Stream? body = null;
        Mock<IAmazonS3> s3 = new();
        s3.Setup(client => client.PutObjectAsync(It.IsAny<PutObjectRequest>(), It.IsAny<CancellationToken>()))
            .Callback((PutObjectRequest request, CancellationToken _) => body = request.InputStream)
            .Returns(new TaskCompletionSource<PutObjectResponse>().Task);
        SdkWire wire = new(s3.Object, WireSettings.Default, Profile);
        using CancellationTokenSource cancel = new();
        Task<PublishedObject> putting = wire.PutObjectAsync(Target, Body, cancel.Token);

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => putting.Within());
        Assert.Throws<ObjectDisposedException>(() => body!.ReadByte());
    }

    [Fact]
    public async Task Part_CanceledWhileItsBodyIsSent_IsAwaited()
    {
        TaskCompletionSource<UploadPartResponse> answer = new();
        Mock<IAmazonS3> s3 = new();
        s3.Setup(client => client.UploadPartAsync(It.IsAny<UploadPartRequest>(), It.IsAny<CancellationToken>()))
            .Callback((UploadPartRequest request, CancellationToken _) => request.InputStream.ReadByte())
            .Returns(answer.Task);
        SdkWire wire = new(s3.Object, WireSettings.Default, Profile);
        using CancellationTokenSource cancel = new();
        Task<UploadedPart> sending = wire.UploadPartAsync(Target, "upload", 1, Body, cancel.Token);

        await cancel.CancelAsync();

        Assert.False(sending.IsCompleted); // the part may still reach the store, which must not happen after an abort
        answer.SetException(new OperationCanceledException());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => sending.Within());
    }

    [Fact]
    public async Task Complete_SdkIgnoresCancellation_HasSomeTimeToEnd()
    {
        SteppedClock time = new();
        Mock<IAmazonS3> s3 = new();
        s3.Setup(client => client.CompleteMultipartUploadAsync(It.IsAny<CompleteMultipartUploadRequest>(), It.IsAny<CancellationToken>()))
            .Returns(new TaskCompletionSource<CompleteMultipartUploadResponse>().Task);
        SdkWire wire = new(s3.Object, WireSettings.Default with { Time = time }, Profile);
        using CancellationTokenSource cancel = new();
        Task<PublishedObject> completing = wire.CompleteMultipartUploadAsync(Target, "upload", [], null, 1, cancel.Token);

        await cancel.CancelAsync();
        await time.AdvanceToTimerAsync(TimeSpan.FromSeconds(15));

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => completing.Within());
    }

    private static NewObject Target => new(new ObjectAddress("bucket", "key"), ChecksumAlgorithm.None, default, new ObjectHeaders());

    private static RequestBody Body => new(new SequenceBytes(new ReadOnlySequence<byte>([1, 2, 3])), null);
}
