using System.Collections.Concurrent;
using System.Net;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Directories;

/// <summary>Reads of many objects, each of which is a stream that a callback reads.</summary>
public sealed class ReadObjectsTests : TransferTest
{
    private const int Part = 64 * 1024;

    private static readonly string[] Listed = ["c", "a"];

    private readonly ConcurrentDictionary<string, byte[]> _read = new();

    [Fact]
    public async Task Objects_OfAnySize_AreReadAndVerified_AndSmallOnesTakeOneRequest()
    {
        int[] lengths = [0, 1, 4095, 4096, 4097, Part - 1, Part, Part + 1, (5 * Part) + 1];
        Dictionary<string, byte[]> objects = lengths.Select((length, i) => ($"in/d{i % 3}/o{i}", S3.Put($"in/d{i % 3}/o{i}", length, i))).ToDictionary(one => one.Item1, one => one.Item2);
        S3.Put("in/", 0);
        S3.Put("in/folder/", 0);
        S3.Put("inside", 1);
        CheckInGet();

        DirectoryResult result = await NewClient().ReadObjectsAsync(FakeS3.Bucket, "in", ReadAsync).Within();

        Assert.Equal(objects.Keys.Order(), _read.Keys.Order());
        Assert.All(objects, one => Assert.Equal(one.Value, _read[one.Key]));
        Assert.EachEqual((9L, (long)lengths.Sum(), 9L, 0L, (long)lengths.Sum()), (result.Counts.Copied, result.Counts.Bytes, result.Counts.Verified, result.Counts.Failed, result.Statistics.BytesTransferred));
        Assert.Equal(0, S3.GetCount(S3Call.Head));
        Assert.Equal(7, S3.Gets.Count(call => lengths[int.Parse(call.Key[^1..], System.Globalization.CultureInfo.InvariantCulture)] <= Part));
        Assert.All(S3.Gets, call => Assert.NotNull(call.IfMatch));
    }

    [Fact]
    public async Task Keys_AreReadWithoutAListing()
    {
        S3.Put("a", 10);
        S3.Put("b", 20);
        S3.Put("c", 30);
        CheckInGet();
        ReadObjectsOptions options = new() { Keys = Listed.Select(key => new ObjectKey { Key = key }).ToAsyncEnumerable() };

        DirectoryResult result = await NewClient().ReadObjectsAsync(FakeS3.Bucket, string.Empty, ReadAsync, options).Within();

        Assert.Equal(["a", "c"], _read.Keys.Order());
        Assert.EachEqual((2L, 40L, 2L, 0), (result.Counts.Copied, result.Counts.Bytes, result.Counts.Verified, S3.GetCount(S3Call.List)));
    }

    /// <summary>Each callback waits for the others, so they would never end if they ran one after the other.</summary>
    [Fact]
    public async Task Callbacks_RunAtTheSameTime_AsManyAsTheOptionsAllow()
    {
        for (int i = 0; i < 12; i++)
        {
            S3.Put($"o{i:00}", 10);
        }

        CheckInGet();
        int running = 0;
        int most = 0;
        TaskCompletionSource four = new(TaskCreationOptions.RunContinuationsAsynchronously);

        DirectoryResult result = await NewClient().ReadObjectsAsync(
            FakeS3.Bucket,
            string.Empty,
            async (key, stream, token) =>
            {
                int now = Interlocked.Increment(ref running);
                InterlockedMax(ref most, now);
                if (now == 4)
                {
                    four.TrySetResult();
                }

                await four.Task.WaitAsync(token);
                await ReadAsync(key, stream, token);
                Interlocked.Decrement(ref running);
            },
            new ReadObjectsOptions { MaxConcurrentObjects = 4 }).Within();

        Assert.EachEqual((12, 4), (result.Counts.Copied, most));
    }

