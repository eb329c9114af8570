using Transfer.S3.Delete;
using Transfer.S3.Requests;

namespace Transfer.S3.Trees;

/// <summary>Validates the options of operations on many objects.</summary>
internal static class TreeGuard
{
    private static readonly TimeSpan MaxModifyWindow = TimeSpan.FromDays(1);

    /// <summary>Validates the options of a copy or of a synchronization.</summary>
    /// <param name="options">The options.</param>
    /// <param name="isUpload">Whether the source is a folder, which can have empty folders, but neither keys, versions, nor storage classes.</param>
    public static void Check(TreeTransferOptions options, bool isUpload)
    {
        CheckSelection(options, isUpload);
        OptionGuard.Choice(nameof(options.OnFailure), options.OnFailure);
        OptionGuard.Choice(nameof(options.SymbolicLinks), options.SymbolicLinks);
        CheckEach(options);
        switch (options)
        {
            case SyncOptions sync:
                CheckSync(sync, isUpload);
                break;
            case DirectoryOptions copy:
                CheckCopy(copy, isUpload);
                break;
        }
    }

    public static void Check(ReadObjectsOptions options)
    {
        CheckSelection(options, isUpload: false);
        SelectedObjects.Check(options.Keys is not null, options.Filter, options.AsOf);
        OptionGuard.Choice(nameof(options.OnFailure), options.OnFailure);
        OptionGuard.Choice(nameof(options.Archived), options.Archived);
        RestoreOptions.Check(nameof(options.RestoreDays), options.RestoreDays);
        CheckEach(options.Download);
    }

    public static void Check(VerifyDirectoryOptions options)
    {
        CheckSelection(options, isUpload: false);
        SelectedObjects.Check(options.Keys is not null, options.Filter, options.AsOf);
        OptionGuard.Choice(nameof(options.SymbolicLinks), options.SymbolicLinks);
    }

    private static void CheckSelection(TreeOptions options, bool isUpload)
    {
        PathFilter.Check(options.Include, options.Exclude, options.Filter, hasStorageClass: !isUpload);
        RefuseOfObjects(nameof(options.AsOf), isUpload && options.AsOf is not null);
        if (options.MaxConcurrentObjects is { } concurrency)
        {
            OptionGuard.Number(nameof(options.MaxConcurrentObjects), concurrency, 1, TransferDefaults.MaxConcurrency);
        }
    }

    private static void CheckCopy(DirectoryOptions options, bool isUpload)
    {
        SelectedObjects.Check(options.Keys is not null, options.Filter, options.AsOf);
        RefuseOfObjects(nameof(options.Keys), isUpload && options.Keys is not null);
        OptionGuard.Choice(nameof(options.Archived), options.Archived);
        RestoreOptions.Check(nameof(options.RestoreDays), options.RestoreDays);
        CheckOverwrites(options, $"set {nameof(options.SkipExisting)} instead");
        if (!options.DeleteSource)
        {
            return;
        }

        if (isUpload && options.SymbolicLinks != SymbolicLinks.Skip)
        {
            throw new ArgumentException($"{nameof(options.DeleteSource)} needs {nameof(options.SymbolicLinks)} to be {nameof(SymbolicLinks.Skip)}, because files behind links are elsewhere.", nameof(options));
        }

        if (options.AsOf is not null)
        {
            throw new ArgumentException($"{nameof(options.AsOf)} and {nameof(options.DeleteSource)} exclude each other: only the current objects can be moved.", nameof(options));
        }

        MoveGuard.Check(options.Upload ?? new UploadOptions());
        MoveGuard.Check(options.Download ?? new DownloadOptions());
        MoveGuard.Check(options.Copy ?? new CopyOptions());
    }

