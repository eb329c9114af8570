using System.Threading.Tasks.Sources;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Download;

public class StallTests : TransferTest
{
    private const int Part = 64 * 1024;
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task Body_NoDataUntilTheTimeout_ContinuesAtThatByte()
    {
        byte[] content = S3.Put(Part);
        Gate never = new();
        int stalls = 1;
        S3.Body = (_, bytes) => Interlocked.Decrement(ref stalls) >= 0
            ? new ScriptedStream(bytes) { CueAt = 1000, Cue = never.PassAsync }
            : new ScriptedStream(bytes);
        MemoryStream target = new();

        // A concurrent checksum request could also time out, so verification is turned off.
        DownloadOptions options = new() { Verify = false };
        Task<DownloadResult> download = NewClient(o => o.StallTimeout = Timeout).DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, options);

        await never.Reached;
        Time.Advance(Timeout - TimeSpan.FromMilliseconds(1));
        Assert.False(download.IsCompleted);
        Time.Advance(TimeSpan.FromMilliseconds(1));
        DownloadResult result = await download.Within();

        Assert.Equal(content, target.ToArray());
        Assert.Equal(1, result.Statistics.Retries);
        Assert.Contains(S3.Gets, call => call.First == 1000);
    }

    [Fact]
    public async Task Headers_NeverArrive_ErrorSaysSo()
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
        Assert.Contains("no data was transferred for 30 s", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1, "only 3 bytes arrived in 81 s")]
    [InlineData(2048, "only 6144 bytes arrived in 81 s")]
    [InlineData(4096, null)]
    public async Task Body_IsTooSlow_IsATimeoutAsWithoutData(int bytesPerRead, string? failure)
    {
        byte[] content = S3.Put(Part);
        S3.Body = (_, bytes) => new SlowStream(bytes, bytesPerRead, 0.9 * Timeout, Time);
        TransferClient client = NewClient(o => (o.StallTimeout, o.MaxAttempts, o.Advanced.ChunkSizeBytes) = (Timeout, 2, 16 * 1024));
        Time.SkipDelaysBelow = Timeout; // the clock advances during waits for the body
        MemoryStream target = new();

        Task<DownloadResult> download = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, new DownloadOptions { Verify = false });

        if (failure is null)
        {
            Assert.Equal(0, (await download.Within()).Statistics.Retries);
            Assert.Equal(content, target.ToArray());
        }
        else
        {
            TransferException error = await Assert.ThrowsAsync<TransferException>(() => download.Within());
            Assert.Contains(failure, error.Message, StringComparison.Ordinal);
            Assert.Equal(2, error.Attempts);
        }
    }

    [Fact]
    public async Task Body_IsTooSlow_AnotherConnectionContinuesAfterTheLastByte()
    {
        byte[] content = S3.Put(Part);
        int slow = 1;
        S3.Body = (_, bytes) => Interlocked.Decrement(ref slow) >= 0 ? new SlowStream(bytes, 10, 0.9 * Timeout, Time) : new ScriptedStream(bytes);
        TransferClient client = NewClient(o => o.StallTimeout = Timeout);
        Time.SkipDelaysBelow = Timeout;
        MemoryStream target = new();

        DownloadResult result = await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, new DownloadOptions { Verify = false }).Within();

        Assert.Equal(content, target.ToArray());
        Assert.Equal([0L, 30], S3.Gets.Select(call => call.First!.Value));
    }

    [Fact]
    public async Task CallerCancelsDuringAStall_ThrowsWithTheCallersToken()
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

    /// <summary>A page of a listing is read before its request ends. Only silence ends it, or a rate below which no body is waited for.</summary>
    [Theory]
    [InlineData(10_000, true)]
    [InlineData(1000, false)]
    public async Task Listing_ArrivesSlowly_FailsOnlyBelowTheLeastRate(int bytesPerRead, bool succeeds)
    {
        string objects = string.Concat(Enumerable.Range(0, 400).Select(i => $"<Contents><Key>d/{i:0000}</Key><Size>1</Size><ETag>e</ETag><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>"));
        byte[] page = System.Text.Encoding.UTF8.GetBytes($"<ListBucketResult><IsTruncated>false</IsTruncated><KeyCount>400</KeyCount>{objects}</ListBucketResult>");
        Assert.InRange(page.Length, 40_000, 60_000);
        FakeHttp http = new(_ =>
        {
            HttpResponseMessage response = FakeHttp.Answer(System.Net.HttpStatusCode.OK);
            response.Content = new StreamContent(new DelayedStream(page, bytesPerRead, () => Time.Advance(0.9 * Timeout)));
            return response;
        });
        using Amazon.S3.AmazonS3Client s3 = http.NewS3();
        TransferClient client = NewClient(s3, o => (o.StallTimeout, o.MaxAttempts) = (Timeout, 1));

        Task<List<ListedObject>> listing = client.ListObjectsAsync("bucket", "d/").ToListAsync().AsTask();

        if (succeeds)
        {
            Assert.Equal(400, (await listing.Within()).Count);
        }
        else
        {
            TransferException e = await Assert.ThrowsAsync<TransferException>(() => listing.Within());
            Assert.Contains("no data was transferred", e.Message, StringComparison.Ordinal);
        }
    }

    private sealed class DelayedStream(byte[] content, int bytesPerRead, Action wait) : MemoryStream(content)
    {
        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            await Task.Yield();
            wait();
            cancellationToken.ThrowIfCancellationRequested();
            return await base.ReadAsync(buffer[..Math.Min(buffer.Length, bytesPerRead)], cancellationToken);
        }
    }

    /// <summary>Waits before each read, but only after the read is awaited, because a read that completes synchronously takes no time.</summary>
    private sealed class SlowStream(ReadOnlyMemory<byte> content, int bytesPerRead, TimeSpan wait, TimeProvider time) : Stream, IValueTaskSource<int>
    {
        private Memory<byte> _buffer;
        private int _position;

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            _buffer = buffer;
            return new ValueTask<int>(this, 0);
        }

        public ValueTaskSourceStatus GetStatus(short token) => ValueTaskSourceStatus.Pending;

        public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
            => _ = Task.Delay(wait, time).ContinueWith(_ => continuation(state), CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);

        public int GetResult(short token)
        {
            int count = Math.Min(Math.Min(_buffer.Length, bytesPerRead), content.Length - _position);
            content.Slice(_position, count).CopyTo(_buffer);
            _position += count;
            return count;
        }

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override void Flush()
        {
        }
    }
}
