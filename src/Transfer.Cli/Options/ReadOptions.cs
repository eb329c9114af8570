using System.CommandLine;
using Transfer.S3.Cli.Commands;

namespace Transfer.S3.Cli.Options;

/// <summary>The options of the source object and of the file that it is downloaded to.</summary>
internal sealed class ReadOptions
{
    public Option<string?> VersionId { get; } = Declare.RareText("--version-id", "ID", "Version of the source object. Default: the latest.");

    public Option<string?> AsOf { get; } = Declare.RareText(
        "--as-of", "TIME", "The objects as they were at a time, in a bucket that keeps versions: 12h or 7d ago, or a date such as 2026-01-31 or 2026-01-31T12:00Z. "
            + "A date without a zone is in local time. Default: the current objects.");

    public Option<string?> Range { get; } = Declare.Text(
        "--range", "FIRST-LAST", "Byte range of the source object to copy, as in HTTP: 0-99, 100-, or -100 for the last 100 bytes. Default: the whole object.");

    public Option<bool> RequesterPays { get; } = Declare.RareFlag("--requester-pays", "Confirm that you pay for the requests (Requester Pays buckets).");

    public Option<string?> CustomerKeyFile { get; } = Declare.RareText(
        "--sse-c-key-file", "FILE", "File with the customer-provided key (SSE-C) that the source object is, or the target object is to be, encrypted with: 32 bytes, or their base64.");

    public Option<bool> FSync { get; } = Declare.RareFlag("--fsync", "Flush downloaded files and their directory entries to disk before the command ends.");

    public Option<bool> KeepTime { get; } = Declare.Flag(
        "--keep-time", "Keep modification times. An upload stores the file's as the metadata mtime; a download restores it, or uses the object's last-modified time.");

    public Option<string?> Attributes { get; } = Declare.RareText(
        "--attributes", "LIST", "Keep these attributes of files, separated by commas, as rclone does: mtime (as --keep-time), mode, the permissions, and owner, the IDs of user and group. "
            + "An upload stores them in the metadata, and a download restores them.");

    public Option<bool> AlignParts { get; } = Declare.RareFlag(
        "--align-parts", "Download the object in the parts in which it was uploaded. Takes one more request.");

    public Option<string?> Archived { get; } = Declare.RareText(
        "--archived", "fail|skip|restore", "What to do with source objects in an archive, such as GLACIER, which can't be read: fail, skip them, or request their restoration and end with exit code 5; "
            + "run the same command again when they are restored. Default: fail.");

    public Option<string?> RestoreDays { get; } = Declare.RareText(
        "--restore-days", "N", "With --archived restore: the days for which restored copies can be read, 1 to 36500. Default: 7.");

    public void AddTo(Command command)
        => command.AddGroup("Source object and downloaded file", VersionId, AsOf, Range, RequesterPays, CustomerKeyFile, AlignParts, FSync, KeepTime, Attributes, Archived, RestoreDays);

    /// <summary>Adds the options of a move.</summary>
    public void AddMoveTo(Command command)
        => command.AddGroup("Source object and downloaded file", RequesterPays, CustomerKeyFile, AlignParts, KeepTime, Attributes, Archived, RestoreDays);

    /// <summary>Adds the options of many objects.</summary>
    public void AddManyTo(Command command) => command.AddGroup("Source object and downloaded file", RequesterPays, CustomerKeyFile, AlignParts, FSync, KeepTime, Attributes);

    /// <summary>Adds the options of the plan of a job, which contains no keys.</summary>
    public void AddPlanTo(Command command) => command.AddGroup("Source object and downloaded file", AsOf, RequesterPays, AlignParts, FSync, KeepTime, Attributes);

    /// <summary>Adds the options that select an object and give access to it.</summary>
    public void AddAccessTo(Command command) => command.AddGroup("Object", VersionId, AsOf, RequesterPays, CustomerKeyFile);
}
