using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Jobs;

namespace Transfer.S3.Benchmarks.Macro;

/// <summary>The configuration for whole transfers: few iterations of one operation each, with a column for the rate.</summary>
internal sealed class TransferConfig : ManualConfig
{
    public TransferConfig()
    {
        AddJob(Job.Default.WithStrategy(RunStrategy.Monitoring).WithWarmupCount(1).WithIterationCount(5).WithInvocationCount(1).WithUnrollFactor(1).WithGcConcurrent(false));
        AddDiagnoser(new MemoryDiagnoser(new MemoryDiagnoserConfig()));
        AddColumn(new RateColumn());
        HideColumns(Column.Error, Column.RatioSD);
    }
}
