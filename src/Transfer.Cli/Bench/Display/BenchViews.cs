using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Bench.Display;

/// <summary>Selects how runs are shown.</summary>
internal static class BenchViews
{
    public static IBenchView Create(OutputSettings settings, ToolConsole console, TimeProvider time)
        => settings.ShownTo(console.ErrorIsTerminal) switch
        {
            ProgressMode.None => new NoBenchView(),
            ProgressMode.Plain => new PlainBenchView(console.Error, time),
            _ => new LiveBenchView(console),
        };
}
