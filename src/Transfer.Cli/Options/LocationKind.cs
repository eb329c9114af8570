namespace Transfer.Cli.Options;

/// <summary>What a source or a target of a copy is.</summary>
internal enum LocationKind
{
    /// <summary>A path on this machine.</summary>
    Local,

    /// <summary>Standard input or output, written as "-".</summary>
    Standard,

    /// <summary>A bucket, or a key or a prefix in it.</summary>
    S3,
}
