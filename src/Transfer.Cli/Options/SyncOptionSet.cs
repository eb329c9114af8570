using System.CommandLine;
using Transfer.S3.Cli.Commands;

namespace Transfer.S3.Cli.Options;

/// <summary>The options of a synchronization: how it compares, and what it deletes.</summary>
internal sealed class SyncOptionSet
{
    public Option<string?> Compare { get; } = Declare.Text(
        "--compare", "HOW", "How to compare what has the same size: auto (by an MD5 or checksum that the store has; a target that isn't known to be the same is replaced), "
            + "content (as auto, but downloads what can't be compared otherwise), time (recorded modification times), or size (size only). Default: auto.");

    public Option<string?> ModifyWindow { get; } = Declare.RareText(
        "--modify-window", "DURATION", "With --compare time, by how much two times can differ, up to 1 day. Default: 1s.");

    public Option<bool> NoState { get; } = Declare.RareFlag(
        "--no-state", "Don't use what the last run has recorded, and record nothing. Default: with --compare auto, what is unchanged on both sides since it was compared isn't compared again.");

    public Option<bool> ExitCodeOfPlan { get; } = Declare.RareFlag("--exit-code", "With --dry-run, end with exit code 3 if anything would be done.");

    public Option<bool> Publish { get; } = Declare.Flag(
        "--publish", "Publish all objects at once, after everything was uploaded. If anything fails before, nothing is published. It takes three requests for each object. DST must be in a store. With plan, finish publishes them.");

    public Option<string[]> PublishLast { get; } = Declare.RareTexts(
        "--publish-last", "PATTERN", "With --publish, publish what matches after all others; can be repeated. Default: *.html and *.htm.");

    public Option<bool> Delete { get; } = Declare.Flag(
        "--delete", "Delete what is in DST and not in SRC, after everything was copied. Default: delete nothing.");

    public Option<bool> DeleteExcluded { get; } = Declare.RareFlag(
        "--delete-excluded", "With --delete, also delete what the filters leave out, whether or not it is in SRC.");

    public Option<bool> DeleteDespiteFailures { get; } = Declare.RareFlag(
        "--delete-despite-failures", "With --delete, delete even if something could not be copied. An incomplete listing always prevents it.");

    public Option<string?> MaxDelete { get; } = Declare.Text(
        "--max-delete", "N|P%", "Maximum number of files and objects to delete, or percentage of those selected in DST. If there are more, nothing is deleted, and the exit code is 6. "
            + "Default: 50%, if there are 100 or more.");

    public Option<string?> Backup { get; } = Declare.RareText(
        "--backup", "PREFIX|FOLDER", "Keep what would be replaced or deleted in DST there, under its path: s3://BUCKET/PREFIX in the same store for a DST in a store, or a folder for a folder. "
            + "What can't be kept isn't touched, and is a failure. Backups are never overwritten: another one of the same name gets .~1~, .~2~, and so on.");

    public Option<bool> AllowEmptySource { get; } = Declare.RareFlag(
        "--allow-empty-source", "Accept a SRC with nothing in it. Default: end with exit code 2 if a prefix has no objects, or if SRC is empty and --delete is given.");

    public void AddTo(Command command)
    {
        command.AddGroup("Comparison", Compare, ModifyWindow, NoState, ExitCodeOfPlan);
        command.AddGroup("Publication", Publish, PublishLast);
        command.AddGroup("Deletion", Delete, DeleteExcluded, DeleteDespiteFailures, MaxDelete, Backup, AllowEmptySource);
    }

    /// <summary>Adds the options of a plan.</summary>
    public void AddToPlan(Command command)
    {
        command.AddGroup("Comparison, with --sync", Compare, ModifyWindow, NoState);
        command.AddGroup("Publication, with --sync", Publish, PublishLast);
        command.AddGroup("Deletion, with --sync", Delete, DeleteExcluded, DeleteDespiteFailures, MaxDelete, AllowEmptySource);
    }

    /// <summary>Reads the options.</summary>
    /// <param name="values">The command line and the environment.</param>
    /// <param name="target">The target.</param>
    public SyncOptions Resolve(OptionValues values, Location target)
    {
        SyncComparison comparison = values.Find(Compare) is { } how ? OptionValues.Choice<SyncComparison>(how, ["auto", "size", "time", "content"]) : SyncComparison.Auto;
        SyncOptions options = new() { Comparison = comparison, Delete = values.Flag(Delete), AllowEmptySource = values.Flag(AllowEmptySource) };
        options = options with { Backup = values.Line(Backup) is { } backup ? GetBackup(backup, target) : null };
        if (comparison == SyncComparison.Time)
        {
            options = options with { ModifyWindow = values.Read<TimeSpan>(ModifyWindow, TryParseWindow, $"a duration up to 1 day: {DurationText.Accepted}") ?? options.ModifyWindow };
        }

        if (comparison is SyncComparison.Auto or SyncComparison.Content)
        {
            options = options with { UseState = !values.IsOn(NoState) };
        }

        if (values.Flag(Publish))
        {
            IReadOnlyList<string> last = values.Lines(PublishLast);
            options = target.Kind != LocationKind.S3 ? throw new UsageException($"--publish needs a DST in a store, and '{target}' is a folder")
                : options with { Publish = PublishMode.AllAtOnce, PublishLast = last.Count > 0 ? last : null };
        }

        return !options.Delete ? options : options with
        {
            DeleteExcluded = values.Flag(DeleteExcluded),
            DeleteDespiteFailures = values.Flag(DeleteDespiteFailures),
            MaxDelete = values.Find(MaxDelete) is { } given ? DeletionLimitText.Parse(given) : options.MaxDelete,
        };
    }

    private static Place GetBackup(GivenValue given, Location target)
    {
        bool isStore = given.Text.StartsWith("s3://", StringComparison.OrdinalIgnoreCase);
        if (isStore != (target.Kind == LocationKind.S3) || string.IsNullOrWhiteSpace(given.Text))
        {
            throw OptionValues.Wrong(given, isStore ? "a folder, because the target is one" : target.Kind == LocationKind.S3 ? "s3://BUCKET/PREFIX, because the target is in a store" : "a folder");
        }

        if (!isStore)
        {
            return Place.InDirectory(given.Text);
        }

        Location prefix = Location.ParseBucket(given.Text, "--backup");
        return Place.InBucket(prefix.Bucket, prefix.Key);
    }

    private static bool TryParseWindow(string text, out TimeSpan window) => DurationText.TryParse(text, out window) && window <= TimeSpan.FromDays(1);
}
