namespace Transfer.Cli;

/// <summary>What the tool ends with: part of its contract, for scripts.</summary>
internal static class ExitCode
{
    public const int Done = 0;

    /// <summary>Some or all of the transfer failed; a source that is not there is a failure too.</summary>
    public const int Failed = 1;

    /// <summary>The line or the configuration is wrong; nothing was sent.</summary>
    public const int Usage = 2;

    /// <summary>The content is not what it should be.</summary>
    public const int Mismatch = 3;

    public const int Interrupted = 130;
}
