using System.Net;
using Amazon.S3;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Upload;

/// <summary>If writing an object ends early, nothing stays open, and every later call throws the first failure.</summary>
public sealed class ObjectWriteFailureTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;

    // Create, three parts, and Complete, or one PUT.
    public static TheoryData<int, int, bool> Calls => Matrix.Of([(2 * Part) + 5, 10], Enumerable.Range(0, 7), [false, true]);

    [Fact]
    public async Task Part_Rejected_EveryLaterCallThrows()
    {
        S3.Before = (call, _) => call.Part == 1 ? throw Refusal() : Task.CompletedTask;
        ObjectWriteStream stream = await OpenAsync(maxConcurrency: 1);
        await stream.WriteAsync(Sample.Bytes(Part)).Within();

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => stream.WriteAsync(new byte[1]).Within());

        Assert.EachEqual((1, HttpStatusCode.Forbidden), (error.PartNumber, error.StatusCode));
        Assert.Same(error, Assert.Throws<TransferException>(() => stream.WriteByte(1)));
        Assert.Same(error, Assert.Throws<TransferException>(stream.Flush));
        Assert.Same(error, await Assert.ThrowsAsync<TransferException>(() => stream.FlushAsync().Within()));
        Assert.Same(error, Assert.Throws<TransferException>(() => stream.Writer.GetMemory()));
        Assert.Same(error, await Assert.ThrowsAsync<TransferException>(() => stream.Writer.FlushAsync().Within()));
        Assert.Same(error, await Assert.ThrowsAsync<TransferException>(() => stream.CompleteAsync().Within()));
        Assert.Same(error, await Assert.ThrowsAsync<TransferException>(() => stream.CompleteAsync().Within()));
        Assert.Same(error, await Assert.ThrowsAsync<TransferException>(() => stream.WriteAsync(new byte[1]).Within()));
        Assert.Same(error, Assert.Throws<TransferException>(stream.Flush));
        CheckGone(aborts: 1);
        await stream.DisposeAsync();
        CheckGone(aborts: 1);
    }

    [Fact]
    public async Task Part_FailsAndThenSucceeds_IsRetried()
    {
        byte[] content = Sample.Bytes((2 * Part) + 7);
        int failures = 2;
        S3.Before = (call, _) => call.Part == 2 && Interlocked.Decrement(ref failures) >= 0 ? throw FakeS3.Busy() : Task.CompletedTask;
        await using ObjectWriteStream stream = await OpenAsync();
        await stream.WriteAsync(content).Within();

        UploadResult result = await stream.CompleteAsync().Within();

        Assert.Equal(content, S3.Published());
        Assert.EachEqual((content.Length, 2), (result.Statistics.BytesTransferred, result.Statistics.Retries));
    }

    [Theory]
    [InlineData(S3Call.Put, Part - 1, 0)]
    [InlineData(S3Call.Create, Part, 0)]
    [InlineData(S3Call.UploadPart, Part, 1)]
    [InlineData(S3Call.Complete, Part, 1)]
    public async Task Call_Rejected_CompleteThrowsAndNothingStaysOpen(string operation, int size, int aborts)
    {
        S3.Before = (call, _) => call.Operation == operation ? throw Refusal() : Task.CompletedTask;
        await using ObjectWriteStream stream = await OpenAsync();
        await stream.WriteAsync(Sample.Bytes(size - 1)).Within();
        await stream.WriteAsync(new byte[1]).Within();

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => stream.CompleteAsync().Within());

        Assert.EachEqual((FakeS3.Bucket, FakeS3.Key, HttpStatusCode.Forbidden), (error.Bucket, error.Key, error.StatusCode));
        Assert.Null(error.CleanupError);
        CheckGone(aborts);
    }

    [Fact]
    public async Task Abort_AlsoFails_IsAddedToTheFirstError()
    {
        S3.Before = (call, _) => call.Operation is S3Call.UploadPart or S3Call.Abort ? throw Refusal() : Task.CompletedTask;
        await using ObjectWriteStream stream = await OpenAsync();
        await stream.WriteAsync(Sample.Bytes(Part)).Within();

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => stream.CompleteAsync().Within());

        Assert.Equal(1, error.PartNumber);
        Assert.Contains(FakeS3.UploadId, error.CleanupError!.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(Part - 1, 0)]
    [InlineData(Part, 1)]
    [InlineData((2 * Part) + 1, 1)]
    public async Task Dispose_BeforeComplete_AbortsTheUpload(int written, int aborts)
    {
        Gate gate = Hold(S3Call.UploadPart);
        ObjectWriteStream stream = await OpenAsync();
        await stream.WriteAsync(Sample.Bytes(written)).Within();
        if (aborts > 0)
        {
            await gate.Reached;
        }

        await stream.DisposeAsync().AsTask().Within();

        CheckGone(aborts);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => stream.CompleteAsync().Within());
    }

    [Fact]
    public async Task Dispose_Synchronously_AbortsInTheBackgroundAndTheClientWaits()
    {
        Gate gate = Hold(S3Call.UploadPart);
        TransferClient client = NewClient();
        ObjectWriteStream stream = await OpenAsync(client);
        await stream.WriteAsync(Sample.Bytes(Part + 1)).Within();
        await gate.Reached;

#pragma warning disable CA1849 // tests the synchronous method
        stream.Dispose();
#pragma warning restore CA1849
        await client.DisposeAsync().Within();

        CheckGone(aborts: 1);
    }

    [Fact]
    public async Task Dispose_DuringComplete_CompleteThrowsAndNothingStaysOpen()
    {
        Gate gate = Hold(S3Call.Complete);
        ObjectWriteStream stream = await OpenAsync();
        await stream.WriteAsync(Sample.Bytes(Part + 1)).Within();
        Task<UploadResult> completing = stream.CompleteAsync();
        await gate.Reached;

        await stream.DisposeAsync().AsTask().Within();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => completing.Within());
        CheckGone(aborts: 1);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Client_DisposedDuringACall_CallThrowsAndNothingStaysOpen(bool completing)
    {
        Gate gate = Hold(completing ? S3Call.Complete : S3Call.UploadPart);
        TransferClient client = NewClient();
        await using ObjectWriteStream stream = await OpenAsync(client, maxConcurrency: 1);
        Task call;
        if (completing)
        {
            await stream.WriteAsync(Sample.Bytes(Part)).Within();
            call = stream.CompleteAsync();
        }
        else
        {
            call = stream.WriteAsync(Sample.Bytes(Part + 1)).AsTask();
        }

        await gate.Reached;

        await client.DisposeAsync().Within();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => call.Within());
        ObjectDisposedException error = Assert.Throws<ObjectDisposedException>(() => stream.Write([1]));
        Assert.Contains("client", error.Message, StringComparison.Ordinal);
        CheckGone(aborts: 1);
    }

    [Fact]
    public async Task Client_DisposedWhileTheCallerHasMemory_ItIsKeptUntilTheStreamIsDisposed()
    {
        TransferClient client = NewClient();
        ObjectWriteStream stream = await OpenAsync(client);
        Memory<byte> lent = stream.Writer.GetMemory();

        await client.DisposeAsync().Within();

        Assert.Equal(4096, client.RentedBytes);
        lent.Span.Fill(1);
        Assert.Throws<ObjectDisposedException>(() => stream.Writer.Advance(1));
        await stream.DisposeAsync().AsTask().Within();
        Assert.Equal(0, client.RentedBytes);
    }

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task CompleteAsync_CanceledAtAnyCall_IsAbortedOrPublishedCompletely(int size, int call, bool answers)
    {
        byte[] content = Sample.Bytes(size);
        using CallerCancellation caller = new(S3, call, answers);
        await using ObjectWriteStream stream = await OpenAsync();
        await stream.WriteAsync(content).Within();

        bool done = await caller.RunAsync(stream.CompleteAsync);

        Assert.Equal(done ? content : null, S3.Published());
        Assert.False(S3.HasOpenUpload);
        Assert.Equal(0, Arrays.Outstanding);
    }

    [Fact]
    public async Task CompleteAsync_CanceledDuringAStall_LaterCallsThrowTheSame()
    {
        Gate gate = Hold(S3Call.UploadPart);
        await using ObjectWriteStream stream = await OpenAsync();
        await stream.WriteAsync(Sample.Bytes(Part + 1)).Within();
        using CancellationTokenSource cancel = new();
        Task<UploadResult> completing = stream.CompleteAsync(cancel.Token);
        await gate.Reached;

        await cancel.CancelAsync();

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => completing.Within());
        Assert.Equal(cancel.Token, error.CancellationToken);
        Assert.Equal(cancel.Token, (await Assert.ThrowsAnyAsync<OperationCanceledException>(() => stream.CompleteAsync().Within())).CancellationToken);
        CheckGone(aborts: 1);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Dispose_DuringCreate_WaitsForTheUploadIdAndAborts(bool answers)
    {
        Gate gate = Hold(S3Call.Create);
        ObjectWriteStream stream = await OpenAsync();
        await stream.WriteAsync(Sample.Bytes(Part)).Within();
        await gate.Reached;

        Task disposing = stream.DisposeAsync().AsTask();
        Assert.False(disposing.IsCompleted);
        if (answers)
        {
            gate.Open();
        }
        else
        {
            await Time.AdvanceToTimerAsync(TimeSpan.FromSeconds(15));
        }

        await disposing.Within();
        CheckGone(aborts: answers ? 1 : 0);
    }

    [Fact]
    public async Task Writer_CompletedWithAnError_NothingIsPublished()
    {
        IOException cause = new("unplugged");
        await using ObjectWriteStream stream = await OpenAsync();
        await stream.WriteAsync(Sample.Bytes(Part + 1)).Within();

        await stream.Writer.CompleteAsync(cause);

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => stream.CompleteAsync().Within());
        Assert.Same(cause, error.InnerException);
        Assert.EachEqual((FakeS3.Bucket, FakeS3.Key), (error.Bucket, error.Key));
        Assert.Null(S3.Published());
        Assert.False(S3.HasOpenUpload);
    }

    private static AmazonS3Exception Refusal() => FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");

    private Gate Hold(string operation)
    {
        Gate gate = new();
        S3.Before = (call, token) => call.Operation == operation ? gate.PassAsync(token) : Task.CompletedTask;
        return gate;
    }

    private void CheckGone(int aborts)
    {
        Assert.Null(S3.Published());
        Assert.False(S3.HasOpenUpload);
        Assert.Equal(aborts, S3.GetCount(S3Call.Abort));
        Assert.Equal(0, Arrays.Outstanding);
    }

    private Task<ObjectWriteStream> OpenAsync(TransferClient? client = null, int? maxConcurrency = null)
        => (client ?? NewClient()).OpenWriteAsync(FakeS3.Bucket, FakeS3.Key, new UploadOptions { MaxConcurrency = maxConcurrency }).Within();
}
