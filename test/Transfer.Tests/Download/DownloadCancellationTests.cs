using System.IO.Pipelines;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Download;

/// <summary>Cancels at every call to the store in turn. The download must end with a cancellation, and nothing may be left behind.</summary>
public sealed class DownloadCancellationTests : TransferTest
{
    private const int Part = 64 * 1024;

    // Three parts and the checksum request.
    public static TheoryData<int, bool> Calls => Matrix.Of(Enumerable.Range(0, 6), [false, true]);

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task DownloadAsync_ToFile_NoFileIsLeft(int call, bool answers)
    {
        byte[] content = S3.Put((3 * Part) - 5);
        using TemporaryFolder folder = new();
        using CallerCancellation caller = new(S3, call, answers);

        DownloadOptions options = new() { Resume = false };
        bool done = await caller.RunAsync(token => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, folder.File("target"), options, cancellationToken: token));

        Assert.Equal(done ? ["target"] : [], folder.Files);
        if (done)
        {
            Assert.Equal(content, await File.ReadAllBytesAsync(folder.File("target")));
        }

        Assert.True(done == call > 4 || answers);
    }

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task DownloadAsync_ToStreamAndPipe_ThrowsWithTheToken(int call, bool answers)
    {
        S3.Put((3 * Part) - 5);
        using CallerCancellation caller = new(S3, call, answers);
        TransferClient client = NewClient();

        await caller.RunAsync(token => client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), cancellationToken: token));
        Pipe pipe = new(new PipeOptions(pauseWriterThreshold: 0));
        bool again = await caller.RunAsync(token => client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, pipe.Writer, cancellationToken: token));

        Assert.Equal(!caller.Token.IsCancellationRequested, again);
    }

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task OpenReadAsync_CanceledWhileOpening_Throws(int call, bool answers)
    {
        byte[] content = S3.Put((3 * Part) - 5);
        using CallerCancellation caller = new(S3, call, answers);
        ObjectReadStream? stream = null;

        bool opened = await caller.RunAsync(async token => stream = await NewClient().OpenReadAsync(FakeS3.Bucket, FakeS3.Key, cancellationToken: token));

        // After the stream is open, that token no longer affects it.
        if (opened)
        {
            Assert.Equal(content, await OrderedDownloadTests.ReadAllAsync(stream!));
            await stream!.DisposeAsync().Within();
        }
    }

    [Fact]
    public async Task DownloadAsync_CanceledWithinABody_Throws()
    {
        S3.Put(10 * Part);
        using CancellationTokenSource cancel = new();
        S3.Body = (call, bytes) => new ScriptedStream(bytes)
        {
            CueAt = 5000,
            Cue = async token =>
            {
                await cancel.CancelAsync();
                token.ThrowIfCancellationRequested();
            },
        };

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), cancellationToken: cancel.Token).Within());

        Assert.Equal(cancel.Token, error.CancellationToken);
    }

    [Theory]
    [InlineData(null, 0)]
    [InlineData("25", 25)]
    public async Task DownloadAsync_CanceledDuringTheRetryDelay_ThrowsImmediately(string? retryAfter, int seconds)
    {
        S3.Put(Part);
        TransferClient client = NewClient();
        Time.SkipDelaysBelow = TimeSpan.Zero;
        using CancellationTokenSource cancel = new();
        S3.Before = (_, _) => throw (retryAfter is null
            ? FakeS3.Error(System.Net.HttpStatusCode.ServiceUnavailable, "SlowDown")
            : FakeS3.SlowDown("Retry-After", retryAfter));
        Task<DownloadResult> downloading = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), cancellationToken: cancel.Token);
        await Deadline.Until(() => Time.Delays.Count == 1);

        await cancel.CancelAsync();

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => downloading.Within());
        Assert.Equal(cancel.Token, error.CancellationToken);
        Assert.InRange(Time.Delays[0], TimeSpan.FromSeconds(seconds), TimeSpan.FromSeconds(seconds + 1));
        Assert.Single(S3.Calls);
    }

    [Fact]
    public async Task Timeout_OfTheHttpClient_IsNotACancellation()
    {
        S3.Put(Part);
        S3.Before = (_, _) => throw new TaskCanceledException("A request timed out.");

        TransferException error = await Assert.ThrowsAsync<TransferException>(
            () => NewClient(o => o.MaxAttempts = 2).DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within());

        Assert.Equal(2, error.Attempts);
    }
}
