using System.IO.Pipelines;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Download;

public sealed class OrderedDownloadTests : TransferTest
{
    private const int Part = 64 * 1024;
    private const int Chunk = 4 * 1024;

    public static TheoryData<int> Sizes =>
        [0, 1, Chunk - 1, Chunk, Chunk + 1, Part - 1, Part, Part + 1, (3 * Part) - 1, 3 * Part, (3 * Part) + 1];

    [Theory]
    [MemberData(nameof(Sizes))]
    public async Task OpenReadAsync_AnySize_ReturnsBytesAndVerdict(int size)
    {
        byte[] content = S3.Put(size);
        await using ObjectReadStream stream = await NewClient().OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
        Assert.Null(stream.Verdict);
        Assert.Equal(size, stream.Length);

        Assert.Equal(content, await ReadAllAsync(stream));

        Assert.True(stream.Verdict!.IsVerified);

        // A small remainder is fetched with the part before it, but not with the first part, which was requested before the size was known.
        int sliver = size > 2 * Part && size % Part is > 0 and < Part / 8 ? 1 : 0;
        Assert.Equal(Math.Max(1, ((size + Part - 1) / Part) - sliver) + (size == 0 ? 1 : 0), S3.GetCount(S3Call.Get));
        Assert.Equal(0, S3.GetCount(S3Call.Head));
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public async Task OpenReadAsync_StoreIgnoresRanges_ReturnsBytesAndVerdict(int size)
    {
        byte[] content = S3.Put(size);
        S3.IgnoresRanges = true;
        await using ObjectReadStream stream = await NewClient().OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Equal(content, await ReadAllAsync(stream));

        Assert.True(stream.Verdict!.IsVerified);
        Assert.Single(S3.Gets);
    }

    [Fact]
    public async Task DownloadAsync_ToStream_WritesAndFlushesWithoutDispose()
    {
        byte[] content = S3.Put((3 * Part) + 1);
        MemoryStream target = new();

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target).Within();

        Assert.Equal(content, target.ToArray());
        Assert.True(target.CanWrite);
        Assert.EachEqual((content.Length, 3, 4, 0), (result.Statistics.BytesTransferred, result.Parts, result.Statistics.Requests, result.Statistics.Retries));
        Assert.True(result.Verdict.IsVerified);
    }

    [Fact]
    public async Task DownloadAsync_ToPipe_WritesAllBytesWithoutComplete()
    {
        byte[] content = S3.Put((3 * Part) + 1);
        Pipe pipe = new();
        Task<DownloadResult> downloading = NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, pipe.Writer);
        byte[] read = new byte[content.Length];

        await using Stream reader = pipe.Reader.AsStream();
        await reader.ReadExactlyAsync(read).Within();

