namespace Transfer.S3.Jobs;

/// <summary>Validates the options of a plan.</summary>
internal static class JobGuard
{
    private const string NotHere = "it can't be set for a job";

    public static void Check(JobOptions options, JobSides sides, JobFolder folder)
    {
        Place source = sides.Source;
        ArgumentNullException.ThrowIfNull(options.Transfer, nameof(options.Transfer));
        TreeTransferOptions all = options.Transfer;
        Refuse(nameof(all.ObjectEnded), all.ObjectEnded is not null, NotHere);
        Refuse(nameof(all.Handle), all.Handle is not null, NotHere);
        const string Secret = "it can't be set for a job, because the plan would contain the key";
        Refuse("Upload." + nameof(UploadOptions.CustomerKey), all.Upload?.CustomerKey is not null, Secret);
        Refuse("Download." + nameof(DownloadOptions.CustomerKey), all.Download?.CustomerKey is not null, Secret);
        Refuse(nameof(all.AsOf), all.AsOf is not null && source.IsLocal, "it selects versions of objects, and the source is a folder");
        if (options.Copy is { } copy)
        {
            Refuse(nameof(copy.DeleteSource), copy.DeleteSource, NotHere);
            Refuse(nameof(copy.DryRun), copy.DryRun, NotHere);
            Refuse(nameof(copy.Archived), copy.Archived != ArchivedObjects.Fail, NotHere);
            Refuse(nameof(copy.Keys), copy.Keys is not null && source.IsLocal, "it selects objects, and the source is a folder");
            Trees.SelectedObjects.Check(copy.Keys is not null, copy.Filter, copy.AsOf);
        }

        if (options.Sync is { } sync)
        {
            Refuse(nameof(sync.AsOf), sync.AsOf is not null, "it can't be set for a synchronization, which has to know what is at the source when it ends");
            Refuse(nameof(sync.EmptyFolders), sync.EmptyFolders, "it can't be set for a synchronization");
            Refuse(nameof(sync.Backup), sync.Backup is not null, NotHere);
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

        OptionGuard.Size(nameof(options.SplitBytes), options.SplitBytes, JobOptions.MinSplitBytes, JobOptions.MaxSplitBytes);
        OptionGuard.Number(nameof(options.Workers), options.Workers, 1, JobOptions.MaxWorkers);
    }

    /// <summary>Gets the options with which both sides are read. Keys are looked up, and what exists is skipped when the plan is made.</summary>
    public static TreeTransferOptions GetReading(JobOptions options) => options.Copy is { } copy ? copy with { Keys = null, SkipExisting = false } : options.Transfer;

    private static void Refuse(string name, bool isSet, string why)
    {
        if (isSet)
        {
            throw new ArgumentException($"{name} is set; {why}.", nameof(name));
        }
    }
}
