using System.Buffers;
using System.Collections.Concurrent;
using System.IO.Pipelines;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Cancellation;

/// <summary>
/// Ends every operation at each of its waits, one after another, until it completes without being ended. The operation must report what
/// ended it, and leave nothing behind.
/// </summary>
public sealed class EveryStepTests : TransferTest
{
    private const int Part = 64 * 1024;
    private const int UploadPart = 5 * 1024 * 1024;
    private const int MoreStepsThanAnyOperationHas = 100;

    private static readonly byte[] Large = Sample.Bytes((2 * UploadPart) + 5);
    private static readonly byte[] Small = Sample.Bytes((2 * Part) + 5);

    /// <summary>Disables resuming, because state for a later transfer is left on purpose. Other tests cover it.</summary>
    private static readonly DownloadOptions AllOrNothing = new() { Resume = false };

    private static readonly Dictionary<string, Func<EveryStepTests, TransferClient, CancellationToken, Task>> Operations = new()
    {
        ["read"] = static (_, client, token) => ReadAsync(client, token),
        ["download file"] = static (test, client, token) => client.DownloadAsync(FakeS3.Bucket, "small", test.Target("file"), AllOrNothing, cancellationToken: token),
        ["download stream"] = static (test, client, token) => client.DownloadAsync(FakeS3.Bucket, "small", test.NewStream([]), cancellationToken: token),
        ["download pipe"] = static (test, client, token) => client.DownloadAsync(FakeS3.Bucket, "small", PipeWriter.Create(test.NewStream([])), cancellationToken: token),
        ["upload file"] = static (test, client, token) => client.UploadAsync(test.Source("large"), FakeS3.Bucket, FakeS3.Key, cancellationToken: token),
        ["upload small file"] = static (test, client, token) => client.UploadAsync(test.Source("small"), FakeS3.Bucket, FakeS3.Key, cancellationToken: token),
        ["upload stream"] = static (test, client, token) => client.UploadAsync(test.NewStream(Large), FakeS3.Bucket, FakeS3.Key, cancellationToken: token),
        ["upload pipe"] = static (test, client, token) => client.UploadAsync(
            PipeReader.Create(test.NewStream(Large), new StreamPipeReaderOptions(bufferSize: UploadPart / 2)), FakeS3.Bucket, FakeS3.Key, cancellationToken: token),
        ["upload memory"] = static (_, client, token) => client.UploadAsync(new ReadOnlySequence<byte>(Large), FakeS3.Bucket, FakeS3.Key, cancellationToken: token),
        ["write"] = static (_, client, token) => WriteAsync(client, token),
        ["copy"] = static (_, client, token) => client.CopyAsync(new(FakeS3.Bucket, "small"), new(FakeS3.Bucket, FakeS3.Key), cancellationToken: token),
        ["copy parts"] = static (_, client, token) => client.CopyAsync(
            new(FakeS3.Bucket, "large"), new(FakeS3.Bucket, FakeS3.Key), new CopyOptions { PartSizeBytes = UploadPart, MultipartThresholdBytes = UploadPart }, cancellationToken: token),
        ["verify"] = static (test, client, token) => client.VerifyAsync(test.Source("small"), FakeS3.Bucket, "small", cancellationToken: token),
        ["verify by reading"] = static (test, client, token) => client.VerifyAsync(test.Source("small"), FakeS3.Bucket, "unsummed", cancellationToken: token),
        ["abort uploads"] = static (_, client, token) => client.AbortUploadsAsync(FakeS3.Bucket, "u", cancellationToken: token),
        ["download directory"] = static (test, client, token) => client.DownloadDirectoryAsync(FakeS3.Bucket, "tree/", test.Target("tree"), new DirectoryOptions { Download = AllOrNothing }, cancellationToken: token),
        ["upload directory"] = static (test, client, token) => client.UploadDirectoryAsync(test.Source("."), FakeS3.Bucket, "up/", cancellationToken: token),
        ["copy directory"] = static (_, client, token) => client.CopyTreeAsync(Place.InBucket(FakeS3.Bucket, "tree/"), Place.InBucket(FakeS3.Bucket, "copied/"), cancellationToken: token),
        ["verify directory"] = static (test, client, token) => client.VerifyTreeAsync(Place.InDirectory(test.Source(".")), Place.InBucket(FakeS3.Bucket, "tree/"), cancellationToken: token),
    };

    private readonly ConcurrentQueue<SteppingStream> _bodies = [];
    private Steps _steps = new(0, (_, _) => Task.CompletedTask);

    public static TheoryData<string, Ending> All => Matrix.Of(Operations.Keys, Enum.GetValues<Ending>());

    public override async Task InitializeAsync()
    {
        await base.InitializeAsync();
        Directory.CreateDirectory(Folder.File("sources/sub"));
        Folder.File("sources/small", Small);
        Folder.File("sources/sub/large", Large);
        Folder.File("sources/large", Large);
        S3.PageSize = 2;
        S3.Before = (call, token) => _steps.PassAsync(call.Operation == S3Call.Create ? Step.Create : Step.Answer, token);
        S3.Body = (_, bytes) =>
        {
            SteppingStream body = new(bytes.ToArray(), Part / 2, token => _steps.PassAsync(Step.Body, token));
            _bodies.Enqueue(body);
            return body;
        };
    }

