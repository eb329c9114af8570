using System.Net;
using Amazon.S3;
using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Bench.Workloads;

/// <summary>Repeats a workload until its limits are reached. The first failure of a task ends it, as with the other runners.</summary>
/// <param name="workload">The workload.</param>
/// <param name="bucket">The bucket, for errors.</param>
/// <param name="folder">The directory of the files on disk.</param>
/// <param name="client">The client.</param>
/// <param name="content">The content of uploads from memory.</param>
/// <param name="process">This process.</param>
/// <param name="time">The clock.</param>
internal sealed class WorkloadRunner(WorkloadFile workload, string bucket, string folder, IWorkloadClient client, LoopedContent content, IProcessProbe process, TimeProvider time)
{
    private const string Advice = "create it with --prepare, or with prep-s3-files.py of aws-crt-s3-benchmarks";
    private readonly List<WorkloadRun> _done = [];

    /// <summary>Gets the runs that are complete.</summary>
    public IReadOnlyList<WorkloadRun> Done => _done;

    /// <summary>Checks that the files to upload are as the workload says.</summary>
    /// <exception cref="WorkloadException">Thrown when a file is missing or has another size.</exception>
    public void CheckFiles()
    {
        foreach (WorkloadTask task in workload.Tasks.Where(task => workload.FilesOnDisk && task.Action == WorkloadAction.Upload))
        {
            FileInfo file = new(WorkloadPaths.GetPath(folder, task.Key));
            string name = $"the file '{Printable.Text(task.Key)}' in the current directory";
            if (!file.Exists)
            {
                throw new WorkloadException($"{name} doesn't exist, and the workload uploads it; {Advice}", task.Key);
            }

            if (file.Length != task.SizeBytes)
            {
                throw new WorkloadException($"{name} has {Units.Number(file.Length)} bytes, but {Units.Number(task.SizeBytes)} in the workload; {Advice}", task.Key);
            }
        }
    }

    /// <param name="report">Called after each run.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task RunAsync(Action<WorkloadRun> report, CancellationToken cancellationToken)
    {
        long start = time.GetTimestamp();
        do
        {
            PrepareRun();
            TimeSpan cpu = process.CpuTime;
            long begin = time.GetTimestamp();
            await RunTasksAsync(cancellationToken).ConfigureAwait(false);
            double seconds = time.GetElapsedTime(begin).TotalSeconds;
            double gigabits = workload.BytesPerRun * 8 / 1e9;
            WorkloadRun run = new(_done.Count + 1, seconds, seconds > 0 ? gigabits / seconds : 0, (process.CpuTime - cpu).TotalSeconds);
            _done.Add(run);
            report(run);
        }
        while (_done.Count < workload.MaxRepeatCount && time.GetElapsedTime(start).TotalSeconds < workload.MaxRepeatSeconds);
    }

    /// <summary>Deletes what earlier runs have downloaded, because replacing a file can take longer, and creates the directories. Neither is measured.</summary>
    private void PrepareRun()
    {
        foreach (WorkloadTask task in workload.Tasks.Where(task => workload.FilesOnDisk && task.Action == WorkloadAction.Download))
        {
            string path = WorkloadPaths.GetPath(folder, task.Key);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.Delete(path);
        }
    }

    private Task RunTasksAsync(CancellationToken cancellationToken)
    {
        ParallelOptions options = new() { MaxDegreeOfParallelism = Math.Min(client.MaxConcurrentTasks, workload.Tasks.Count), CancellationToken = cancellationToken };
        return Parallel.ForEachAsync(workload.Tasks, options, async (task, token) => await RunTaskAsync(task, token).ConfigureAwait(false));
    }

    private Task RunTaskAsync(WorkloadTask task, CancellationToken cancellationToken)
    {
        string path = WorkloadPaths.GetPath(folder, task.Key);
        return (task.Action, workload.FilesOnDisk) switch
        {
            (WorkloadAction.Upload, true) => client.UploadAsync(task, path, cancellationToken),
            (WorkloadAction.Upload, false) => client.UploadAsync(task, content, cancellationToken),
            (_, true) => DownloadAsync(task, client.DownloadAsync(task, path, cancellationToken)),
            (_, false) => DownloadAsync(task, client.DiscardAsync(task, cancellationToken)),
        };
    }

    private async Task DownloadAsync(WorkloadTask task, Task<long> download)
    {
        string address = $"s3://{bucket}/{Printable.Text(task.Key)}";
        long size;
        try
        {
            size = await download.ConfigureAwait(false);
        }
        catch (Exception e) when (IsMissing(e))
        {
            throw new WorkloadException($"{address} doesn't exist, and the workload downloads it; {Advice}", task.Key, e);
        }

        if (size != task.SizeBytes)
        {
            throw new WorkloadException($"{address} has {Units.Number(size)} bytes, but {Units.Number(task.SizeBytes)} in the workload; {Advice}", task.Key);
        }
    }

    private static bool IsMissing(Exception e) => e switch
    {
        TransferException transfer => transfer.StatusCode == HttpStatusCode.NotFound && transfer.ErrorCode != "NoSuchBucket",
        AmazonS3Exception sdk => sdk.StatusCode == HttpStatusCode.NotFound && sdk.ErrorCode != "NoSuchBucket",
        _ => false,
    };
}
