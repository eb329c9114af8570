
namespace Transfer.S3.Trees;

/// <summary>Validates the options of synchronizations.</summary>
internal static class SyncGuard
{
    private static readonly TimeSpan MaxModifyWindow = TimeSpan.FromDays(1);

    /// <param name="options">The options.</param>
    /// <param name="uploads">Whether the source is a directory, which can have empty directories, but no storage classes.</param>
    public static void Check(SyncOptions options, bool uploads = false)
    {
        OptionGuard.Choice(nameof(options.Comparison), options.Comparison);
        if (options.ModifyWindow < TimeSpan.Zero || options.ModifyWindow > MaxModifyWindow)
        {
            throw new ArgumentOutOfRangeException(nameof(options), options.ModifyWindow, $"{nameof(options.ModifyWindow)} is {options.ModifyWindow}; it must be from zero to {MaxModifyWindow}.");
        }

        ArgumentNullException.ThrowIfNull(options.MaxDelete, nameof(options.MaxDelete));
        if (!options.Delete)
        {
            Refuse(nameof(options.DeleteExcluded), options.DeleteExcluded, $"it has no effect without {nameof(options.Delete)}");
            Refuse(nameof(options.DeleteDespiteFailures), options.DeleteDespiteFailures, $"it has no effect without {nameof(options.Delete)}");
            Refuse(nameof(options.MaxDelete), options.MaxDelete != DeletionLimit.Default, $"it has no effect without {nameof(options.Delete)}");
        }

        ArgumentNullException.ThrowIfNull(options.Directory, nameof(options.Directory));
        DirectoryOptions directory = options.Directory;
        DirectoryGuard.Check(directory, isUpload: uploads);
        const string NotHere = "it can't be set for a synchronization";
        Refuse("Directory." + nameof(directory.SkipExisting), directory.SkipExisting, NotHere);
        Refuse("Directory." + nameof(directory.DeleteSource), directory.DeleteSource, NotHere);
        Refuse("Directory." + nameof(directory.DryRun), directory.DryRun, NotHere);
        Refuse("Directory." + nameof(directory.EmptyFolders), directory.EmptyFolders && !uploads, "only an upload has empty directories");
        Refuse("Directory." + nameof(directory.Keys), directory.Keys is not null, NotHere);
        Refuse("Upload." + nameof(UploadOptions.Overwrite), directory.Upload is { Overwrite: false }, NotHere);
        Refuse("Copy." + nameof(CopyOptions.Overwrite), directory.Copy is { Overwrite: false }, NotHere);
        Refuse("Download." + nameof(DownloadOptions.Overwrite), directory.Download is { Overwrite: false }, NotHere);
    }

    private static void Refuse(string name, bool isSet, string why)
    {
        if (isSet)
        {
            throw new ArgumentException($"{name} is set; {why}.", nameof(name));
        }
    }
}
