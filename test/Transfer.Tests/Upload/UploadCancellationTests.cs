using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Upload;

/// <summary>The caller cancels at every call to the store in turn: what ends is a cancellation, and no upload stays open.</summary>
public sealed class UploadCancellationTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;

    // Create, three parts, Complete.
    public static TheoryData<UploadForm, int, bool> Calls
        => Matrix.Of([UploadForm.File, UploadForm.Unseekable], Enumerable.Range(0, 7), [false, true]);

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task UploadAsync_Multipart_AbortedOrPublishedWhole(UploadForm form, int call, bool answers)
    {
        byte[] content = Sample.Bytes((2 * Part) + 5);
        using TemporaryFolder folder = new();
        using CallerCancellation caller = new(S3, call, answers);

        bool done = await caller.RunAsync(token => form.RunAsync(NewClient(), content, folder, token));

        Assert.Equal(done ? content : null, S3.Published());
        Assert.False(S3.HasOpenUpload);
        Assert.Equal(done || call is 0 ? 0 : 1, S3.CountOf(S3Call.Abort));
        Assert.True(done == call > 5 || answers);
    }

    [Fact]
    public async Task UploadAsync_CancelledWhileTheSourceIsRead_Aborted()
    {
        using CancellationTokenSource cancel = new();
        ScriptedStream source = new(Sample.Bytes(3 * Part))
        {
            CueAt = Part + 5,
            Cue = async token =>
            {
                await cancel.CancelAsync();
                token.ThrowIfCancellationRequested();
            },
        };

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => NewClient().UploadAsync(source, FakeS3.Bucket, FakeS3.Key, cancellationToken: cancel.Token).Within());

        Assert.Equal(cancel.Token, error.CancellationToken);
        Assert.Equal(1, S3.CountOf(S3Call.Abort));
    }
}
