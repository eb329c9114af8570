using System.Net;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Upload;

/// <summary>Cancels at every call to the store in turn. The upload must end with a cancellation, and no upload may stay open.</summary>
public sealed class UploadCancellationTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;

    // Create, three parts, and Complete.
    public static TheoryData<UploadForm, int, bool> Calls
        => Matrix.Of([UploadForm.File, UploadForm.Unseekable], Enumerable.Range(0, 7), [false, true]);

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task UploadAsync_CanceledMultipart_IsAbortedOrPublishedCompletely(UploadForm form, int call, bool answers)
    {
        byte[] content = Sample.Bytes((2 * Part) + 5);
        using TemporaryFolder folder = new();
        using CallerCancellation caller = new(S3, call, answers);

        bool done = await caller.RunAsync(token => form.RunAsync(NewClient(), content, folder, token));

        Assert.Equal(done ? content : null, S3.Published());
        Assert.False(S3.HasOpenUpload);
        Assert.Equal(done || call is 0 ? 0 : 1, S3.GetCount(S3Call.Abort));
        Assert.True(done == call > 5 || answers);
    }

    /// <summary>Parts in flight may be stored after the abort. The upload then exists again, and is billed.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public async Task UploadAsync_PartsAreStoredAfterTheAbort_IsAbortedAgain(int late)
    {
        using CancellationTokenSource cancel = new();
        S3.Before = async (call, token) =>
        {
            if (call.Part == 2)
            {
                await cancel.CancelAsync();
                token.ThrowIfCancellationRequested();
            }

            if (call.Operation == S3Call.ListParts && --late >= 0)
            {
                S3.Reopen();
            }
        };
        int aborts = late + 1;

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => UploadForm.File.RunAsync(NewClient(), Sample.Bytes(3 * Part), Folder, cancel.Token).Within());

        Assert.EachEqual((aborts, false), (S3.GetCount(S3Call.Abort), S3.HasOpenUpload));
    }

    /// <summary>If parts can't be listed, a part that was stored after the abort can't be detected. The abort is repeated to be safe.</summary>
    [Theory]
    [InlineData(HttpStatusCode.Forbidden, "AccessDenied", false)]
    [InlineData(HttpStatusCode.NotImplemented, "NotImplemented", false)]
    [InlineData(HttpStatusCode.ServiceUnavailable, "SlowDown", true)]
    public async Task UploadAsync_PartsCannotBeListed_IsAbortedAgain(HttpStatusCode status, string code, bool isBusy)
    {
        using CancellationTokenSource cancel = new();
        bool isLate = true;
        S3.Before = async (call, token) =>
        {
            if (call.Operation == S3Call.ListParts)
            {
                if (isLate)
                {
                    S3.Reopen();
                }

                isLate = false;
                throw FakeS3.Error(status, code);
            }

            await CancelAtAsync(call, 2, cancel, token);
        };

        await Assert.ThrowsAsync<OperationCanceledException>(
            () => UploadForm.File.RunAsync(NewClient(o => o.MaxAttempts = 1), Sample.Bytes(3 * Part), Folder, cancel.Token).Within());

        Assert.Equal(isBusy, S3.HasOpenUpload); // a busy store gets only one request
        Assert.Equal(isBusy, S3.GetCount(S3Call.Abort) == 1);
    }

    [Fact]
    public async Task UploadAsync_ClientDisposedAndTheAbortFails_ErrorSaysSo()
    {
        Gate gate = new();
        S3.Before = (call, token) => call.Operation == S3Call.Abort ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied")
            : call.Part == 2 ? gate.PassAsync(token) : Task.CompletedTask;
        TransferClient client = NewClient();
        Task<UploadResult> upload = UploadForm.Unseekable.RunAsync(client, Sample.Bytes(3 * Part), Folder);
        await gate.Reached;

        await client.DisposeAsync().AsTask().Within();

        ObjectDisposedException error = await Assert.ThrowsAsync<ObjectDisposedException>(() => upload.Within());
        Assert.Contains(FakeS3.UploadId, error.Message, StringComparison.Ordinal);
        Assert.IsType<TransferException>(Assert.IsType<TransferCanceledException>(error.InnerException).CleanupError);
    }

    /// <summary>An upload that stays open is billed, so the cancellation exception reports it.</summary>
    [Theory]
    [InlineData(UploadForm.File)]
    [InlineData(UploadForm.Unseekable)]
    public async Task UploadAsync_CanceledAndTheAbortFails_ExceptionSaysSo(UploadForm form)
    {
        using CancellationTokenSource cancel = new();
        S3.Before = (call, token) => call.Operation == S3Call.Abort ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : CancelAtAsync(call, 2, cancel, token);

        TransferCanceledException error = await Assert.ThrowsAsync<TransferCanceledException>(
            () => form.RunAsync(NewClient(), Sample.Bytes(3 * Part), Folder, cancel.Token).Within());

        Assert.Equal(cancel.Token, error.CancellationToken);
        TransferException cleanup = Assert.IsType<TransferException>(error.CleanupError);
        Assert.Equal("AccessDenied", cleanup.ErrorCode);
        Assert.Contains(FakeS3.UploadId, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task UploadDirectoryAsync_CanceledAndAnAbortFails_ExceptionSaysSo()
    {
        Folder.File("large", Sample.Bytes(3 * Part));
        using CancellationTokenSource cancel = new();
        S3.Before = (call, token) => call.Operation == S3Call.Abort ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : CancelAtAsync(call, 2, cancel, token);

        TransferCanceledException error = await Assert.ThrowsAsync<TransferCanceledException>(
            () => NewClient().UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, string.Empty, cancellationToken: cancel.Token).Within());

        Assert.Equal(cancel.Token, error.CancellationToken);
        Assert.IsType<TransferException>(error.CleanupError);
    }

    /// <summary>The failure of one file stops all uploads. If an abort also fails, the exception reports it.</summary>
    [Fact]
    public async Task UploadDirectoryAsync_AnotherFileFailsAndAnAbortFails_ExceptionSaysSo()
    {
        Folder.File("large", Sample.Bytes(3 * Part));
        Folder.File("small", [1]);
        Gate gate = new();
        S3.Before = async (call, token) =>
        {
            if (call.Key == "small" || call.Operation == S3Call.Abort)
            {
                await gate.Reached;
                throw FakeS3.Error(HttpStatusCode.Forbidden, call.Operation == S3Call.Abort ? "NoAbort" : "NoPut");
            }

            await (call.Part == 2 ? gate.PassAsync(token) : Task.CompletedTask);
        };

        TransferException error = await Assert.ThrowsAsync<TransferException>(
            () => NewClient().UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, string.Empty).Within());

        Assert.EachEqual(("NoPut", "NoAbort"), (error.ErrorCode, Assert.IsType<TransferException>(error.CleanupError).ErrorCode));
    }

    /// <summary>The store received a CreateMultipartUpload request and never responded, so an upload may exist.</summary>
    [Fact]
    public async Task UploadAsync_CanceledDuringCreateWithoutAResponse_ExceptionSaysSo()
    {
        using CancellationTokenSource cancel = new();
        Gate gate = new();
        S3.Before = (call, token) => call.Operation == S3Call.Create ? gate.PassAsync(token) : Task.CompletedTask;
        Task<UploadResult> upload = UploadForm.Unseekable.RunAsync(NewClient(), Sample.Bytes(3 * Part), Folder, cancel.Token);
        await gate.Reached;

        await cancel.CancelAsync();
        await Time.AdvanceToTimerAsync(TimeSpan.FromSeconds(15)); // the time limit of an abort

        TransferCanceledException error = await Assert.ThrowsAsync<TransferCanceledException>(() => upload.Within());
        Assert.Contains("the response to the creation of a multipart upload was lost", error.CleanupError!.Message, StringComparison.Ordinal);
        Assert.Equal(0, S3.GetCount(S3Call.Abort));
    }

    [Fact]
    public async Task UploadAsync_FailsWithoutPartsInFlight_IsAbortedOnceWithoutACheck()
    {
        S3.Before = (call, _) => call.Operation == S3Call.Complete ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;

        await Assert.ThrowsAsync<TransferException>(() => UploadForm.File.RunAsync(NewClient(), Sample.Bytes(3 * Part), Folder).Within());

        Assert.EachEqual((1, 0), (S3.GetCount(S3Call.Abort), S3.GetCount(S3Call.ListParts)));
    }

    [Fact]
    public async Task UploadAsync_CanceledDuringARead_IsAborted()
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
        Assert.Equal(1, S3.GetCount(S3Call.Abort));
    }

    private static async Task CancelAtAsync(S3Call call, int part, CancellationTokenSource cancel, CancellationToken token)
    {
        if (call.Part == part)
        {
            await cancel.CancelAsync();
            token.ThrowIfCancellationRequested();
        }
    }
}
