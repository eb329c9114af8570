using System.Net;
using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Operations;
using Transfer.S3.Bench.Report;
using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Sweep;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Bench.Display;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Bench;

/// <summary>Prepares a benchmark, runs it, reports the result, and deletes what it created, even if it fails.</summary>
internal sealed class BenchRunner(BenchSettings settings, Connection connection, IProcessProbe process, Invocation invocation)
{
    private readonly string _name = $"transfer-bench-{Guid.NewGuid().ToString("N")[..8]}";
    private readonly DateTimeOffset _startedAt = invocation.Time.GetUtcNow();

    // Text for people goes to standard error if a program reads standard output.
    private readonly TextWriter _text = invocation.Output.Json || settings.Csv ? invocation.Console.Error : invocation.Console.Output;

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        ObjectSource source = new(
            connection.Client, () => connection.CreateClient(invocation, new ClientLimits(MemoryBytes: settings.MemoryBytes)), settings.Bucket);
        ObjectSet objects = await FindAsync(source, cancellationToken).ConfigureAwait(false);
        string prefix = $"{Folder(settings.Prefix)}{_name}/";
        bool writes = objects.IsGenerated || settings.Sweep.Operation.Uploads;
        DirectoryInfo? output = settings.OutputFolder is { } folder ? Directory.CreateDirectory(Path.Combine(folder, _name)) : null;
        try
        {
            using Payload? payload = await PayloadAsync(objects, prefix, cancellationToken).ConfigureAwait(false);
            if (objects.IsGenerated && settings.Sweep.Operation.NeedsObjects)
            {
                StoredObject first = objects.Objects[0];
                invocation.Summary($"creating {Units.Count(objects.Objects.Count, "object", "objects")} of {ByteSize.Format(first.SizeBytes ?? 0)} under s3://{settings.Bucket}/{prefix}");
                await source.MakeAsync(objects, payload!, cancellationToken).ConfigureAwait(false);
            }

            await SweepAsync(objects, new Workload(settings.Sweep.Operation, objects, payload, output?.FullName), cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            output?.Delete(recursive: true);
            if (writes)
            {
                await RemoveAsync(source, prefix).ConfigureAwait(false);
            }
        }
    }

    private async Task<ObjectSet> FindAsync(ObjectSource source, CancellationToken cancellationToken)
    {
        if (settings.Generate is { } made)
        {
            string prefix = $"{Folder(settings.Prefix)}{_name}/";
            return new ObjectSet(settings.Bucket, prefix, true, [.. Enumerable.Range(0, made.Count).Select(i => new StoredObject($"{prefix}object-{i:d6}", made.SizeBytes))]);
        }

        ObjectSet found = settings.Keys.Count > 0
            ? await FindKeysAsync(source, cancellationToken).ConfigureAwait(false)
            : await source.ListAsync(settings.Prefix, cancellationToken).ConfigureAwait(false);
        settings.CheckParts(found.Smallest ?? throw new UsageException(
            $"there are no objects under s3://{settings.Bucket}/{Printable.Text(settings.Prefix)}; specify another prefix, --key, or --keys, or create objects with --generate"));
        return found;
    }

