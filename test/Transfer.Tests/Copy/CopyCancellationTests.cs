using System.Net;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Copy;

/// <summary>Cancels at every call to the store in turn. The copy must end with a cancellation, and no upload may stay open.</summary>
public sealed class CopyCancellationTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;

    // HEAD, Create, two parts, Complete.
    public static TheoryData<int, bool> Calls => Matrix.Of(Enumerable.Range(0, 7), [false, true]);

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task CopyAsync_CanceledInParts_IsAbortedOrPublishedCompletely(int call, bool answers)
    {
        byte[] content = S3.Put("source", Part + 5);
        CopyOptions options = new() { PartSizeBytes = Part, MultipartThresholdBytes = Part };
        using CallerCancellation caller = new(S3, call, answers);

        bool done = await caller.RunAsync(token => NewClient().CopyAsync(new(FakeS3.Bucket, "source"), new(FakeS3.Bucket, FakeS3.Key), options, cancellationToken: token));

        Assert.Equal(done ? content : null, S3.Published());
        Assert.False(S3.HasOpenUpload);
        Assert.Equal(done || call is 0 or 1 ? 0 : 1, S3.GetCount(S3Call.Abort));
        Assert.True(done == call > 5 || answers);
    }

    /// <summary>The store continues to copy a part after the connection was closed.</summary>
    [Fact]
    public async Task CopyAsync_CanceledAndAPartIsStoredAfterTheAbort_IsAbortedAgain()
    {
        bool isLate = true;

        OperationCanceledException error = await CancelAsync(call =>
        {
            if (call.Operation == S3Call.ListParts && isLate)
            {
                isLate = false;
                S3.Reopen();
            }
        });

        Assert.Equal(typeof(OperationCanceledException), error.GetType());
        Assert.EachEqual((2, 2, false), (S3.GetCount(S3Call.Abort), S3.GetCount(S3Call.ListParts), S3.HasOpenUpload));
    }

    [Fact]
    public async Task CopyAsync_CanceledAndTheAbortFails_ExceptionSaysSo()
    {
        OperationCanceledException error = await CancelAsync(call =>
        {
            if (call.Operation == S3Call.Abort)
            {
                throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");
            }
        });

        Assert.Equal("AccessDenied", Assert.IsType<TransferException>(Assert.IsType<TransferCanceledException>(error).CleanupError).ErrorCode);
    }

    /// <summary>Cancels when the second part is requested.</summary>
    private async Task<OperationCanceledException> CancelAsync(Action<S3Call> before)
    {
        S3.Put("source", Part + 5);
        using CancellationTokenSource cancel = new();
        S3.Before = async (call, token) =>
        {
            before(call);
            if (call.Part == 2)
            {
                await cancel.CancelAsync();
                token.ThrowIfCancellationRequested();
            }
        };
        CopyOptions options = new() { PartSizeBytes = Part, MultipartThresholdBytes = Part };
        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => NewClient().CopyAsync(new(FakeS3.Bucket, "source"), new(FakeS3.Bucket, FakeS3.Key), options, cancellationToken: cancel.Token).Within());
        Assert.Equal(cancel.Token, error.CancellationToken);
        return error;
    }
}
