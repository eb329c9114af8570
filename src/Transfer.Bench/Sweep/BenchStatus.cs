using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Operations;

namespace Transfer.S3.Bench.Sweep;

/// <summary>The run of a benchmark that is in progress.</summary>
/// <param name="Operation">The operation.</param>
/// <param name="Setting">The settings of the run.</param>
/// <param name="Index">The index of the settings.</param>
/// <param name="Settings">The number of combinations of settings.</param>
/// <param name="Run">The number of the run, from 1; 0 for the warm-up.</param>
/// <param name="Runs">The number of runs.</param>
/// <param name="Load">The load of the run.</param>
internal sealed record BenchStatus(OperationKind Operation, Setting Setting, int Index, int Settings, int Run, int Runs, LoadPlan Load);