        await downloading.Within();
        Assert.Equal(content, read);
        await pipe.Writer.WriteAsync(new byte[1]).Within();
        Assert.Equal(1, await reader.ReadAsync(new byte[2]).Within());
    }

    /// <summary>The reader knows the length, for example from a header in the content.</summary>
    [Theory]
    [MemberData(nameof(Sizes))]
    public async Task DownloadAsync_PipeReaderTakesEverythingAndCompletes_Succeeds(int size)
    {
        byte[] content = S3.Put(size);
        CompletedPipe pipe = new(completesAfter: size);

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, pipe).Within();

        Assert.True(result.Verdict.IsVerified);
        Assert.Equal(content, pipe.Content);
    }

    [Fact]
    public async Task DownloadAsync_PipeReaderCompletesBeforeTheLastBytes_Throws()
    {
        const int Size = (3 * Part) + 1;
        S3.Put(Size);
        CompletedPipe pipe = new(completesAfter: Size - Chunk);

        await Assert.ThrowsAsync<TransferException>(() => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, pipe).Within());

        Assert.InRange(pipe.Content.Length, Size - Chunk, Size - 1);
    }

    [Fact]
    public async Task DownloadAsync_EmptyObjectToACompletedPipe_Succeeds()
    {
        S3.Put(0);
        Pipe pipe = new();
        await pipe.Reader.CompleteAsync();

        Assert.True((await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, pipe.Writer).Within()).Verdict.IsVerified);
    }

    [Theory]
    [InlineData(1)] // the first bytes are the last ones
    [InlineData(Chunk)]
    [InlineData((3 * Part) + 1)]
    public async Task DownloadAsync_PipeReaderIsCompleted_Throws(int size)
    {
        S3.Put(size);
        Pipe pipe = new();
        await pipe.Reader.CompleteAsync();

        TransferException error = await Assert.ThrowsAsync<TransferException>(
            () => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, pipe.Writer).Within());

        Assert.Equal(FakeS3.Key, error.Key);
    }

    [Fact]
    public async Task Read_PartsArriveInReverse_ReturnsBytesInOrder()
    {
        byte[] content = S3.Put(5 * Part);
        Dictionary<long, Gate> gates = Enumerable.Range(0, 5).ToDictionary(i => (long)i * Part, _ => new Gate());
        S3.Body = (call, bytes) => new ScriptedStream(bytes) { Cue = gates[call.First!.Value].PassAsync };
        await using ObjectReadStream stream = await NewClient().OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
        Task<byte[]> reading = ReadAllAsync(stream);
        foreach (Gate gate in gates.OrderByDescending(gate => gate.Key).Select(gate => gate.Value))
        {
            await gate.Reached;
            Assert.False(reading.IsCompleted);
            gate.Open();
        }

        Assert.Equal(content, await reading.Within());
    }

    [Fact]
    public async Task Read_FirstHeadersArrive_OtherRangesStartBeforeTheBody()
    {
        S3.Put(4 * Part);
        Gate first = new();
        Gate others = new();
        S3.Body = (call, bytes) => new ScriptedStream(bytes) { Cue = call.First == 0 ? first.PassAsync : others.PassAsync };
        await using ObjectReadStream stream = await NewClient().OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();

        await others.Reached;

        Assert.All(S3.Gets.Where(call => call.First != 0), call => Assert.Equal(S3.Objects[FakeS3.Key].ETag, call.IfMatch));
        first.Open();
        others.Open();
        await ReadAllAsync(stream);
    }

    [Fact]
    public async Task Read_HalfAPartHasArrived_ReturnsIt()
    {
        byte[] content = S3.Put(Part);
        Gate gate = new();
        S3.Body = (_, bytes) => new ScriptedStream(bytes) { CueAt = Part / 2, Cue = gate.PassAsync };
        await using ObjectReadStream stream = await NewClient().OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
        byte[] half = new byte[Part / 2];

        await stream.ReadExactlyAsync(half).Within();

        Assert.Equal(content[..(Part / 2)], half);
        gate.Open();
    }

    [Fact]
    public async Task Read_SingleBytesArrive_ReturnsAllBytes()
    {
        byte[] content = S3.Put(Part + 1);
        S3.Body = (_, bytes) => new ScriptedStream(bytes) { BytesPerRead = 1 };
        await using ObjectReadStream stream = await NewClient().OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Equal(content, await ReadAllAsync(stream));
    }

    [Fact]
    public async Task Read_ReaderPauses_ReadAheadStopsAtItsLimit()
    {
        byte[] content = S3.Put(40 * Part);
        TransferClient client = NewClient();
        await using ObjectReadStream stream = await client.OpenReadAsync(
            FakeS3.Bucket, FakeS3.Key, new DownloadOptions { MaxConcurrency = 3, Verify = false }).Within();

        // Three parts are in flight, one is being read, and no other starts.
        await Deadline.Until(() => client.RentedBytes == 4 * Part);
        Assert.Equal(4, S3.GetCount(S3Call.Get));

        Assert.Equal(content, await ReadAllAsync(stream));
        Assert.Equal(40, S3.GetCount(S3Call.Get));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Dispose_WithinAPart_EndsRequestsAndClosesBodies(bool sync)
    {
        S3.Put(10 * Part);
        List<ScriptedStream> bodies = [];
        Gate gate = new();
        S3.Body = (_, bytes) =>
        {
            ScriptedStream body = new(bytes) { CueAt = 5000, Cue = gate.PassAsync };
            lock (bodies)
            {
                bodies.Add(body);
            }

            return body;
        };
        TransferClient client = NewClient();
        ObjectReadStream stream = await client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
        await stream.ReadExactlyAsync(new byte[4096]).Within();
        await gate.Reached;

        if (sync)
        {
            stream.Dispose();
            await UntilReturned(client.Context.Pool);
        }

        await stream.DisposeAsync().Within();
        Assert.Equal(0, client.RentedBytes);
        Assert.NotEmpty(bodies);
        Assert.All(bodies, body => Assert.True(body.IsDisposed));
    }

    [Fact]
    public async Task OpenReadAsync_Missing_ErrorNamesTheObject()
    {
        TransferException error = await Assert.ThrowsAsync<TransferException>(() => NewClient().OpenReadAsync(FakeS3.Bucket, "absent").Within());

        Assert.EachEqual((FakeS3.Bucket, "absent", "NoSuchKey", "REQUEST-ID", 1), (error.Bucket, error.Key, error.ErrorCode, error.RequestId, error.Attempts));
        Assert.Equal(System.Net.HttpStatusCode.NotFound, error.StatusCode);
    }

    [Fact]
    public async Task OpenReadAsync_ClientDisposedWhileWaitingForASlot_Fails()
    {
        S3.Put(10 * Part);
        Gate gate = new();
        S3.Body = (_, bytes) => new ScriptedStream(bytes) { Cue = gate.PassAsync };
        TransferClient client = NewClient(o => o.MaxConcurrency = 1);
        ObjectReadStream holder = await client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key, new DownloadOptions { Verify = false }).Within();
        await gate.Reached;
        Task<ObjectReadStream> waiting = client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key, new DownloadOptions { Verify = false });

        Task disposing = client.DisposeAsync().AsTask();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting.Within());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => holder.ReadAsync(new byte[1]).AsTask().Within());
        await holder.DisposeAsync().Within();
        await disposing.Within();
    }

    [Fact]
    public async Task Read_ReaderPausesOnAWholeObject_IsNotAStall()
    {
        byte[] content = S3.Put(40 * Part);
        S3.IgnoresRanges = true;
        TransferClient client = NewClient();
        await using ObjectReadStream stream = await client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
        await Deadline.Until(() => client.RentedBytes > Part && Time.ArmedTimers == 0); // the body waits for its reader, and no timer waits for the body

        Time.Advance(TimeSpan.FromMinutes(10));

        Assert.Equal(content, await ReadAllAsync(stream));
    }

    internal static async Task<byte[]> ReadAllAsync(Stream stream)
    {
        MemoryStream all = new();
        byte[] buffer = new byte[10_000];
        int count;
        while ((count = await stream.ReadAsync(buffer).Within()) > 0)
        {
            all.Write(buffer, 0, count);
        }

        return all.ToArray();
    }

    /// <summary>A pipe whose reader takes everything at once, and completes it after a number of bytes.</summary>
    private sealed class CompletedPipe(long completesAfter) : PipeWriter
    {
        private readonly List<byte> _content = [];

        public byte[] Content => [.. _content];

        public override ValueTask<FlushResult> WriteAsync(ReadOnlyMemory<byte> source, CancellationToken cancellationToken = default)
        {
            _content.AddRange(source.Span);
            return FlushAsync(cancellationToken);
        }

        public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default) => new(new FlushResult(isCanceled: false, _content.Count >= completesAfter));

        public override void Advance(int bytes) => throw new NotSupportedException();

        public override Memory<byte> GetMemory(int sizeHint = 0) => throw new NotSupportedException();

        public override Span<byte> GetSpan(int sizeHint = 0) => throw new NotSupportedException();

        public override void CancelPendingFlush()
        {
        }

        public override void Complete(Exception? exception = null) => Assert.Fail("the download must not complete the pipe");
    }
}
