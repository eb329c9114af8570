namespace Transfer.Cli.Options;

/// <summary>How progress is shown.</summary>
internal enum ProgressMode
{
    /// <summary>A bar on a terminal, plain lines elsewhere.</summary>
    Auto,

    /// <summary>One line that is drawn over and over.</summary>
    Bar,

    /// <summary>A line every few seconds.</summary>
    Plain,

    /// <summary>Nothing.</summary>
    None,
}
