using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Bench.Display;

/// <summary>Chooses how a run is shown.</summary>
internal static class BenchViews
{
    public static IBenchView Create(OutputSettings settings, ToolConsole console, TimeProvider time)
    {
        ProgressMode mode = settings.Quiet ? ProgressMode.None
            : settings.Progress == ProgressMode.Auto ? (console.ErrorIsTerminal ? ProgressMode.Bar : ProgressMode.Plain)
            : settings.Progress;
        return mode switch
        {
            ProgressMode.None => new NoBenchView(),
            ProgressMode.Plain => new PlainBenchView(console.Error, time),
            _ => new LiveBenchView(console),
        };
    }
}
