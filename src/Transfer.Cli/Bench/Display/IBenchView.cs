using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Sweep;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Bench.Display;

/// <summary>Shows the run that is in progress. Disposing it removes what it shows.</summary>
internal interface IBenchView : IMessageView, IDisposable
{
    void Show(BenchStatus status, RunMeter meter);

    static IBenchView Create(OutputSettings settings, ToolConsole console, TimeProvider time) => settings.ShownTo(console.ErrorIsTerminal) switch
    {
        ProgressMode.None => new NoBenchView(),
        ProgressMode.Plain => new PlainBenchView(console.Error, time),
        _ => new LiveBenchView(console),
    };
}