    [Fact]
    public async Task Failure_WithContinue_IsThatOfItsObject_WhetherOpeningOrReadingFails()
    {
        for (int i = 0; i < 20; i++)
        {
            S3.Put($"o{i:00}", 10);
        }

        CheckInGet();
        S3.Before = (call, _) => call is { Operation: S3Call.Get, Key: "o07" } ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;
        S3.Body = (call, bytes) => new ScriptedStream(call.Key == "o13" ? new byte[bytes.Length] : bytes.ToArray());
        List<Outcome> told = [];

        DirectoryResult result = await NewClient().ReadObjectsAsync(
            FakeS3.Bucket, string.Empty, ReadAsync, new ReadObjectsOptions { OnFailure = FailurePolicy.Continue, ObjectEnded = told.Add }).Within();

        Assert.Equal(["o07", "o13"], result.Failures.Select(failure => failure.Name).Order(StringComparer.Ordinal));
        Assert.Equal("AccessDenied", ((TransferException)result.Failures.Single(failure => failure.Name == "o07").Error!).ErrorCode);
        Assert.IsType<ChecksumMismatchException>(result.Failures.Single(failure => failure.Name == "o13").Error);
        Assert.EachEqual((18L, 180L, 18, 20), (result.Counts.Copied, result.Counts.Bytes, _read.Count, told.Count));
    }

    /// <summary>As in a download of the same objects: what is there now counts, and the callback sees nothing else.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Object_ReplacedAfterTheListing_IsReadAsItIsNow(bool hasKeys)
    {
        foreach (string key in (string[])["a", "b", "c"])
        {
            S3.Put(key, 10);
        }

        ReadObjectsOptions options = new()
        {
            Keys = hasKeys ? S3.Objects.Select(one => new ObjectKey { Key = one.Key, Length = 10, ETag = one.Value.ETag }).ToList().ToAsyncEnumerable() : null,
        };
        byte[] now = Sample.Bytes(20, 7);
        void Replace() => S3.Objects["b"] = FakeObject.Checked(now) with { ETag = "\"now\"" };
        S3.Page = _ => Replace();
        CheckInGet();
        if (hasKeys)
        {
            Replace();
        }

        DirectoryResult result = await NewClient().ReadObjectsAsync(FakeS3.Bucket, string.Empty, ReadAsync, options).Within();

        Assert.Equal(now, _read["b"]);
        Assert.EachEqual((3, 40, 40), (result.Counts.Copied, result.Counts.Bytes, result.Statistics.BytesTransferred));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Object_DeletedOrWithoutETagAfterTheListing_IsAFailureThatTheCallbackDoesNotSee(bool isDeleted)
    {
        S3.Put("a", 10);
        S3.Put("b", 10);
        CheckInGet();
        S3.Page = _ =>
        {
            S3.Objects.Remove("b", out FakeObject? _);
            if (!isDeleted)
            {
                S3.Objects["b"] = new FakeObject(Sample.Bytes(20), null);
            }
        };

        DirectoryResult result = await NewClient(client => client.MaxAttempts = 1).ReadObjectsAsync(
            FakeS3.Bucket, string.Empty, ReadAsync, new ReadObjectsOptions { OnFailure = FailurePolicy.Continue }).Within();

        Outcome failure = Assert.Single(result.Failures);
        Assert.Equal(isDeleted ? "NoSuchKey" : null, ((TransferException)failure.Error!).ErrorCode);
        Assert.Equal(["a"], _read.Keys);
    }

    [Fact]
    public async Task CallbackThrows_EndsTheCallWithItsException_AndLeavesNothing()
    {
        for (int i = 0; i < 500; i++)
        {
            S3.Put($"o{i:000}", 10);
        }

        CheckInGet();
        InvalidDataException thrown = new("not JSON");

        InvalidDataException e = await Assert.ThrowsAsync<InvalidDataException>(() => NewClient().ReadObjectsAsync(
            FakeS3.Bucket,
            string.Empty,
            (key, _, token) => key == "o005" ? throw thrown : string.CompareOrdinal(key, "o005") < 0 ? Task.CompletedTask : Task.Delay(Timeout.InfiniteTimeSpan, token),
            new ReadObjectsOptions { OnFailure = FailurePolicy.Continue }).Within());

        Assert.Same(thrown, e);
        Assert.InRange(S3.Gets.Count(), 1, 499);
    }

    [Fact]
    public async Task Canceled_WhileCallbacksRun_ThrowsWithTheTokenOfTheCaller()
    {
        for (int i = 0; i < 20; i++)
        {
            S3.Put($"o{i:00}", 10);
        }

        CheckInGet();
        using CancellationTokenSource stop = new();

        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => NewClient().ReadObjectsAsync(
            FakeS3.Bucket,
            string.Empty,
            async (key, _, token) =>
            {
                if (key == "o03")
                {
                    await stop.CancelAsync();
                }

                await Task.Delay(Timeout.InfiniteTimeSpan, token);
            },
            cancellationToken: stop.Token).Within());

        Assert.Equal(stop.Token, e.CancellationToken);
    }

