using Transfer.Cli.Options;

namespace Transfer.Cli.Rendering;

/// <summary>Chooses how progress is shown.</summary>
internal static class ProgressViews
{
    public static IProgressView Create(OutputSettings settings, ToolConsole console, string name, TimeProvider time)
    {
        if (settings.Quiet)
        {
            return NoProgress.Instance;
        }

        string safeName = Printable.Text(name);
        return settings.Progress switch
        {
            ProgressMode.None => NoProgress.Instance,
            ProgressMode.Plain => new PlainProgress(console.Error, safeName, time),
            ProgressMode.Bar => new BarProgress(console, safeName),
            _ => console.ErrorIsTerminal ? new BarProgress(console, safeName) : new PlainProgress(console.Error, safeName, time),
        };
    }
}
