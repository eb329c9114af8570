using static Transfer.S3.Cli.Execution.ForeignWord;

namespace Transfer.S3.Cli.Execution;

/// <summary>The commands of aws s3, s5cmd, rclone, mc, and shells, and what replaces them.</summary>
internal static class ForeignCommands
{
    public static IReadOnlyList<ForeignWord> All { get; } =
    [
        Use("s3", "omit it, as in 'transfer ls'"),
        Use("s3api", "use 'transfer stat', 'transfer tag', or 'transfer abort'"),
        Use("mirror replicate", "use 'transfer sync SRC DST', or 'transfer sync --delete SRC DST' to also delete what is only in DST"),
        Use("copy copyto copyurl put get mput upload download fput", "use 'transfer cp'"),
        Use("move moveto rename ren", "use 'transfer mv'"),
        Use("pipe rcat", "use 'transfer cp - s3://bucket/key'"),
        Use("del deletefile remove unlink erase", "use 'transfer rm'"),
        Use("delete", "use 'transfer rm', or 'transfer rm -r' for everything under a prefix"),
        Use("purge rmdirs", "use 'transfer rm -r' for everything under a prefix; for a bucket, 'transfer rm -r --whole-bucket' and then 'transfer rb'"),
        Use("head info attr", "use 'transfer stat'"),
        Use("list dir ll lsl", "use 'transfer ls'; it shows sizes and times, and with -r everything under a prefix"),
        Use("lsf lsjson", "use 'transfer ls --json', with -r for everything under a prefix"),
        Use("lsd listbuckets", "use 'transfer ls' for the buckets, or 'transfer ls s3://bucket/prefix/' for one level with its folders"),
        Use("tree", "use 'transfer ls -r', or 'transfer du --depth 1' for the size of each folder"),
        Use("find", "use 'transfer ls -r --include GLOB s3://bucket/prefix'"),
        Use("size ncdu", "use 'transfer du'"),
        Use("check compare diff cmp cryptcheck checksum", "use 'transfer verify SRC DST'"),
        Use("hashsum md5sum sha1sum md5 etag", "use 'transfer stat', which shows the checksums of the store, or 'transfer verify' to compare a file with an object"),
        Use("mkdir make-bucket create-bucket mkbucket", "use 'transfer mb s3://bucket'; folders need not be created"),
        Use("rmdir remove-bucket delete-bucket", "use 'transfer rb' for an empty bucket, or 'transfer rm -r' for everything under a prefix"),
        Use("tags settags", "use 'transfer tag'"),
        Use("share link sign signurl url", "use 'transfer presign'"),
        Use("cleanup multipart", "use 'transfer abort', or 'transfer ls --uploads' to list incomplete uploads"),
        Use("config configure alias listremotes login", "the files of the AWS CLI are used, and 'transfer whoami' shows what of them; use --profile NAME for one of its profiles"),
        Use("sts", "use 'transfer whoami'"),
        Use("ping ready health about support", "use 'transfer doctor'"),
        Use("speedtest perf benchmark test", "use 'transfer bench'"),
        Use("undo rollback", "use 'transfer cp -r --as-of TIME SRC DST' to copy the objects of a time"),
        Use("batch", "use 'transfer cp -r --keys-from FILE' or 'transfer rm -r --keys-from FILE' for a list of keys"),
        Use("restore restore-object", "use 'transfer cp --archived restore'"),
        Use("autocomplete genautocomplete", "use 'transfer completion'"),
        Lacking("mount nfsmount", "a store can't be mounted with this tool"),
        Lacking("bisync", "a synchronization has one direction here"),
        Lacking("select sql", "objects aren't queried here"),
        Lacking("watch event", "changes of a store can't be watched here"),
        Lacking("website", "the configuration of a website can't be changed here"),
        Lacking("admin ilm lifecycle policy anonymous quota cors encrypt legalhold retention replication", "the configuration of a store can't be changed here"),
        Lacking("update selfupdate upgrade", "the tool doesn't update itself"),
        Lacking("touch dedupe settier", "objects aren't changed in place here"),
    ];
}
