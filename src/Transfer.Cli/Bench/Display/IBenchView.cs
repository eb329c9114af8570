using Transfer.Cli.Bench.Measuring;

namespace Transfer.Cli.Bench.Display;

/// <summary>Shows the run that is in progress. Disposing it removes what it shows.</summary>
internal interface IBenchView : IDisposable
{
    void Show(BenchStatus status, RunMeter meter);

    /// <summary>Writes something else, without mixing it with what is shown.</summary>
    void Aside(Action write);
}
