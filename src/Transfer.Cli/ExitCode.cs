namespace Transfer.S3.Cli;

/// <summary>The exit codes of the tool. Scripts rely on them.</summary>
internal static class ExitCode
{
    public const int Done = 0;

    /// <summary>Some or all objects failed. A missing source is a failure, too.</summary>
    public const int Failed = 1;

    /// <summary>The command line or the configuration is not valid. Nothing was sent.</summary>
    public const int Usage = 2;

    /// <summary>The content doesn't match.</summary>
    public const int Mismatch = 3;

    /// <summary>Some or all objects are archived and are being restored. The same command copies them later. Nothing failed.</summary>
    public const int Restoring = 5;

    /// <summary>More objects would be deleted than a limit allows. Nothing was deleted.</summary>
    public const int TooManyDeletions = 6;

    /// <summary>A limit such as --max-requests was reached. Nothing failed, and the same command goes on.</summary>
    public const int LimitReached = 7;

    public const int Interrupted = 130;
}
