using System.Net;
using Transfer.S3.Bench.Workloads;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Bench.Workloads;

public sealed class WorkloadRunnerTests : IDisposable
{
    private static readonly WorkloadTask Down = new(WorkloadAction.Download, "down/sub/a", 500_000_000);
    private static readonly WorkloadTask Up = new(WorkloadAction.Upload, "up/b", 3);
    private readonly TemporaryFolder _folder = new();
    private readonly FakeTimeProvider _time = new();
    private readonly FakeProcess _process = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(3, 600, 3)] // the count is reached first
    [InlineData(10, 10, 3)] // the run that exceeds the time is the last
    [InlineData(10, 8, 2)] // a run that ends exactly then is the last, too
    [InlineData(10, 0, 1)] // at least one
    [InlineData(1, 600, 1)]
    public async Task RunAsync_RunsOf4Seconds_EndWithTheFirstLimit(int maxCount, double maxSeconds, int expected)
    {
        FakeWorkloadClient client = new() { Transfer = (task, _) => PassAsync(task, 4, 1.5) };
        List<WorkloadRun> reported = [];

        WorkloadRunner runner = Create(client, false, maxCount, maxSeconds, Down);
        await runner.RunAsync(reported.Add, CancellationToken.None);

        Assert.Equal([.. Enumerable.Range(1, expected).Select(run => new WorkloadRun(run, 4, 1, 1.5))], reported); // 4 Gb in 4 s
        Assert.Equal(reported, runner.Done);
    }

    [Theory]
    [InlineData(true, "download file down/sub/a", "upload file up/b")]
    [InlineData(false, "discard down/sub/a", "upload memory up/b")]
    public async Task RunAsync_FilesOnDiskOrNot_CallsTheClientAccordingly(bool filesOnDisk, params string[] expected)
    {
        FakeWorkloadClient client = new();
        await Create(client, filesOnDisk, 1, 600, Down, Up).RunAsync(_ => { }, CancellationToken.None);
        Assert.Equal(expected, client.Calls.Order());
        Assert.Equal(filesOnDisk, Directory.Exists(_folder.File("down/sub")));
    }

    [Fact]
    public async Task RunAsync_DownloadedFile_IsDeletedBeforeEachRun()
    {
        List<bool> existed = [];
        string path = _folder.File("down/sub/a");
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, "older");
        FakeWorkloadClient client = new()
        {
            Transfer = async (task, token) =>
            {
                existed.Add(File.Exists(path));
                await File.WriteAllTextAsync(path, "content", token);
                return task.SizeBytes;
            },
        };

        await Create(client, true, 2, 600, Down).RunAsync(_ => { }, CancellationToken.None);

        Assert.Equal([false, false], existed);
        Assert.True(File.Exists(path)); // the last run leaves its files
    }

    [Theory]
    [InlineData(int.MaxValue, 100)]
    [InlineData(7, 7)]
    public async Task RunAsync_ManyTasks_RunAtOnceUpToTheLimitOfTheClient(int limit, int expected)
    {
        InProgress tasks = new();
        TaskCompletionSource all = new(TaskCreationOptions.RunContinuationsAsynchronously);
        FakeWorkloadClient client = new()
        {
            MaxConcurrentTasks = limit,
            Transfer = async (task, _) =>
            {
                if (tasks.Enter() == expected)
                {
                    all.TrySetResult();
                }

                await all.Task;
                tasks.Leave();
                return task.SizeBytes;
            },
        };

        await Create(client, false, 1, 600, [.. Enumerable.Range(0, 100).Select(i => Down with { Key = $"{i}" })]).RunAsync(_ => { }, CancellationToken.None).Within();

        Assert.Equal(expected, tasks.Most);
        Assert.Equal(100, client.Calls.Count);
    }

    [Theory]
    [InlineData(HttpStatusCode.NotFound, "NoSuchKey", "s3://bucket/down/sub/a doesn't exist, and the workload downloads it; create it with --prepare")]
    [InlineData(HttpStatusCode.NotFound, "NoSuchBucket", null)]
    [InlineData(HttpStatusCode.Forbidden, "AccessDenied", null)]
    public async Task RunAsync_TaskFails_EndsTheRunsAndCancelsTheOthers(HttpStatusCode status, string code, string? expected)
    {
        int started = 0;
        bool isCanceled = false;
        FakeWorkloadClient client = new()
        {
            Transfer = async (task, token) =>
            {
                if (Interlocked.Increment(ref started) == 2)
                {
                    throw new TransferException("it failed") { StatusCode = status, ErrorCode = code };
                }

                await WhenCanceledAsync(token);
                isCanceled = true;
                throw new OperationCanceledException(token);
            },
        };
        WorkloadRunner runner = Create(client, false, 5, 600, Down, Down);

        Exception error = await Assert.ThrowsAnyAsync<Exception>(() => runner.RunAsync(_ => Assert.Fail("no run is complete"), CancellationToken.None).Within());

        Assert.True(isCanceled);
        Assert.Empty(runner.Done);
        Assert.Contains(expected ?? "it failed", error.Message, StringComparison.Ordinal);
        Assert.Equal(expected is not null, error is WorkloadException { Key: "down/sub/a" });
    }

    [Fact]
    public async Task RunAsync_ObjectOfAnotherSize_FailsAndNamesBoth()
    {
        FakeWorkloadClient client = new() { Transfer = static (_, _) => Task.FromResult(1234L) };
        WorkloadException error = await Assert.ThrowsAsync<WorkloadException>(() => Create(client, false, 5, 600, Down).RunAsync(_ => { }, CancellationToken.None));
        Assert.StartsWith("s3://bucket/down/sub/a has 1,234 bytes, but 500,000,000 in the workload; create it with --prepare", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task RunAsync_Canceled_KeepsTheCompleteRuns()
    {
        using CancellationTokenSource stop = new();
        FakeWorkloadClient client = new() { Transfer = (task, token) => token.IsCancellationRequested ? Task.FromCanceled<long>(token) : PassAsync(task, 1, 1) };
        WorkloadRunner runner = Create(client, false, 5, 600, Down);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => runner.RunAsync(run => stop.Cancel(), stop.Token));

        Assert.Single(runner.Done);
    }

    [Fact]
    public void CheckFiles_FileToUpload_MustExistWithItsSize()
    {
        WorkloadRunner runner = Create(new FakeWorkloadClient(), true, 1, 600, Down, Up);
        Assert.StartsWith(
            "the file 'up/b' in the current directory doesn't exist, and the workload uploads it; create it with --prepare", Assert.Throws<WorkloadException>(runner.CheckFiles).Message, StringComparison.Ordinal);

        Directory.CreateDirectory(_folder.File("up"));
        File.WriteAllBytes(_folder.File("up/b"), new byte[4]);
        Assert.StartsWith("the file 'up/b' in the current directory has 4 bytes, but 3 in the workload", Assert.Throws<WorkloadException>(runner.CheckFiles).Message, StringComparison.Ordinal);

        File.WriteAllBytes(_folder.File("up/b"), new byte[3]);
        runner.CheckFiles();
        Create(new FakeWorkloadClient(), false, 1, 600, Up with { Key = "missing" }).CheckFiles(); // content in memory needs no file
    }

    private WorkloadRunner Create(FakeWorkloadClient client, bool filesOnDisk, int maxCount, double maxSeconds, params WorkloadTask[] tasks) => new(
        SampleWorkloads.File(filesOnDisk, null, maxCount, maxSeconds, tasks), "bucket", _folder.Path, client, new LoopedContent(1, new Random(1)), _process, _time);

    private Task<long> PassAsync(WorkloadTask task, double seconds, double cpuSeconds)
    {
        _time.Advance(TimeSpan.FromSeconds(seconds));
        _process.CpuTime += TimeSpan.FromSeconds(cpuSeconds);
        return Task.FromResult(task.SizeBytes);
    }

    private static async Task WhenCanceledAsync(CancellationToken token)
    {
        TaskCompletionSource canceled = new(TaskCreationOptions.RunContinuationsAsynchronously);
        await using (token.UnsafeRegister(static state => ((TaskCompletionSource)state!).SetResult(), canceled))
        {
            await canceled.Task;
        }
    }
}
