namespace Transfer.Cli.Options;

/// <summary>The line or the configuration is wrong: the message names what, what it got and what it accepts. Nothing was sent.</summary>
internal sealed class UsageException(string message, Exception? innerException = null) : Exception(message, innerException);
