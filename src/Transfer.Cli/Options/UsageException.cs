namespace Transfer.S3.Cli.Options;

/// <summary>The exception that is thrown when the command line or the configuration is not valid. The message names the option, its value, and what it accepts. Nothing was sent.</summary>
internal sealed class UsageException(string message, Exception? innerException = null) : Exception(message, innerException);
