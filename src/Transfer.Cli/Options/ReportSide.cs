namespace Transfer.S3.Cli.Options;

/// <summary>The side of a line of a report that is in a list of keys.</summary>
internal enum ReportSide
{
    /// <summary>The one that is under the prefix. If both are, the line is refused, because the command could remove the wrong one.</summary>
    Either,

    Source,

    Target,
}