    private static void CheckSync(SyncOptions options, bool isUpload)
    {
        OptionGuard.Choice(nameof(options.Comparison), options.Comparison);
        if (options.ModifyWindow < TimeSpan.Zero || options.ModifyWindow > MaxModifyWindow)
        {
            throw new ArgumentOutOfRangeException(nameof(options), options.ModifyWindow, $"{nameof(options.ModifyWindow)} is {options.ModifyWindow}; it must be from zero to {MaxModifyWindow}.");
        }

        ArgumentNullException.ThrowIfNull(options.MaxDelete, nameof(options.MaxDelete));
        const string NoDelete = $"it has no effect without {nameof(options.Delete)}";
        Refuse(nameof(options.DeleteExcluded), options.DeleteExcluded && !options.Delete, NoDelete);
        Refuse(nameof(options.DeleteDespiteFailures), options.DeleteDespiteFailures && !options.Delete, NoDelete);
        Refuse(nameof(options.MaxDelete), options.MaxDelete != DeletionLimit.Default && !options.Delete, NoDelete);
        Refuse(nameof(options.EmptyFolders), options.EmptyFolders && !isUpload, "only an upload has empty folders");
        OptionGuard.Choice(nameof(options.Publish), options.Publish);
        if (options.Publish == PublishMode.AllAtOnce)
        {
            Refuse(nameof(options.DeleteDespiteFailures), options.DeleteDespiteFailures, $"with {nameof(options.Publish)}, nothing is done after a failure");
            PathFilter.Check(options.PublishLast ?? [], [], null);
        }
        else
        {
            Refuse(nameof(options.PublishLast), options.PublishLast is not null, $"it has no effect without {nameof(options.Publish)}");
        }

        CheckOverwrites(options, "a synchronization replaces what is different");
    }

    /// <summary>Refuses a condition that would be ignored.</summary>
    private static void CheckOverwrites(TreeTransferOptions options, string why)
    {
        string? name = options.Upload is { Overwrite: false } ? nameof(options.Upload)
            : options.Download is { Overwrite: false } ? nameof(options.Download)
            : options.Copy is { Overwrite: false } ? nameof(options.Copy)
            : null;
        if (name is not null)
        {
            throw new ArgumentException($"{name}.{nameof(UploadOptions.Overwrite)} is false; {why}.", nameof(options));
        }
    }

    /// <summary>Refuses what is for one object only.</summary>
    private static void CheckEach(TreeTransferOptions options)
    {
        CheckEach(options.Download);
        if (options.Upload is { } upload)
        {
            RefuseOfOne("Upload." + nameof(upload.IfMatch), upload.IfMatch);
            RefuseOfOne("Upload." + nameof(upload.Handle), upload.Handle);
            RefuseOfOne("Upload." + nameof(upload.Length), upload.Length);
        }

        if (options.Copy is { } copy)
        {
            RefuseOfOne("Copy." + nameof(copy.SourceVersionId), copy.SourceVersionId);
            RefuseOfOne("Copy." + nameof(copy.Handle), copy.Handle);
        }
    }

    private static void CheckEach(DownloadOptions? download)
    {
        if (download is not null)
        {
            RefuseOfOne("Download." + nameof(download.Hint), download.Hint);
            RefuseOfOne("Download." + nameof(download.Handle), download.Handle);
            RefuseOfOne("Download." + nameof(download.Range), download.Range);
            RefuseOfOne("Download." + nameof(download.VersionId), download.VersionId);
            RefuseOfOne("Download." + nameof(download.IfMatch), download.IfMatch);
            RefuseOfOne("Download." + nameof(download.IfNoneMatch), download.IfNoneMatch);
            RefuseOfOne("Download." + nameof(download.IfModifiedSince), download.IfModifiedSince);
            RefuseOfOne("Download." + nameof(download.IfUnmodifiedSince), download.IfUnmodifiedSince);
        }
    }

    private static void RefuseOfObjects(string name, bool isSet)
    {
        if (isSet)
        {
            throw new ArgumentException($"{name} can't be set for an upload, because it selects objects.", nameof(isSet));
        }
    }

    private static void RefuseOfOne(string name, object? value)
    {
        if (value is not null)
        {
            throw new ArgumentException($"{name} is '{value}'; it is for one object and can't be set for a transfer of many objects.", nameof(value));
        }
    }

    private static void Refuse(string name, bool isSet, string why)
    {
        if (isSet)
        {
            throw new ArgumentException($"{name} is set; {why}.", nameof(name));
        }
    }
}
