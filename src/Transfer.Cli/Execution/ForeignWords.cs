namespace Transfer.Cli.Execution;

/// <summary>The words of other tools: what they are called here, or what to use instead.</summary>
internal static class ForeignWords
{
    /// <summary>Flags of the AWS CLI that have the same meaning as an option here.</summary>
    private static readonly Dictionary<string, (string Option, string? Value)> SameOptions = new(StringComparer.Ordinal)
    {
        ["--only-show-errors"] = ("--quiet", null),
        ["--no-progress"] = ("--progress", "none"),
        ["--no-follow-symlinks"] = ("--links", "skip"),
        ["--follow-symlinks"] = ("--links", "follow"),
        ["--no-verify-ssl"] = ("--insecure", null),
        ["--request-payer"] = ("--requester-pays", null),
        ["--expires-in"] = ("--expires", null),
        ["--checksum-algorithm"] = ("--checksum", null),
        ["--debug"] = ("--verbose", null),
    };

    private static readonly Dictionary<string, string> OptionAdvice = new(StringComparer.Ordinal)
    {
        ["--human-readable"] = "sizes are always shown with units; --json has the bytes",
        ["--summarize"] = "a sum is always shown",
        ["--page-size"] = "pages always have the size that the store prefers",
        ["--no-guess-mime-type"] = "set the content type with --content-type",
        ["--guess-mime-type"] = "the content type is always derived from the name",
        ["--force"] = "cp overwrites targets unless --no-clobber is given, and rb only removes empty buckets",
        ["--sse-c"] = "use --sse-c-key-file",
        ["--sse-c-key"] = "use --sse-c-key-file, which doesn't show the key in the process list",
        ["--sse-c-copy-source"] = "use --sse-c-key-file",
        ["--sse-c-copy-source-key"] = "use --sse-c-key-file, which doesn't show the key in the process list",
        ["--metadata-directive"] = "metadata is copied, and replaced if --metadata is given",
        ["--copy-props"] = "all properties are copied",
        ["--delete"] = "nothing is ever deleted; verify -r finds what is only in one place",
        ["--size-only"] = "verify compares sizes and checksums",
        ["--expected-size"] = "parts grow with the length of a pipe",
        ["--cli-connect-timeout"] = "requests that transfer nothing end by themselves and are repeated",
        ["--cli-read-timeout"] = "requests that transfer nothing end by themselves and are repeated",
        ["--numworkers"] = "use --concurrency",
        ["--retry-count"] = "requests are repeated by themselves",
    };

    private static readonly Dictionary<string, string> CommandAdvice = new(StringComparer.Ordinal)
    {
        ["sync"] = "use 'transfer cp -r --no-clobber SRC DST' to copy what is missing, and 'transfer verify -r SRC DST' to find what differs",
        ["mirror"] = "use 'transfer cp -r --no-clobber SRC DST' to copy what is missing, and 'transfer verify -r SRC DST' to find what differs",
        ["rm"] = "no command removes objects yet; use 'aws s3 rm', or a lifecycle rule of the bucket",
        ["del"] = "no command removes objects yet; use 'aws s3 rm', or a lifecycle rule of the bucket",
        ["mv"] = "use 'transfer cp', then 'transfer verify', and remove the source with another tool: no command removes objects yet",
        ["copy"] = "use 'transfer cp'",
        ["put"] = "use 'transfer cp'",
        ["get"] = "use 'transfer cp'",
        ["pipe"] = "use 'transfer cp - s3://bucket/key'",
        ["head"] = "use 'transfer stat'",
        ["info"] = "use 'transfer stat'",
        ["list"] = "use 'transfer ls'",
        ["dir"] = "use 'transfer ls'",
        ["compare"] = "use 'transfer verify'",
        ["diff"] = "use 'transfer verify'",
    };

    /// <summary>Gets what an option is called here; null if it isn't one of another tool with the same meaning.</summary>
    public static (string Option, string? Value)? SameAs(string option) => SameOptions.TryGetValue(option, out (string, string?) same) ? same : null;

    /// <summary>Gets what to do without an option of another tool; null if it isn't known.</summary>
    public static string? AdviceForOption(string option) => OptionAdvice.GetValueOrDefault(option);

    /// <summary>Gets what to use instead of a command of another tool; null if it isn't known.</summary>
    public static string? AdviceForCommand(string command) => CommandAdvice.GetValueOrDefault(command);
}
