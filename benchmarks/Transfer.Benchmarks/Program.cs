using BenchmarkDotNet.Running;
using Transfer.Benchmarks.Macro;

// The store runs here, in the process that only waits; the benchmarks run in children of it that find it by its address.
await using BenchmarkStore store = await BenchmarkStore.StartAsync();
BenchmarkSwitcher.FromAssembly(typeof(BenchmarkStore).Assembly).Run(args);
