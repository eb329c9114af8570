using System.Collections.Concurrent;
using Transfer.S3.Concurrency;
using Transfer.S3.Requests;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Upload;

/// <summary>Uploads over a link that transfers one piece after the other at a low rate.</summary>
public sealed class SlowUploadTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;
    private const int Parts = 8;
    private readonly Lock _gate = new();
    private readonly TaskCompletionSource _allBegan = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly HashSet<int> _began = [];
    private double _rate = 1.2 * 1024 * 1024;
    private int _atOnce = 1;
    private SendLimit? _limit;

    [Theory]
    [InlineData("memory")]
    [InlineData("stream")]
    [InlineData("writer")]
    public async Task Parts_AreGivenUp_AndSentAgain_WithoutARetry(string source)
    {
        byte[] content = Sample.Bytes(Parts * Part);
        S3.ReceiveAsync = ReceiveAsync;
        _atOnce = source == "memory" ? Parts : 1;
        TransferClient client = NewSlowClient();

        UploadResult result = await UploadAsync(client, source, content);

        Assert.Equal(content, S3.Published());
        Assert.EachEqual((0, 0, (long)content.Length), (result.Statistics.Retries, result.Statistics.HedgedRequests, result.Statistics.BytesTransferred));

        // A stream or a writer fills one part after the other, so fewer parts begin at the same time.
        Assert.InRange(S3.GetCount(S3Call.UploadPart), source == "memory" ? Parts + 1 : Parts, 3 * Parts);
    }

    [Theory]
    [InlineData("memory")]
    [InlineData("writer")]
    public async Task FastLink_NothingIsGivenUp(string source)
    {
        byte[] content = Sample.Bytes(Parts * Part);
        _rate = 100 * 1024 * 1024;
        S3.ReceiveAsync = ReceiveAsync;

        await UploadAsync(NewSlowClient(), source, content);

        Assert.Equal(content, S3.Published());
        Assert.Equal(Parts, S3.GetCount(S3Call.UploadPart));
    }

    /// <summary>If the test ends, all parts began while none was confirmed.</summary>
    [Theory]
    [InlineData("stream")]
    [InlineData("memory")]
    public async Task FirstResponse_TakesLong_TheUsualNumberOfPartsBegins(string source)
    {
        _atOnce = Parts;
        S3.Before = (call, _) =>
        {
            Time.Advance(TimeSpan.FromMilliseconds(call.Operation == S3Call.Create ? 100 : 0));
            return Task.CompletedTask;
        };
        S3.ReceiveAsync = async (call, _, token) =>
        {
            Begin(call);
            await _allBegan.Task.WaitAsync(token);
        };
        byte[] content = Sample.Bytes(Parts * Part);

        await UploadAsync(NewSlowClient(adapts: true), source, content);

        Assert.Equal(content, S3.Published());
    }

    [Fact]
    public async Task FirstResponse_TakesNoTime_FewPartsAreInFlight()
    {
        int most = 0;
        int inFlight = 0;
        S3.Before = (call, _) =>
        {
            if (call.Operation == S3Call.UploadPart)
            {
                int now = Interlocked.Increment(ref inFlight);
                most = Math.Max(most, call.Part < Parts ? now : 0);
                Time.Advance(TimeSpan.FromMilliseconds(call.Part == Parts ? 110 : 0)); // a sample needs 100 ms, and can change the limit
            }

            return Task.CompletedTask;
        };
        ConcurrentDictionary<int, int> received = [];
        S3.ReceiveAsync = async (call, count, token) =>
        {
            if (received.AddOrUpdate(call.Part!.Value, count, (_, former) => former + count) == Part)
            {
                Interlocked.Decrement(ref inFlight);
            }

            await WhenLookedAsync(token);
        };
        TransferClient client = NewSlowClient(adapts: true);

        await UploadAsync(client, "stream", Sample.Bytes(2 * Parts * Part));

        Assert.InRange(most, 1, TransferDefaults.LeastConcurrency);
        Assert.True(client.Context.Queue.IsNear(RequestDirection.Upload));
    }

    [Fact]
    public async Task RateLimit_OnlyOnePartIsInFlight_FromTheBeginning()
    {
        const int limit = 1024 * 1024;
        int inFlight = 0;
        int most = 0;
        S3.Before = (call, _) =>
        {
            most = Math.Max(most, call.Operation == S3Call.UploadPart ? Interlocked.Increment(ref inFlight) : 0);
            return Task.CompletedTask;
        };
        int received = 0;
        S3.ReceiveAsync = (_, count, _) =>
        {
            inFlight -= (received += count) % Part == 0 ? 1 : 0;
            return Task.CompletedTask;
        };

        byte[] content = Sample.Bytes(4 * Part);
        await NewClient().UploadAsync(new MemoryStream(content), FakeS3.Bucket, FakeS3.Key, new UploadOptions { RateLimit = new RateLimit(Time) { UploadBytesPerSecond = limit } }).Within();

        Assert.Equal(content, S3.Published());
        Assert.Equal(1, most);
    }

    private static async Task<UploadResult> UploadAsync(TransferClient client, string source, byte[] content)
    {
        if (source != "writer")
        {
            return await (source == "memory"
                ? client.UploadAsync(new System.Buffers.ReadOnlySequence<byte>(content), FakeS3.Bucket, FakeS3.Key)
                : client.UploadAsync(new MemoryStream(content), FakeS3.Bucket, FakeS3.Key)).Within();
        }

        await using ObjectWriteStream stream = await client.OpenWriteAsync(FakeS3.Bucket, FakeS3.Key).Within();
        await stream.WriteAsync(content).AsTask().Within();
        return await stream.CompleteAsync().Within();
    }

    private TransferClient NewSlowClient(bool adapts = false)
    {
        TransferClient client = NewClient(o =>
        {
            o.StallTimeout = TimeSpan.FromMinutes(30); // the order of the pieces is that of the threads
            if (adapts)
            {
                (o.MaxConcurrency, o.MemoryBytes) = (null, 256 * 1024 * 1024);
            }
        });
        _limit = client.Context.Queue.SendLimit;
        return client;
    }

    private async Task ReceiveAsync(S3Call call, int bytes, CancellationToken cancellationToken)
    {
        Begin(call);
        await _allBegan.Task.WaitAsync(cancellationToken);
        lock (_gate)
        {
            Time.Advance(TimeSpan.FromSeconds(bytes / _rate));
        }

        await WhenLookedAsync(cancellationToken);
    }

    /// <returns>Whether it is the first piece of the part.</returns>
    private bool Begin(S3Call call)
    {
        lock (_gate)
        {
            bool isFirst = _began.Add(call.Part!.Value);
            if (isFirst && _began.Count == _atOnce)
            {
                _allBegan.SetResult();
            }

            return isFirst;
        }
    }

    /// <summary>In whatever order the parts take turns, the rate is measured at the time at which it is due.</summary>
    private async Task WhenLookedAsync(CancellationToken cancellationToken)
    {
        do
        {
            await Task.Yield();
            cancellationToken.ThrowIfCancellationRequested();
        }
        while (_limit!.IsLooking);
    }
}
