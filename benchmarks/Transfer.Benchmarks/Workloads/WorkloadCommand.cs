using System.CommandLine;
using System.Diagnostics;
using Transfer.S3.Benchmarks.Compare;
using Transfer.S3.Cli;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Benchmarks.Workloads;

/// <summary>
/// Runs a workload of aws-crt-s3-benchmarks with the TransferUtility of the AWS SDK and with this library, each in a process of its own, one after the other. Both
/// are run as <c>transfer bench --workload</c> runs them, so the lines and the summaries are the same.
/// </summary>
internal static class WorkloadCommand
{
    public const string Verb = "workload";

    private enum WorkloadContender
    {
        TransferUtility,
        Transfer,
    }

    public static Task<int> RunAsync(ReadOnlyMemory<string> arguments)
    {
        Argument<string> file = new("FILE.run.json") { Description = "The workload." };
        Argument<string> bucket = new("s3://bucket") { Description = "The bucket." };
        Option<WorkloadContender?> client = new("--client") { Description = "The client to run, in this process. The default is one after the other, in processes of their own." };
        Argument<string[]> others = new("options") { Description = "Options of transfer bench --workload, after --.", Arity = ArgumentArity.ZeroOrMore };
        RootCommand command = new("Runs a workload of aws-crt-s3-benchmarks. Files are in the current directory, and AWS_ENDPOINT_URL_S3 selects another store.") { file, bucket, others, client };
        command.SetAction((result, cancellationToken) => result.GetValue(client) is { } one
            ? RunAsync(one, result.GetRequiredValue(file), result.GetRequiredValue(bucket), result.GetValue(others) ?? [], cancellationToken)
            : RunAllAsync(arguments));
        return command.Parse(arguments.ToArray()).InvokeAsync();
    }

    private static async Task<int> RunAsync(WorkloadContender client, string file, string bucket, string[] options, CancellationToken cancellationToken)
    {
        using ToolConsole console = ToolConsole.OfProcess();
        string engine = client == WorkloadContender.TransferUtility ? "sdk" : "transfer";
        return await new Tool(console, ToolEnvironment.Process, TimeProvider.System).RunAsync(
            ["bench", "--workload", file, bucket, "--engine", engine, .. options], cancellationToken);
    }

    private static async Task<int> RunAllAsync(ReadOnlyMemory<string> arguments)
    {
        int failed = 0;
        foreach (WorkloadContender client in Enum.GetValues<WorkloadContender>())
        {
            Console.WriteLine($"{client}:");
            using Process process = ChildProcess.Start([Verb, "--client", client.ToString(), .. arguments.ToArray()]);
            process.StandardInput.Close();
            while (await process.StandardOutput.ReadLineAsync() is { } line)
            {
                Console.WriteLine(line);
            }

            await process.WaitForExitAsync();
            failed = Math.Max(failed, process.ExitCode);
        }

        return failed;
    }
}
