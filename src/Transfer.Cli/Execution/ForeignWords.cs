namespace Transfer.S3.Cli.Execution;

/// <summary>The words of other tools: what they are called here, or what to use instead.</summary>
internal static class ForeignWords
{
    /// <summary>Flags of other tools, mostly of the AWS CLI, that have the same meaning as an option here.</summary>
    private static readonly Dictionary<string, (string Option, string? Value)> SameOptions = new(StringComparer.Ordinal)
    {
        ["--only-show-errors"] = ("--quiet", null),
        ["--no-progress"] = ("--progress", "none"),
        ["--no-overwrite"] = ("--no-clobber", null),
        ["--ignore-existing"] = ("--no-clobber", null),
        ["--no-follow-symlinks"] = ("--links", "skip"),
        ["--follow-symlinks"] = ("--links", "follow"),
        ["--no-verify-ssl"] = ("--insecure", null),
        ["--request-payer"] = ("--requester-pays", null),
        ["--source-region"] = ("--from-region", null),
        ["--expires-in"] = ("--expires", null),
        ["--checksum-algorithm"] = ("--checksum", null),
    };

    /// <summary>Options of other tools that ask for what is always done here: what it is, and the value if there is one, or the only value that asks for it.</summary>
    private static readonly Dictionary<string, (string Reason, bool HasValue, string? OnlyValue)> Needless = new(StringComparer.Ordinal)
    {
        ["--human-readable"] = ("sizes are always shown with units; --json has the bytes", false, null),
        ["--summarize"] = ("a sum is always shown", false, null),
        ["--page-size"] = ("pages always have the size that the store prefers", true, null),
        ["--no-paginate"] = ("all pages are always read", false, null),
        ["--no-cli-pager"] = ("there is no pager", false, null),
        ["--no-cli-auto-prompt"] = ("nothing is ever prompted for", false, null),
        ["--no-progress"] = ("this command shows no progress", false, null),
        ["--guess-mime-type"] = ("the content type is always derived from the name", false, null),
        ["--expected-size"] = ("parts grow with the length of a pipe", true, null),
        ["--cli-connect-timeout"] = ("requests that transfer nothing end by themselves and are repeated", true, null),
        ["--cli-read-timeout"] = ("requests that transfer nothing end by themselves and are repeated", true, null),
        ["--retry-count"] = ("requests are repeated by themselves", true, null),
        ["--force-glacier-transfer"] = ("all objects are always requested", false, null),
        ["--metadata-directive"] = ("metadata is copied", true, "COPY"),
        ["--copy-props"] = ("all properties are copied", true, "default"),
    };

    private static readonly Dictionary<string, string> OptionAdvice = new(StringComparer.Ordinal)
    {
        ["--no-guess-mime-type"] = "set the content type with --content-type",
        ["--force"] = "cp overwrites targets unless --no-clobber is given, and rb only removes empty buckets",
        ["--sse-c"] = "use --sse-c-key-file",
        ["--sse-c-key"] = "use --sse-c-key-file, which doesn't show the key in the process list",
        ["--sse-c-copy-source"] = "use --sse-c-key-file",
        ["--sse-c-copy-source-key"] = "use --sse-c-key-file, which doesn't show the key in the process list",
        ["--metadata-directive"] = "metadata is copied, and replaced if --metadata is given",
        ["--copy-props"] = "all properties are copied, unless others are given",
        ["--delete"] = "nothing is ever deleted; verify -r finds what is only in one place",
        ["--size-only"] = "verify compares sizes and checksums",
        ["--numworkers"] = "use --concurrency",
        ["--transfers"] = "use --concurrency",
        ["--bwlimit"] = "use --limit-rate",
        ["--output"] = "use --json",
        ["--query"] = "use --json, and a tool such as jq",
        ["--color"] = "set NO_COLOR=1 to turn colors off",
        ["--grants"] = "use --acl",
        ["--website-redirect"] = "objects that redirect the visitors of a website can't be created",
        ["--ignore-glacier-warnings"] = "an object that must be restored first is a failure, and the others are copied",
    };

    private static readonly Dictionary<string, string> CommandAdvice = new(StringComparer.Ordinal)
    {
        ["mirror"] = "use 'transfer cp -r --no-clobber SRC DST' to copy what is missing, and 'transfer verify -r SRC DST' to find what differs",
        ["del"] = "use 'transfer rm'",
        ["s3"] = "omit it, as in 'transfer ls'",
        ["s3api"] = "use 'transfer stat', 'transfer tag', or 'transfer abort'",
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

    /// <summary>Gets an option that asks for what is always done; null if it isn't one.</summary>
    public static (string Reason, bool HasValue, string? OnlyValue)? AlwaysDone(string option)
        => Needless.TryGetValue(option, out (string, bool, string?) needless) ? needless : null;

    /// <summary>Gets what to do without an option of another tool; null if it isn't known.</summary>
    public static string? AdviceForOption(string option) => OptionAdvice.GetValueOrDefault(option);

    /// <summary>Gets what to use instead of a command of another tool; null if it isn't known.</summary>
    public static string? AdviceForCommand(string command) => CommandAdvice.GetValueOrDefault(command);
}