    [Theory]
    [MemberData(nameof(All))]
    public async Task Operation_EndedAtAnyStep_EndsAndLeavesNothing(string operation, Ending ending)
    {
        TransferClient client = NewClient(Configure);
        Time.SkipDelaysBelow = ending == Ending.CancelledWhileBackingOff ? TimeSpan.Zero : TimeSpan.FromSeconds(10);
        for (int step = 1; ; step++)
        {
            Assert.InRange(step, 1, MoreStepsThanAnyOperationHas);
            ResetFiles();
            using CancellationTokenSource caller = new();
            _steps = new Steps(step, (what, token) => EndOperationAsync(ending, what, caller, token));
            int delays = Time.Delays.Count;

            Task running = Operations[operation](this, client, caller.Token);
            await Task.WhenAny(running, _steps.Reached).Within();
            bool isHindered = _steps.Reached.IsCompleted;
            if (isHindered)
            {
                await EndAsync(ending, client, caller, running, Time, delays);
            }

            Exception? error = await EndOfAsync(running);
            CheckEnd(ending, isHindered, error, $"{operation}, {ending} at step {step}, {_steps.What}: {error}", caller.Token);
            Leftovers.Check(client, S3, Folder.File("targets"), $"{operation}, {ending} at step {step}");
            await Deadline.Until(() => _bodies.All(static body => body.IsDisposed)); // that of a request that another one replaced is disposed in the background
            if (!isHindered)
            {
                break;
            }

            client = ending == Ending.ClientDisposed ? NewClient(Configure) : client;
        }
    }

    private static void Configure(TransferClientOptions options) => options.Advanced.ChunkSizeBytes = Part / 4;

    /// <summary>Ends the operation at the step.</summary>
    private static async Task EndOperationAsync(Ending ending, Step step, CancellationTokenSource caller, CancellationToken token)
    {
        switch (ending)
        {
            case Ending.CancelledAndAnswered:
                await caller.CancelAsync();
                break;
            case Ending.CancelledWhileBackingOff when step is Step.Answer or Step.Create:
                throw FakeS3.Busy();
            case Ending.CancelledWhileBackingOff when step is Step.Body:
                throw new IOException("The connection was closed by the test.");
            case Ending.CancelledInSilence or Ending.ClientDisposed when step is not Step.Create:
                await new TaskCompletionSource().Task.WaitAsync(token);
                break;
            default:
                break;
        }
    }

    private static async Task EndAsync(Ending ending, TransferClient client, CancellationTokenSource caller, Task running, SteppedClock time, int delays)
    {
        switch (ending)
        {
            case Ending.CancelledAndAnswered:
                break;
            case Ending.CancelledWhileBackingOff:
                await Deadline.Until(() => running.IsCompleted || time.Delays.Count > delays);
                await caller.CancelAsync();
                break;
            case Ending.CancelledInSilence:
                await Task.WhenAll(Task.Run(caller.Cancel), Task.Run(caller.Cancel)).Within();
                break;
            default:
                await Task.WhenAll(Task.Run(() => client.DisposeAsync().AsTask()), Task.Run(() => client.DisposeAsync().AsTask())).Within();
                break;
        }
    }

    private static async Task<Exception?> EndOfAsync(Task running)
    {
        try
        {
            await running.Within();
            return null;
        }
#pragma warning disable CA1031 // the test inspects the exception
        catch (Exception e)
#pragma warning restore CA1031
        {
            return e;
        }
    }

    private void CheckEnd(Ending ending, bool isHindered, Exception? error, string where, CancellationToken token)
    {
        if (!isHindered)
        {
            Assert.True(error is null, where);
        }
        else if (error is null)
        {
            // It was ended too late, or the failed step was not essential. But no operation completes if a response never arrives.
            Assert.True(ending is Ending.CancelledAndAnswered or Ending.CancelledWhileBackingOff || _steps.What == Step.Create, where);
        }
        else if (ending == Ending.ClientDisposed)
        {
            Assert.True(error is ObjectDisposedException, where);
        }
        else
        {
            Assert.True(error is OperationCanceledException cancelled && cancelled.CancellationToken == token, where);
        }
    }

    private static async Task WriteAsync(TransferClient client, CancellationToken token)
    {
        await using ObjectWriteStream stream = await client.OpenWriteAsync(FakeS3.Bucket, FakeS3.Key, cancellationToken: token);
        await stream.WriteAsync(Large, token);
        await stream.CompleteAsync(token);
    }

    private static async Task ReadAsync(TransferClient client, CancellationToken token)
    {
        await using ObjectReadStream stream = await client.OpenReadAsync(FakeS3.Bucket, "small", cancellationToken: token);
        await stream.CopyToAsync(Stream.Null, token);
    }

    private SteppingStream NewStream(byte[] content) => new(content, UploadPart / 2, token => _steps.PassAsync(Step.Caller, token));

    private string Source(string name) => Folder.File($"sources/{name}");

    private string Target(string name) => Folder.File($"targets/{name}");

    /// <summary>Restores the state that each run starts from.</summary>
    private void ResetFiles()
    {
        _bodies.Clear();
        S3.Calls.Clear();
        S3.Objects.Clear();
        S3.Objects["small"] = FakeObject.Checked(Small);
        S3.Objects["unsummed"] = new FakeObject(Small, "\"no-md5\"");
        S3.Objects["large"] = FakeObject.Checked(Large);
        for (int i = 0; i < 4; i++)
        {
            S3.Objects[$"tree/d{i % 2}/o{i}"] = FakeObject.Checked(i == 0 ? Small : Sample.Bytes(100, i));
        }

        S3.Unfinished.Clear();
        S3.Unfinished.AddRange(Enumerable.Range(0, 3).Select(i => new UnfinishedUpload { Key = $"u{i}", UploadId = $"{i}", Initiated = DateTimeOffset.UnixEpoch }));
        string targets = Folder.File("targets");
        if (Directory.Exists(targets))
        {
            Directory.Delete(targets, recursive: true);
        }

        Directory.CreateDirectory(targets);
    }
}