    private async Task<ObjectSet> FindKeysAsync(ObjectSource source, CancellationToken cancellationToken)
    {
        try
        {
            return await source.FindAsync(settings.Keys, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.StatusCode == HttpStatusCode.NotFound)
        {
            throw new UsageException($"there is no object s3://{settings.Bucket}/{Printable.Text(e.Key ?? string.Empty)}", e);
        }
    }

    /// <summary>Creates the content to upload, as large as the first object.</summary>
    private async Task<Payload?> PayloadAsync(ObjectSet objects, string prefix, CancellationToken cancellationToken)
    {
        long size = objects.Objects[0].SizeBytes ?? 0;
#pragma warning disable CA5394 // data to transfer, not a secret
        return settings.Sweep.Operation switch
        {
            OperationKind.Small => Payload.InMemory(prefix, size, new Random()),
            _ when objects.IsGenerated || settings.Sweep.Operation.Uploads => await Payload.InFileAsync(prefix, size, new Random(), cancellationToken).ConfigureAwait(false),
            _ => null,
        };
#pragma warning restore CA5394
    }

    private async Task SweepAsync(ObjectSet objects, Workload workload, CancellationToken cancellationToken)
    {
        SweepPlan plan = settings.Plan(objects.Objects.Count);
        foreach (string warning in settings.MemoryWarnings())
        {
            invocation.Console.Message(warning);
        }

        BenchCircumstances circumstances = new(_startedAt, invocation.StoreName ?? string.Empty, process.Cores, settings.MemoryBytes, settings.Baseline);
        IBenchView view = IBenchView.Create(invocation.Output, invocation.Console, invocation.Time);
        invocation.View = view;
        SweepRunner sweep = new(
            plan, objects, workload, Connect, view.Show, (measured, run, error) => Tell(view, plan, objects, measured, run, error), process, invocation.Time);
        invocation.ResultWriter = writer => CommandRunner.WriteJson(
            writer, ReportBuilder.Build(plan, objects, sweep.Done, circumstances, cancellationToken.IsCancellationRequested, GetErrors(invocation.Tally)), BenchJsonContext.Instance.BenchReport);
        try
        {
            using (view)
            {
                await sweep.RunAsync(cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            // The report of an interrupted benchmark contains the results so far.
            BenchReport report = ReportBuilder.Build(plan, objects, sweep.Done, circumstances, cancellationToken.IsCancellationRequested, GetErrors(invocation.Tally));
            if (!invocation.Output.Quiet)
            {
                TextReport.WriteEnd(_text, report);
            }

            if (settings.Csv)
            {
                CsvReport.Write(report, invocation.Console.Output);
            }

            WritePage(report);

            invocation.Console.Flush();
        }
    }

    /// <summary>Writes the report, unless it is empty and would only replace an older one. A failure to write it must not hide another error.</summary>
    private void WritePage(BenchReport report)
    {
        if (settings.Html is not { } page)
        {
            return;
        }

        if (report.Settings.Count == 0)
        {
            invocation.Console.Message("nothing was measured, so no report was written");
            return;
        }

        try
        {
            page.Write(HtmlReport.Render(report));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Fail($"the report could not be written: {Printable.Line(e.Message)}");
        }
    }

    private IEngine Connect(Setting setting, int workers)
    {
        if (settings.Sweep.Engine == EngineKind.Sdk)
        {
            int? each = setting.Concurrency is { } requests ? Math.Max(1, requests / workers) : null;
            return new SdkEngine(connection.CreateSdkClient, settings.Bucket, setting.PartSizeBytes, each, invocation.Time);
        }

        TransferClientOptions options = invocation.Observe(new ClientLimits(setting.Concurrency, setting.PartSizeBytes, settings.MemoryBytes).ToClientOptions());
        return new TransferEngine(connection.CreateClient, options, settings.Bucket, settings.Checksum);
    }

    private void Tell(IBenchView view, SweepPlan plan, ObjectSet objects, SettingMeasurement measured, RunMeasurement run, Exception? error)
    {
        if (run.Errors > 0 && error is not null)
        {
            Failure failure = Failure.From(error, invocation.StoreName, CancellationToken.None);
            invocation.Tally.AddError(new ErrorJson(failure.Key, failure.Message, failure.RequestId));
            invocation.ExitCode = ExitCode.Failed;
            view.Aside(() => invocation.Console.Message($"{Units.Count(run.Errors, "object", "objects")} failed; the first error: {failure.Message}"));
        }

        if (!invocation.Output.Quiet)
        {
            view.Aside(() =>
            {
                TextReport.WriteRun(_text, plan, objects, measured, ReportBuilder.ToResult(run, measured.Runs.Count), process.Cores);
                invocation.Console.Flush();
            });
        }
    }

    /// <summary>Deletes what was created, even after an interruption. A failure to delete must not hide another error.</summary>
    private async Task RemoveAsync(ObjectSource source, string prefix)
    {
        try
        {
            await source.RemoveAsync(prefix, CancellationToken.None).ConfigureAwait(false);
        }
#pragma warning disable CA1031 // the message says what is left
        catch (Exception e)
#pragma warning restore CA1031
        {
            Fail($"s3://{settings.Bucket}/{prefix} could not be deleted completely: {Failure.From(e, invocation.StoreName, CancellationToken.None).Message}");
        }
    }

    private void Fail(string message)
    {
        invocation.Console.Message(message);
        invocation.Tally.AddError(new ErrorJson(null, message, null));
        invocation.ExitCode = ExitCode.Failed;
    }

    /// <summary>Gets the errors of a command for its report.</summary>
    public static IReadOnlyList<BenchError> GetErrors(Tally tally) => [.. tally.Errors.Select(one => new BenchError(one.Key, one.Error, one.RequestId))];

    private static string Folder(string prefix) => prefix.Length == 0 || prefix.EndsWith('/') ? prefix : prefix + "/";
}
