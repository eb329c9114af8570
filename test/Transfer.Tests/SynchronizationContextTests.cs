using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests;

/// <summary>Nothing is posted to the synchronization context of a caller, because every await in the library uses ConfigureAwait(false).</summary>
public sealed class SynchronizationContextTests : TransferTest
{
    [Fact]
    public async Task Transfers_CallerHasAContext_NothingIsPostedToIt()
    {
        byte[] content = S3.Put((3 * 64 * 1024) + 5);
        using TemporaryFolder folder = new();
        TransferClient client = NewClient();
        ForbiddenContext context = new();

        // The calls start under the context, as on a UI thread, but the test itself waits outside of it.
        Task[] transfers = context.Run(() => new Task[]
        {
            client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, folder.File("target")),
            client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()),
            client.UploadAsync(new ScriptedStream(content), FakeS3.Bucket, "up-1"),
            client.UploadAsync(new ScriptedStream(Sample.Bytes((2 * 5 * 1024 * 1024) + 1)), FakeS3.Bucket, "up-2"),
        });
        await Task.WhenAll(transfers).Within();
        ObjectReadStream stream = await context.Run(() => client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key)).Within();
        await context.Run(() => stream.ReadAsync(new byte[10]).AsTask()).Within();
        await context.Run(() => stream.CopyToAsync(Stream.Null)).Within();
        await context.Run(() => stream.DisposeAsync().AsTask()).Within();
        ObjectWriteStream written = await context.Run(() => client.OpenWriteAsync(FakeS3.Bucket, "up-3")).Within();
        await context.Run(() => written.WriteAsync(Sample.Bytes((2 * 5 * 1024 * 1024) + 1)).AsTask()).Within();
        await context.Run(() => written.Writer.FlushAsync().AsTask()).Within();
        await context.Run(() => written.CompleteAsync()).Within();
        await context.Run(() => written.DisposeAsync().AsTask()).Within();
        ObjectWriteStream dropped = await context.Run(() => client.OpenWriteAsync(FakeS3.Bucket, "up-4")).Within();
        await context.Run(() => dropped.DisposeAsync().AsTask()).Within();
        await context.Run(() => client.VerifyAsync(folder.File("target"), FakeS3.Bucket, FakeS3.Key)).Within();
        S3.Objects[FakeS3.Key] = new FakeObject(content, null);
        await context.Run(() => client.VerifyAsync(folder.File("target"), FakeS3.Bucket, FakeS3.Key)).Within();
        S3.Unfinished.Add(new UnfinishedUpload { Key = "up-5", UploadId = "1" });
        await context.Run(() => client.AbortUploadsAsync(FakeS3.Bucket, "up-")).Within();

        Assert.True(context.Posts == 0, context.FirstPost);
    }

    private sealed class ForbiddenContext : SynchronizationContext
    {
        private int _posts;

        public int Posts => Volatile.Read(ref _posts);

        /// <summary>Gets the stack of the first post.</summary>
        public string? FirstPost { get; private set; }

        public T Run<T>(Func<T> begin)
        {
            SynchronizationContext? before = Current;
            SetSynchronizationContext(this);
            try
            {
                return begin();
            }
            finally
            {
                SetSynchronizationContext(before);
            }
        }

        public override void Post(SendOrPostCallback d, object? state)
        {
            if (Interlocked.Increment(ref _posts) == 1)
            {
                FirstPost = $"{d.Method.DeclaringType} {state} {Environment.StackTrace}";
            }

            ThreadPool.QueueUserWorkItem(_ => d(state)); // runs the callback anyway, so that a failure is a count and not a hang
        }

        public override void Send(SendOrPostCallback d, object? state) => Post(d, state);
    }
}
