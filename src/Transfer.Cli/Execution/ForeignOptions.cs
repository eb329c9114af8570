using static Transfer.S3.Cli.Execution.ForeignWord;

namespace Transfer.S3.Cli.Execution;

/// <summary>
/// The options of aws s3, s5cmd, rclone, mc, and shells. If an option has several rows, the first one with the command counts, or else the first one for all commands.
/// An option that two of these tools understand differently has advice, and is never translated.
/// </summary>
internal static class ForeignOptions
{
    private const string Many = "cp mv sync";
    private const string Listings = "ls du";
    private const string Times = "requests that transfer nothing end by themselves and are repeated";
    private const string CustomerKey = "use --sse-c-key-file, which doesn't show the key in the process list";

    public static IReadOnlyList<ForeignWord> All { get; } =
    [
        .. Selection,
        .. Comparison,
        .. Deletion,
        .. Output,
        .. Transfers,
        .. Objects,
        .. Connections,
    ];

    private static ForeignWord[] Selection =>
    [
        Same("-R", "--recursive"),
        Always("-R -r --recursive", "this command is always about everything in a folder or under a prefix", commands: "sync du plan"),
        Use("--files-from --files-from-raw", "use --keys-from", hasValue: true),
        Use("--exclude-from --include-from --filter", "use --filter-from, or --include and --exclude", hasValue: true),
        Use("--name", "use --include", hasValue: true),
        Use("--larger", "use --min-size", hasValue: true),
        Use("--smaller", "use --max-size", hasValue: true),
        Same("--max-age", "--newer-than"),
        Same("--min-age", "--older-than"),
        Same("--max-depth", "--depth", commands: "du"),
        Same("-d", "--depth", commands: "du"),
        Use("-d", "use 'transfer stat' for one object", commands: "ls"),
        Use("-a --all", "folders, hidden files, and their contents are copied with -r; use --attributes mtime,mode,owner to keep what a file system knows of files", commands: "cp mv"),
        Use("-a", "use --attributes mtime,mode,owner to keep what a file system knows of files", commands: "sync"),
        Always("-a --all", "names that begin with a dot are always listed", commands: Listings),
        Use("--preserve", "use --attributes mtime,mode,owner", commands: Many),
        Use("-p", "use --attributes mtime,mode,owner to keep what a file system knows of files, or --part-size for the size of the parts", commands: Many),
        Same("--no-follow-symlinks --skip-links", "--links", "skip"),
        Same("--follow-symlinks --copy-links -L", "--links", "follow"),
        Same("--create-empty-src-dirs", "--empty-folders"),
        Use("--flatten", "a copy with -r keeps the folders; without it, several sources go into one folder", commands: "cp mv"),
        Same("--incomplete -I", "--uploads", commands: "ls"),
        Use("--incomplete -I", "use 'transfer abort' for incomplete uploads", commands: "rm"),
        Use("--rewind", "use --as-of", hasValue: true),
        Use("--all-versions --s3-versions", "use --versions"),
        Same("--vid", "--version-id"),
    ];

    private static ForeignWord[] Comparison =>
    [
        Same("--size-only", "--compare", "size", commands: "sync plan"),
        Use("--size-only", "use --no-read to do without reading; what has no checksum is compared by size only", commands: "verify"),
        Use("--size-only --if-size-differ -s", "use 'transfer sync --compare size SRC DST' to copy what differs in size", commands: "cp mv"),
        Use("--exact-timestamps", "use --compare time, which compares recorded modification times"),
        Use("--update -u", "the newer side never decides; use --compare time to copy what has another modification time"),
        Use("--update -u --if-source-newer --exact-timestamps", "the newer side never decides; use 'transfer sync SRC DST' to copy what differs", commands: "cp mv"),
        Use("--ignore-times -I", "contents are compared, and times only with --compare time", commands: "sync"),
        Use("-c", "contents are compared by checksums; use --compare content to also compare what has none", commands: "sync"),
        Use("-c", "an interrupted copy continues by itself, and is always verified; use --concurrency N for the number of requests", commands: "cp mv"),
        Same("--no-overwrite --ignore-existing", "--no-clobber"),
        Use("--ignore-existing --no-overwrite --no-clobber", "use 'transfer cp -r --no-clobber SRC DST' to copy only what is missing", commands: "sync"),
        Use("-n", "use --dry-run to show what would be done, or --no-clobber to skip what exists"),
        Use("-n", "use --dry-run to show what would be done", commands: "sync rm rb tag abort"),
        Use("-i --interactive", "use --dry-run to see what would be done"),
        Always("--download", "what can't be compared otherwise is read, unless --no-read is given", commands: "verify"),
        Always("--force --overwrite", "targets are overwritten unless --no-clobber is given", commands: "cp mv"),
        Use("-f", "omit it: targets are overwritten unless --no-clobber is given", commands: "cp mv"),
        Always("--force --overwrite -f", "what differs is always replaced", commands: "sync"),
        Always("--continue", "an interrupted copy continues by itself", commands: Many),
        Always("--md5 --content-md5", "content is always verified"),
        Always("--no-traverse --fast-list", "listings take as few requests as possible"),
    ];

