using Transfer.Cli.Bench.Measuring;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Bench.Display;

/// <summary>Shows the run that is in progress. Disposing it removes what it shows.</summary>
internal interface IBenchView : IMessageView, IDisposable
{
    void Show(BenchStatus status, RunMeter meter);
}
