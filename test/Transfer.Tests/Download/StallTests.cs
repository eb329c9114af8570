using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Download;

public class StallTests : TransferTest
{
    private const int Part = 64 * 1024;
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task Body_BringsNothingForTheTimeout_GoesOnAtThatByte()
    {
        byte[] content = S3.Put(Part);
        Gate never = new();
        int stalls = 1;
        S3.Body = (_, bytes) => Interlocked.Decrement(ref stalls) >= 0
            ? new ScriptedStream(bytes) { CueAt = 1000, Cue = never.PassAsync }
            : new ScriptedStream(bytes);
        MemoryStream target = new();

        // Without a question for the checksum beside it, which might meet the same time-out.
        DownloadOptions options = new() { Verify = false };
        Task<DownloadResult> download = NewClient(o => o.StallTimeout = Timeout).DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, options);

        await never.Reached;
        Time.Advance(Timeout - TimeSpan.FromMilliseconds(1));
        Assert.False(download.IsCompleted);
        Time.Advance(TimeSpan.FromMilliseconds(1));
        DownloadResult result = await download.Within();

        Assert.Equal(content, target.ToArray());
        Assert.Equal(1, result.Retries);
        Assert.Contains(S3.Gets, call => call.First == 1000);
    }

    [Fact]
    public async Task Headers_NeverCome_IsAFailureThatSaysSo()
    {
        S3.Put(Part);
        Gate never = new();
        S3.Before = (_, token) => never.PassAsync(token);
        Task<ObjectReadStream> open = NewClient(o =>
        {
            o.StallTimeout = Timeout;
            o.MaxAttempts = 1;
        }).OpenReadAsync(FakeS3.Bucket, FakeS3.Key);

        await never.Reached;
        Time.Advance(Timeout);

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => open.Within());
        Assert.Contains("nothing arrived for 30 s", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task CallerCancelsWhileNothingArrives_IsTheCallersCancellation()
    {
        S3.Put(Part);
        Gate never = new();
        S3.Before = (_, token) => never.PassAsync(token);
        using CancellationTokenSource cancel = new();
        Task<DownloadResult> download = NewClient(o => o.StallTimeout = Timeout).DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), null, null, cancel.Token);

        await never.Reached;
        await cancel.CancelAsync();

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => download.Within());
        Assert.Equal(cancel.Token, error.CancellationToken);
    }
}