    private static ForeignWord[] Deletion =>
    [
        Use("--delete --remove", "use 'transfer sync --delete SRC DST'", commands: "cp mv"),
        Use("--remove --delete-before --delete-during --delete-after", "use --delete, which deletes after everything was copied", commands: "sync"),
        Same("--backup-dir", "--backup"),
        Use("--ignore-errors", "use --delete-despite-failures", commands: "sync"),
        Use("--force -f", "use --yes to delete without a question", commands: "rm"),
        Use("--force -f", "only an empty bucket is removed; use 'transfer rm -r --whole-bucket s3://BUCKET' first", commands: "rb"),
    ];

    private static ForeignWord[] Output =>
    [
        Same("--only-show-errors", "--quiet"),
        Same("--no-progress", "--progress", "none"),
        Always("--no-progress", "this command shows no progress"),
        Always("-P --show-progress -sp", "progress is shown by itself", commands: "cp mv sync rm verify"),
        Use("--stats", "use --progress plain", hasValue: true),
        Always("--human-readable --humanize --human -H --size", "sizes are always shown with units; --json has the bytes", commands: Listings),
        Always("-l -lh -hl -lR --long", "sizes and times are always shown", commands: "ls"),
        Always("-s -h -sh -hs", "a sum with its unit is always shown", commands: "du"),
        Use("-s -e --etag --storage-class", "use --json, which has the storage class and the ETag of each object", commands: "ls"),
        Always("--summarize --stat --total", "a sum is always shown"),
        Use("--output --format -F", "use --json", hasValue: true),
        Use("--csv", "use --json"),
        Use("--query", "use --json, and a tool such as jq", hasValue: true),
        Use("--log --log-level", "use --quiet for errors only, or --verbose, once or twice, for more", hasValue: true),
        Use("--log-file", "use --events FILE, or redirect standard error", hasValue: true),
        Always("--no-cli-pager", "there is no pager"),
        Always("--no-cli-auto-prompt", "nothing is ever prompted for"),
        Lacking("--color", "set NO_COLOR=1 to turn colors off", hasValue: true),
    ];

    private static ForeignWord[] Transfers =>
    [
        Always("--page-size", "pages always have the size that the store prefers", hasValue: true),
        Always("--no-paginate", "all pages are always read"),
        Always("--expected-size", "parts grow with the length of a pipe", hasValue: true),
        Always("--cli-connect-timeout --cli-read-timeout --timeout --contimeout", Times, hasValue: true),
        Always("--retry-count --retries --low-level-retries", "requests are repeated by themselves", hasValue: true),
        Use("--numworkers --transfers --checkers --multi-thread-streams --max-workers", "use --concurrency", hasValue: true),
        Use("--multipart-chunksize --s3-chunk-size", "use --part-size", hasValue: true),
        Use("--bwlimit", "use --limit-rate", hasValue: true),
        Use("--limit-upload", "use --limit-rate up=SIZE", hasValue: true),
        Use("--limit-download", "use --limit-rate down=SIZE", hasValue: true),
        Same("--max-transfer", "--max-bytes", commands: Many),
        Same("--max-duration", "--max-time", commands: Many),
        Use("--cutoff-mode", "use --max-bytes or --max-time alone: a limit is never exceeded, large files keep what they have, and the same command goes on", hasValue: true, commands: Many),
        Use("--buffer-size --max-buffer-memory", "use --memory", hasValue: true),
        Lacking("--watch -w", "changes aren't watched; run the command again", commands: Many),
    ];

    private static ForeignWord[] Objects =>
    [
        Same("--checksum-algorithm", "--checksum"),
        Same("--expires-in --expire", "--expires", commands: "presign"),
        Same("--s3-storage-class", "--storage-class"),
        Always("--guess-mime-type", "the content type is always derived from the name"),
        Use("--no-guess-mime-type", "use --content-type"),
        Always("--force-glacier-transfer", "all objects are always requested"),
        Use("--ignore-glacier-warnings", "an object that must be restored first is a failure, and the others are copied; use --archived skip to skip them"),
        Always("--metadata-directive", "metadata is copied", hasValue: true, onlyValue: "COPY"),
        Use("--metadata-directive", "metadata is copied, and replaced if --metadata is given", hasValue: true),
        Always("--copy-props", "all properties are copied", hasValue: true, onlyValue: "default"),
        Use("--copy-props", "all properties are copied, unless others are given, such as --content-type or --metadata", hasValue: true),
        Use("--metadata-set --attr", "use --metadata NAME=VALUE, once for each pair", hasValue: true),
        Use("--tags --tagging", "use --tag NAME=VALUE, once for each tag", hasValue: true),
        Use("--grants", "use --acl", hasValue: true),
        Use("--sse-c --sse-c-copy-source", "use --sse-c-key-file", hasValue: true),
        Use("--sse-c-key --sse-c-copy-source-key --enc-c", CustomerKey, hasValue: true),
        Use("--enc-s3", "use --sse AES256", hasValue: true),
        Use("--enc-kms", "use --sse aws:kms", hasValue: true),
        Same("--request-payer", "--requester-pays"),
        Lacking("--website-redirect", "objects that redirect the visitors of a website can't be created", hasValue: true),
    ];

    private static ForeignWord[] Connections =>
    [
        Same("--no-verify-ssl --no-check-certificate", "--insecure"),
        Same("--source-region", "--from-region"),
        Same("--s3-endpoint", "--endpoint-url"),
        Same("--s3-region", "--region"),
        Use("--credentials-file --config", "use --profile NAME for a profile of the files of the AWS CLI; AWS_SHARED_CREDENTIALS_FILE names another file", hasValue: true),
    ];
}
