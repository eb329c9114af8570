namespace Transfer.Cli.Options;

/// <summary>Marks an option that the short help leaves out.</summary>
internal interface IRareOption;
