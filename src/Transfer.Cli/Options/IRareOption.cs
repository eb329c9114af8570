namespace Transfer.S3.Cli.Options;

/// <summary>Marks an option that the short help leaves out.</summary>
internal interface IRareOption;
