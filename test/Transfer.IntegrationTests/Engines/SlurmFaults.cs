using System.Runtime.Versioning;

namespace Transfer.S3.IntegrationTests.Engines;

/// <summary>
/// Kills a third of the tasks of a job while they run, and puts them back into the queue. Stops one task, and wakes it after another process has done its shard.
/// </summary>
/// <param name="slurm">The cluster.</param>
/// <param name="store">The store of the job.</param>
/// <param name="tasks">The task of each shard.</param>
/// <param name="deadline">Ends every wait.</param>
[UnsupportedOSPlatform("windows")]
internal sealed class SlurmFaults(Cluster slurm, JobStore store, IReadOnlyList<string> tasks, CancellationToken deadline)
{
    private const int Stopped = 0;

    public string StoppedTask => tasks[Stopped];

    /// <summary>Gets the number of tasks that were running when they were killed.</summary>
    public int Killed { get; private set; }

    public async Task RunAsync(Random random)
    {
        // A dependency on an array is met while its last task is killed and not in the queue again yet, and the job at the end would begin without that task. So
        // one task of each array doesn't end before all are killed: the stopped one of the first array, and the last one of the others, which is held in the queue.
        string held = tasks[^1];
        await slurm.RunAsync("scontrol", "hold", held);

        // A task is killed when this object of its shard is there, or when it runs if its shard has only pieces of a huge object.
        IReadOnlyList<string?> names = await store.ReadNamesAsync(tasks.Count, shard => shard == Stopped ? 0 : random.Next(40));
        await StopAsync(names[Stopped] ?? throw new InvalidOperationException("the stopped shard has only pieces"));

        string[] killed = [.. tasks.Where((_, shard) => shard % 3 == 1)];
        List<int> left = [.. Enumerable.Range(0, tasks.Count).Where(shard => shard % 3 == 1)];
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(20));
        while (left.Count > 0)
        {
            foreach (int shard in left.ToArray())
            {
                if (File.Exists(GetFile(shard)) && (names[shard] is not { } name || await store.HasAsync(name)))
                {
                    await KillAsync(shard);
                    left.Remove(shard);
                }
            }

            await BeginRequeuedAsync();
            await look.WaitForNextTickAsync(deadline);
        }

        // The job at the end must not begin before a killed task is in the queue again.
        while (!Array.TrueForAll(killed, RunsAgain))
        {
            await BeginRequeuedAsync();
            await look.WaitForNextTickAsync(deadline);
        }

        await slurm.RunAsync("scontrol", "release", held);
        (await store.RunAsync("run", store.Run, "--shard", $"{Stopped}")).Expect(0);
        await slurm.RunAsync("kill", "-CONT", (await File.ReadAllTextAsync(GetFile(Stopped))).Trim());
    }

    /// <summary>Waits until a job has ended.</summary>
    /// <returns>What Slurm says about it.</returns>
    public async Task<string> WaitAsync(string job)
    {
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(200));
        while (true)
        {
            await BeginRequeuedAsync();
            string text = await slurm.RunAsync("scontrol", "show", "job", job, "--oneliner");
            if (!text.Contains("JobState=PENDING", StringComparison.Ordinal) && !text.Contains("JobState=RUNNING", StringComparison.Ordinal) && !text.Contains("JobState=COMPLETING", StringComparison.Ordinal))
            {
                return text;
            }

            await look.WaitForNextTickAsync(deadline);
        }
    }

    /// <summary>Gets the file that the first attempt of a task writes.</summary>
    private string GetFile(int shard) => Path.Combine(slurm.Tasks, $"{tasks[shard]}.0");

    private async Task StopAsync(string name)
    {
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(10));
        while (!File.Exists(GetFile(Stopped)) || !await store.HasAsync(name))
        {
            await look.WaitForNextTickAsync(deadline);
        }

        await slurm.RunAsync("kill", "-STOP", (await File.ReadAllTextAsync(GetFile(Stopped))).Trim());
    }

    /// <summary>
    /// Kills the process of a task, as a lack of memory does, and requeues the task. A kill by Slurm itself would cancel the task, and can do so after it was requeued.
    /// </summary>
    private async Task KillAsync(int shard)
    {
        Killed += await slurm.TryRunAsync("kill", "-KILL", (await File.ReadAllTextAsync(GetFile(shard))).Trim()) ? 1 : 0;
        // Slurm can requeue a task that is still ending, and then takes its end for that of the next attempt. For a moment, it refuses that.
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(200));
        while ((await slurm.RunAsync("squeue", "--noheader", "--array", "--states=RUNNING,COMPLETING", "--format=%i")).Split('\n').Contains(tasks[shard]))
        {
            await look.WaitForNextTickAsync(deadline);
        }

        while (!await slurm.TryRunAsync("scontrol", "requeue", tasks[shard]))
        {
            await look.WaitForNextTickAsync(deadline);
        }
    }

    /// <summary>Returns whether a task has begun once more. Each attempt writes a file.</summary>
    private bool RunsAgain(string task) => Directory.GetFiles(slurm.Tasks, $"{task}.*").Length > 1;

    /// <summary>Lets requeued tasks begin. Otherwise, Slurm waits for two minutes with each of them, until their credentials have expired.</summary>
    private async Task BeginRequeuedAsync()
    {
        string waiting = await slurm.RunAsync("squeue", "--noheader", "--array", "--states=PENDING", "--format=%i %r");
        foreach (string task in waiting.Split('\n').Where(line => line.EndsWith(" BeginTime", StringComparison.Ordinal)).Select(line => line.Split(' ')[0]))
        {
            _ = await slurm.TryRunAsync("scontrol", "update", $"JobId={task}", "StartTime=now");
        }
    }
}
