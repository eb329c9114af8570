namespace Transfer.S3.Cli.Options;

/// <summary>Specifies how progress is shown.</summary>
internal enum ProgressMode
{
    /// <summary>A bar on a terminal, plain lines elsewhere.</summary>
    Auto,

    /// <summary>A line that is redrawn.</summary>
    Bar,

    /// <summary>A line every few seconds.</summary>
    Plain,

    /// <summary>No progress.</summary>
    None,
}
