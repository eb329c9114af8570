using Transfer.Cli.Bench.Measuring;

namespace Transfer.Cli.Bench.Display;

/// <summary>Shows the run that is under way. Disposing it leaves the place clean for what is written next.</summary>
internal interface IBenchView : IDisposable
{
    void Show(BenchStatus status, RunMeter meter);

    /// <summary>Writes something else meanwhile, with what is shown out of its way.</summary>
    void Aside(Action write);
}
