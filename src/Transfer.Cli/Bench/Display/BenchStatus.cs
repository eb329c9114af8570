using Transfer.Cli.Bench.Measuring;
using Transfer.Cli.Bench.Operations;
using Transfer.Cli.Bench.Sweep;

namespace Transfer.Cli.Bench.Display;

/// <summary>Which run of a sweep is under way.</summary>
/// <param name="Operation">What is measured.</param>
/// <param name="Setting">Its setting.</param>
/// <param name="Index">The setting's place in the sweep, from 0.</param>
/// <param name="Settings">How many there are.</param>
/// <param name="Run">The run, from 1; 0 for the warm-up.</param>
/// <param name="Runs">How many there are.</param>
/// <param name="Load">What the run does.</param>
internal sealed record BenchStatus(OperationKind Operation, Setting Setting, int Index, int Settings, int Run, int Runs, LoadPlan Load);
