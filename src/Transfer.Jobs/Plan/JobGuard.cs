namespace Transfer.S3.Jobs;

/// <summary>Validates the options of a plan.</summary>
internal static class JobGuard
{
    private const string NotHere = "it can't be set for a job";

    public static void Check(JobOptions options, JobSides sides, JobFolder folder)
    {
        Place source = sides.Source;
        ArgumentNullException.ThrowIfNull(options.Directory, nameof(options.Directory));
        DirectoryOptions directory = options.Directory;
        Refuse("Directory." + nameof(directory.DeleteSource), directory.DeleteSource, NotHere);
        Refuse("Directory." + nameof(directory.DryRun), directory.DryRun, NotHere);
        Refuse("Directory." + nameof(directory.Keys), directory.Keys is not null && source.IsLocal, "it selects objects, and the source is a folder");
        Refuse("Directory." + nameof(directory.ObjectEnded), directory.ObjectEnded is not null, NotHere);
        Refuse("Directory." + nameof(directory.Handle), directory.Handle is not null, NotHere);
        const string Secret = "it can't be set for a job, because the plan would contain the key";
        Refuse("Upload." + nameof(UploadOptions.CustomerKey), directory.Upload?.CustomerKey is not null, Secret);
        Refuse("Download." + nameof(DownloadOptions.CustomerKey), directory.Download?.CustomerKey is not null, Secret);
        Refuse("Directory." + nameof(directory.AsOf), directory.AsOf is not null && source.IsLocal, "it selects versions of objects, and the source is a folder");
        if (options.Sync is { } sync)
        {
            Refuse("Directory." + nameof(directory.AsOf), directory.AsOf is not null, "it can't be set for a synchronization, which has to know what is at the source when it ends");
            Refuse("Directory." + nameof(directory.Keys), directory.Keys is not null, "a synchronization has to know everything at the source");
            Refuse("Directory." + nameof(directory.EmptyFolders), directory.EmptyFolders, "it can't be set for a synchronization");
            Refuse("Directory." + nameof(directory.SkipExisting), directory.SkipExisting, "it can't be set for a synchronization");
            Refuse("Sync." + nameof(sync.Backup), sync.Backup is not null, NotHere);
            Refuse("Sync." + nameof(sync.Directory), sync.Directory != new DirectoryOptions(), $"set {nameof(options.Directory)} instead");
        }

        if (options.Shards is { } shards)
        {
            OptionGuard.Number(nameof(options.Shards), shards, 1, JobOptions.MaxShards);
        }

        if (folder.Overlaps(source) || folder.Overlaps(sides.Target))
        {
            throw new ArgumentException(
                $"The folder of the job, {folder.Address}, and {(folder.Overlaps(source) ? $"the source, {source}" : $"the target, {sides.Target}")}, overlap. Use a folder that is in neither of them.", nameof(options));
        }

        Trees.SelectedObjects.Check(directory.Keys is not null, directory.Filter, directory.AsOf);
        OptionGuard.Size(nameof(options.SplitBytes), options.SplitBytes, JobOptions.MinSplitBytes, JobOptions.MaxSplitBytes);
        OptionGuard.Number(nameof(options.Workers), options.Workers, 1, JobOptions.MaxWorkers);
    }

    /// <summary>Gets the options with which both sides are read.</summary>
    public static SyncOptions CreateSyncOptions(JobOptions options) => (options.Sync ?? new SyncOptions { UseState = false }) with
    {
        Directory = options.Directory with { Keys = null, EmptyFolders = false, SkipExisting = false, Upload = NoCondition(options.Directory.Upload), Copy = options.Directory.Copy is { } copy ? copy with { Overwrite = true } : null },
    };

    private static UploadOptions? NoCondition(UploadOptions? options) => options is null ? null : options with { Overwrite = true };

    private static void Refuse(string name, bool isSet, string why)
    {
        if (isSet)
        {
            throw new ArgumentException($"{name} is set; {why}.", nameof(name));
        }
    }
}
