namespace Transfer.Cli.Rendering;

/// <summary>Nobody reads standard output anymore. Another pipe that breaks is a failure like any other.</summary>
internal sealed class OutputClosedException(IOException cause) : IOException("standard output was closed", cause);
