namespace Transfer.S3.Cli.Rendering;

/// <summary>The exception that is thrown when the reader of standard output has closed it. Other broken pipes are ordinary errors.</summary>
internal sealed class OutputClosedException(IOException cause) : IOException("standard output was closed", cause);