    [Fact]
    public async Task Callback_ReadsAPart_TheRestIsNeitherVerifiedNorAnError()
    {
        S3.Put("large", 20 * Part);
        CheckInGet();

        DirectoryResult result = await NewClient().ReadObjectsAsync(
            FakeS3.Bucket, string.Empty, async (_, stream, token) => await stream.ReadExactlyAsync(new byte[100], token)).Within();

        Assert.EachEqual((1L, 20L * Part, 0L), (result.Counts.Copied, result.Counts.Bytes, result.Counts.Verified));
    }

    /// <summary>A callback that keeps its stream can't read it anymore, and takes no memory.</summary>
    [Fact]
    public async Task Callback_KeepsTheStream_ItIsDisposed()
    {
        S3.Put("a", 10);
        CheckInGet();
        ObjectReadStream? kept = null;

        await NewClient().ReadObjectsAsync(
            FakeS3.Bucket,
            string.Empty,
            (_, stream, _) =>
            {
                kept = stream;
                return Task.CompletedTask;
            }).Within();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => kept!.ReadAsync(new byte[1]).AsTask());
    }

    [Fact]
    public async Task Progress_CoversAllObjects()
    {
        for (int i = 0; i < 5; i++)
        {
            S3.Put($"o{i}", 10);
        }

        CheckInGet();
        List<TransferProgress> reports = [];

        await NewClient().ReadObjectsAsync(FakeS3.Bucket, string.Empty, ReadAsync, progress: new RecordedProgress(reports)).Within();

        TransferProgress last = reports[^1];
        Assert.EachEqual((50L, 50L, 50L, 5L, 5L), (last.BytesTransferred, last.BytesConfirmed, last.TotalBytes!.Value, last.ObjectsCompleted, last.TotalObjects!.Value));
    }

    /// <summary>An upload in the callback shares slots and memory with the reads, and must not wait for them forever.</summary>
    [Fact]
    public async Task Callback_UploadsWhatItReads_WithTheSameClient()
    {
        for (int i = 0; i < 50; i++)
        {
            S3.Put($"in/o{i:00}", 3 * Part, i);
        }

        CheckInGet();
        TransferClient client = NewClient(options => options.MaxConcurrency = 2);

        DirectoryResult result = await client.ReadObjectsAsync(
            FakeS3.Bucket, "in", (key, stream, token) => client.UploadAsync(stream, FakeS3.Bucket, "out" + key[2..], cancellationToken: token)).Within();

        Assert.Equal(50, result.Counts.Copied);
        Assert.Equal(50, S3.Objects.Keys.Count(key => key.StartsWith("out/", StringComparison.Ordinal)));
    }

    /// <summary>The callbacks need more memory together than there is, and each holds what it has read until it gets more.</summary>
    [Fact]
    public async Task Callback_UploadsWhatItReads_WithLittleMemory_Ends()
    {
        for (int i = 0; i < 24; i++)
        {
            S3.Put($"in/o{i:00}", 16 * Part, i);
        }

        CheckInGet();
        TransferClient client = NewClient(options => options.MemoryBytes = 5 * 1024 * 1024);

        DirectoryResult result = await client.ReadObjectsAsync(
            FakeS3.Bucket, "in", (key, stream, token) => client.UploadAsync(stream, FakeS3.Bucket, "out" + key[2..], cancellationToken: token)).Within();

        Assert.Equal(24, result.Counts.Copied);
        Assert.Equal(24, S3.Objects.Keys.Count(key => key.StartsWith("out/", StringComparison.Ordinal)));
    }

    /// <summary>More objects are read at the same time than there is memory for streams.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(16)]
    public async Task ManyObjects_WithLittleMemory_AllAreRead(int floors)
    {
        PutMany(500);
        TransferClient client = NewClient(options => (options.MemoryBytes, options.Advanced.ChunkSizeBytes, options.MaxConcurrency) = (floors * 1024 * 1024, 64 * 1024, 64));

        DirectoryResult result = await client.ReadObjectsAsync(FakeS3.Bucket, "in", ReadAsync, new ReadObjectsOptions { OnFailure = FailurePolicy.Continue }).Within();

        Assert.EachEqual((500, 0, 500), (result.Counts.Copied, result.Counts.Failed, _read.Count));
    }

    /// <summary>Each callback opens another stream of the client while its own is open.</summary>
    [Fact]
    public async Task Callback_OpensStreams_WithLittleMemory_AllAreRead()
    {
        PutMany(100);
        TransferClient client = NewClient(options => (options.MemoryBytes, options.Advanced.ChunkSizeBytes, options.MaxConcurrency) = (1024 * 1024, 64 * 1024, 64));

        DirectoryResult result = await client.ReadObjectsAsync(
            FakeS3.Bucket,
            "in",
            async (key, stream, token) =>
            {
                await using ObjectReadStream other = await client.OpenReadAsync(FakeS3.Bucket, key, cancellationToken: token);
                await other.CopyToAsync(Stream.Null, token);
                using MemoryStream copy = new();
                await client.DownloadAsync(FakeS3.Bucket, key, copy, cancellationToken: token);
                await ReadAsync(key, stream, token);
            }).Within();

        Assert.EachEqual((100, 100), (result.Counts.Copied, _read.Count));
    }

    /// <summary>Calls of the same client share its memory, also if one runs in the callback of another.</summary>
    [Fact]
    public async Task ManyCallsAtOnce_WithLittleMemory_AllAreRead()
    {
        PutMany(20);
        TransferClient client = NewClient(options => (options.MemoryBytes, options.Advanced.ChunkSizeBytes, options.MaxConcurrency) = (1024 * 1024, 64 * 1024, 16));
        int read = 0;

        await Task.WhenAll(Enumerable.Range(0, 6).Select(_ => client.ReadObjectsAsync(FakeS3.Bucket, "in", CountAsync))).Within();
        Assert.Equal(120, read);
        await client.ReadObjectsAsync(FakeS3.Bucket, "in", (_, _, token) => client.ReadObjectsAsync(FakeS3.Bucket, "in", CountAsync, cancellationToken: token)).Within();
        Assert.Equal(520, read);

        async Task CountAsync(string key, ObjectReadStream stream, CancellationToken token)
        {
            await stream.CopyToAsync(Stream.Null, token);
            Interlocked.Increment(ref read);
        }
    }

    private void PutMany(int count)
    {
        for (int i = 0; i < count; i++)
        {
            S3.Put($"in/o{i:000}", 100, i);
        }

        CheckInGet();
    }

    [Fact]
    public async Task NoCallback_IsRefused()
    {
        await Assert.ThrowsAsync<ArgumentNullException>(() => NewClient().ReadObjectsAsync(FakeS3.Bucket, string.Empty, null!));
        Assert.Empty(S3.Calls);
    }

    private void CheckInGet()
    {
        foreach (string key in S3.Objects.Keys)
        {
            S3.Objects[key] = S3.Objects[key] with { Crc64NvmeInGet = S3.Objects[key].Crc64Nvme };
        }
    }

    private static void InterlockedMax(ref int most, int value)
    {
        int seen;
        while ((seen = Volatile.Read(ref most)) < value && Interlocked.CompareExchange(ref most, value, seen) != seen)
        {
        }
    }

    private async Task ReadAsync(string key, ObjectReadStream stream, CancellationToken cancellationToken)
    {
        using MemoryStream copy = new();
        await stream.CopyToAsync(copy, cancellationToken);
        Assert.True(_read.TryAdd(key, copy.ToArray()));
    }
}
