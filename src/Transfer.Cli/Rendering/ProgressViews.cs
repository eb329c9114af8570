using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Rendering;

/// <summary>Creates the view of progress.</summary>
internal static class ProgressViews
{
    /// <param name="settings">The output options.</param>
    /// <param name="console">The console to write to.</param>
    /// <param name="name">The name to show.</param>
    /// <param name="time">The clock.</param>
    /// <param name="ofMany">Whether many objects are transferred, so that they are counted, too.</param>
    /// <param name="requests">Gets the number of requests in flight; null to show none.</param>
    public static IProgressView Create(OutputSettings settings, ToolConsole console, string name, TimeProvider time, bool ofMany = false, Func<int>? requests = null)
    {
        string safeName = Printable.Text(name);
        return settings.ShownTo(console.ErrorIsTerminal) switch
        {
            ProgressMode.None => NoProgress.Instance,
            ProgressMode.Plain => new PlainProgress(console, safeName, time, ofMany),
            _ => new BarProgress(console, safeName, ofMany, time, requests),
        };
    }
}
