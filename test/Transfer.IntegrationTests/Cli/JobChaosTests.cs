using System.Globalization;
using System.Text;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>
/// Eight processes run the shards of a job. At random numbers of requests, one of them is killed, or stopped until another one has done its shard, and some shards run
/// twice at once. <c>TRANSFER_FAULTS</c> and <c>TRANSFER_SEED</c> set the number of kills and stops, and their moments.
/// </summary>
[LongRunning]
public sealed class JobChaosTests : ToolTest
{
    private const string Run = $"s3://{Bucket}/runs/1";
    private const int Workers = 8;
    private const int Shards = 12;
    private const int SmallObjects = 150;
    private const int MostRequests = 25;
    private const int PartBytes = 5 << 20;
    private static readonly int Faults = Number("TRANSFER_FAULTS", LongTests.Choose(full: 60, quick: 6));
    private static readonly int Seed = Number("TRANSFER_SEED", 1);
    private static readonly byte[] Huge = Sample.Bytes((8 * PartBytes) + 5, 1);

    private readonly Random _random = new(Seed);
    private readonly List<RunningTask> _tasks = [];
    private readonly Queue<int> _waiting = new();
    private long _nextFault;
    private int _faults;

    /// <summary>Limits the rate, so that a run takes long enough to be hit.</summary>
    protected override EmbeddedS3ServerOptions ServerOptions => new() { Buckets = [Bucket], LinkBytesPerSecond = 64 << 20 };

    [Fact]
    public async Task KillsAndStops_EachEffectOnce()
    {
        for (int round = 1; _faults < Faults; round++)
        {
            string prefix = $"t{round}";
            await WriteTreeAsync(round);
            (await RunAsync("plan", GetPath("tree"), $"s3://{Bucket}/{prefix}", "--run", Run + round, "--shards", $"{Shards}", "--split", "10MiB", "--part-size", "5MiB")).Expect(0);
            Server.ClearRequests();

            await RunShardsAsync(Run + round);

            string about = $"seed {Seed}, round {round}, {_faults} faults";
            ToolOutcome end = await RunAsync("finish", Run + round);
            Assert.True(end.ExitCode == 0, $"{about}: {end.Error}");
            (await RunAsync("verify", GetPath("tree"), $"s3://{Bucket}/{prefix}")).Expect(0);
            string[] written = [.. Server.Requests
                .Where(request => request is { Operation: "PutObject" or "CompleteMultipartUpload", StatusCode: 200 } && request.Key!.StartsWith(prefix + "/", StringComparison.Ordinal))
                .Select(request => request.Key!)];
            Assert.Equal(SmallObjects + 1, written.Distinct().Count());
            Assert.True(written.Length == SmallObjects + 1, $"{about}: {string.Join(", ", written.GroupBy(key => key).Where(key => key.Count() > 1).Select(key => key.Key))} written more than once");

            // A process that is killed before it has written the ID of its upload leaves that upload open, without parts.
            foreach (MultipartUpload upload in (await S3.ListMultipartUploadsAsync(Bucket).Within()).MultipartUploads ?? [])
            {
                Assert.Empty((await S3.ListPartsAsync(Bucket, upload.Key, upload.UploadId).Within()).Parts ?? []);
            }
        }
    }

    /// <summary>Runs tasks until every shard is finished and every process has ended.</summary>
    private async Task RunShardsAsync(string run)
    {
        int[] order = [.. Enumerable.Range(0, Shards), .. Enumerable.Range(0, Shards).Where(_ => _random.Next(4) == 0)];
        _random.Shuffle(order);
        Array.ForEach(order, _waiting.Enqueue);
        SetNextFault();
        while (_waiting.Count + _tasks.Count > 0)
        {
            while (_tasks.Count(task => !task.IsStopped) < Workers && _waiting.TryDequeue(out int shard))
            {
                ToolProcess tool = ToolProcess.Start(Environment, "run", run, "--shard", shard.ToString(CultureInfo.InvariantCulture), "--progress", "none");
                tool.CloseInput();
                _tasks.Add(new RunningTask(shard, tool));
            }

            await Deadline.Until(() => IsFaultDue || _tasks.Exists(task => task.Tool.HasExited), Describe);
            if (IsFaultDue)
            {
                await HitAsync();
                SetNextFault();
            }

            foreach (RunningTask ended in _tasks.Where(task => task.Tool.HasExited).ToArray())
            {
                await EndAsync(ended);
            }
        }
    }

    private bool IsFaultDue => _faults < Faults && Server.Statistics.TotalRequests >= _nextFault && _tasks.Exists(task => !task.IsStopped && !task.Tool.HasExited);

    private void SetNextFault() => _nextFault = Server.Statistics.TotalRequests + _random.Next(1, MostRequests);

    /// <summary>Kills or stops one process. Another one gets its shard.</summary>
    private async Task HitAsync()
    {
        RunningTask[] running = [.. _tasks.Where(task => !task.IsStopped && !task.Tool.HasExited)];
        if (running.Length == 0)
        {
            return;
        }

        RunningTask hit = running[_random.Next(running.Length)];
        bool isKill = _random.Next(3) != 0;
        if (isKill)
        {
            hit.IsKilled = hit.Tool.Kill();
        }
        else
        {
            await SignalAsync(hit, "STOP");
            hit.IsStopped = true;
            _waiting.Enqueue(hit.Shard);
        }

        _faults++;
    }

    private async Task EndAsync(RunningTask ended)
    {
        _tasks.Remove(ended);
        using ToolProcess tool = ended.Tool;
        ToolOutcome outcome = await tool.EndAsync();
        if (ended.IsKilled)
        {
            _waiting.Enqueue(ended.Shard);
            return;
        }

        outcome.Expect(0);
        foreach (RunningTask stopped in _tasks.Where(task => task.IsStopped && task.Shard == ended.Shard))
        {
            await SignalAsync(stopped, "CONT");
        }
    }

    /// <summary>Signals a process that may have just ended, also before it was to be stopped.</summary>
    private static Task SignalAsync(RunningTask task, string signal)
        => ExternalProgram.RunAsync("sh", new Dictionary<string, string>(), "-c", $"kill -{signal} {task.Tool.Id} 2>&1 || true");

    private string Describe() => $"seed {Seed}: {string.Join(", ", _tasks.Select(task => $"shard {task.Shard}{(task.IsStopped ? " stopped" : string.Empty)}"))}";

    private async Task WriteTreeAsync(int round)
    {
        for (int i = 0; i < SmallObjects; i++)
        {
            Directory.CreateDirectory(GetPath($"tree/{i % 5}"));
            await WriteFileAsync($"tree/{i % 5}/{i}", Encoding.UTF8.GetBytes($"{round} {new string('x', i * 50)}"));
        }

        await WriteFileAsync("tree/huge", Huge);
    }

    private static int Number(string variable, int otherwise)
        => int.TryParse(System.Environment.GetEnvironmentVariable(variable), NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : otherwise;

    private sealed record RunningTask(int Shard, ToolProcess Tool)
    {
        public bool IsKilled { get; set; }

        public bool IsStopped { get; set; }
    }
}
