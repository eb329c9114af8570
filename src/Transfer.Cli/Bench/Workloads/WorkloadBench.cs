using Amazon.S3;
using Amazon.S3.Transfer;
using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Operations;
using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Text;
using Transfer.S3.Bench.Workloads;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;

namespace Transfer.S3.Cli.Bench.Workloads;

/// <summary>Prepares a workload if that is wanted, runs it, and reports the result.</summary>
internal sealed class WorkloadBench(WorkloadSettings settings, Connection connection, IProcessProbe process, string folder, Invocation invocation)
{
    private readonly BenchCircumstances _circumstances = new(
        invocation.Time.GetUtcNow(), invocation.StoreName ?? string.Empty, process.Cores, settings.Limits.MemoryBytes, Baseline: null);

    // Text for people goes to standard error if a program reads standard output.
    private readonly TextWriter _text = invocation.Output.Json ? invocation.Console.Error : invocation.Console.Output;

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        LoopedContent content = new(settings.File.Tasks.Max(task => task.SizeBytes), new Random());
        if (settings.Prepare)
        {
            await PrepareAsync(content, cancellationToken).ConfigureAwait(false);
        }

        if (settings.Engine == EngineKind.Sdk)
        {
            using AmazonS3Client s3 = connection.CreateSdkClient(static handler => handler);
            using TransferUtility utility = new(s3);
            await RunAsync(new SdkWorkloadClient(utility, settings.Bucket, settings.File.Checksum?.ToString().ToUpperInvariant()), content, cancellationToken).ConfigureAwait(false);
            return;
        }

        TransferClient client = CreateClient();
        await using (client.ConfigureAwait(false))
        {
            bool mustVerify = settings.File.Checksum is not null;
            await RunAsync(new TransferWorkloadClient(client, settings.Bucket, settings.Checksum, mustVerify), content, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task RunAsync(IWorkloadClient client, LoopedContent content, CancellationToken cancellationToken)
    {
        WorkloadRunner runner = new(settings.File, settings.Bucket, folder, client, content, process, invocation.Time);
        runner.CheckFiles();
        WorkloadReport Build() => WorkloadReportBuilder.Build(
            settings.File, settings.Bucket, settings.Engine, runner.Done, process, _circumstances, cancellationToken.IsCancellationRequested, BenchRunner.GetErrors(invocation.Tally));
        invocation.ResultWriter = writer => CommandRunner.WriteJson(writer, Build(), BenchJsonContext.Instance.WorkloadReport);
        try
        {
            await runner.RunAsync(run => Write(writer => writer.WriteLine(WorkloadText.Line(run))), cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            // The summary of a workload that failed or was interrupted contains the complete runs.
            Write(writer => WorkloadText.WriteSummary(writer, Build()));
        }
    }

    private async Task PrepareAsync(LoopedContent content, CancellationToken cancellationToken)
    {
        // A client of its own, so that the measured one has neither memory nor experience of the store.
        TransferClient client = CreateClient();
        await using (client.ConfigureAwait(false))
        {
            (int objects, int files) = await new WorkloadPreparation(settings.File, settings.Bucket, folder, client, content).RunAsync(cancellationToken).ConfigureAwait(false);
            invocation.Summary($"prepared {Units.Count(objects, "object", "objects")} and {Units.Count(files, "file", "files")}; the others existed");
        }
    }

    private TransferClient CreateClient() => connection.CreateClient(invocation, settings.Limits);

    private void Write(Action<TextWriter> write)
    {
        if (!invocation.Output.Quiet)
        {
            write(_text);
            _text.Flush();
        }
    }
}
