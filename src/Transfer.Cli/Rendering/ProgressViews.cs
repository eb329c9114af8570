using Transfer.Cli.Options;

namespace Transfer.Cli.Rendering;

/// <summary>Chooses how progress is shown.</summary>
internal static class ProgressViews
{
    /// <param name="settings">What the user chose.</param>
    /// <param name="console">Where it is shown.</param>
    /// <param name="name">What is moved.</param>
    /// <param name="time">The clock.</param>
    /// <param name="ofMany">Whether many objects are moved, so that they are counted too.</param>
    public static IProgressView Create(OutputSettings settings, ToolConsole console, string name, TimeProvider time, bool ofMany = false)
    {
        string safeName = Printable.Text(name);
        return settings.ShownTo(console.ErrorIsTerminal) switch
        {
            ProgressMode.None => NoProgress.Instance,
            ProgressMode.Plain => new PlainProgress(console.Error, safeName, time, ofMany),
            _ => new BarProgress(console, safeName, ofMany),
        };
    }
}
