using BenchmarkDotNet.Running;
using Transfer.S3.Benchmarks.Chart;
using Transfer.S3.Benchmarks.Compare;
using Transfer.S3.Benchmarks.Macro;
using Transfer.S3.Benchmarks.Workloads;

switch (args)
{
    case [CompareCommand.Verb, ..]:
        return await CompareCommand.RunAsync(args.AsMemory(1));
    case [ChartCommand.Verb, ..]:
        return await ChartCommand.RunAsync(args.AsMemory(1));
    case [WorkloadCommand.Verb, ..]:
        return await WorkloadCommand.RunAsync(args.AsMemory(1));
    case [ContenderProcess.Verb, ..]:
        await ContenderProcess.RunAsync(args.AsMemory(1));
        return 0;
    case [EmbeddedServer.Verb, ..]:
        await EmbeddedServer.RunAsync(args.AsMemory(1));
        return 0;
    default:
        // The store runs in this process, which otherwise only waits. The benchmarks run in child processes, which get its address.
        await using (BenchmarkStore store = await BenchmarkStore.StartAsync())
        {
            BenchmarkSwitcher.FromAssembly(typeof(BenchmarkStore).Assembly).Run(args);
        }

        return 0;
}
