namespace Transfer.S3.Cli.Options;

/// <summary>Specifies where a source or a target is.</summary>
internal enum LocationKind
{
    /// <summary>A local path.</summary>
    Local,

    /// <summary>Standard input or output, written as "-".</summary>
    Standard,

    /// <summary>A bucket, or a key or a prefix in it.</summary>
    S3,
}
