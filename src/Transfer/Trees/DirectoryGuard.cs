using Transfer.S3.Delete;
using Transfer.S3.Requests;

namespace Transfer.S3.Trees;

/// <summary>Validates the options of transfers of many objects.</summary>
internal static class DirectoryGuard
{
    public static void Check(DirectoryOptions options, bool isUpload = false)
    {
        PathFilter.Check(options.Include, options.Exclude, options.Filter, hasStorageClass: !isUpload);
        SelectedObjects.Check(options.Keys is not null, options.Filter, options.AsOf);
        if (isUpload)
        {
            RefuseOfObjects(nameof(options.AsOf), options.AsOf is not null);
            RefuseOfObjects(nameof(options.Keys), options.Keys is not null);
        }

        if (options.DeleteSource)
        {
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

        OptionGuard.Choice(nameof(options.OnFailure), options.OnFailure);
        OptionGuard.Choice(nameof(options.SymbolicLinks), options.SymbolicLinks);
        OptionGuard.Choice(nameof(options.Archived), options.Archived);
        RestoreOptions.Check(nameof(options.RestoreDays), options.RestoreDays);
        if (options.MaxConcurrentObjects is { } concurrency)
        {
            OptionGuard.Number(nameof(options.MaxConcurrentObjects), concurrency, 1, TransferDefaults.MaxConcurrency);
        }

        if (options.Download is { } download)
        {
            Refuse("Download." + nameof(download.Hint), download.Hint);
            Refuse("Download." + nameof(download.Handle), download.Handle);
            Refuse("Download." + nameof(download.Range), download.Range);
            Refuse("Download." + nameof(download.VersionId), download.VersionId);
            Refuse("Download." + nameof(download.IfMatch), download.IfMatch);
            Refuse("Download." + nameof(download.IfNoneMatch), download.IfNoneMatch);
            Refuse("Download." + nameof(download.IfModifiedSince), download.IfModifiedSince);
            Refuse("Download." + nameof(download.IfUnmodifiedSince), download.IfUnmodifiedSince);
        }

        if (options.Upload is { } upload)
        {
            Refuse("Upload." + nameof(upload.IfMatch), upload.IfMatch);
            Refuse("Upload." + nameof(upload.Handle), upload.Handle);
            Refuse("Upload." + nameof(upload.Length), upload.Length);
        }

        if (options.Copy is { } copy)
        {
            Refuse("Copy." + nameof(copy.SourceVersionId), copy.SourceVersionId);
            Refuse("Copy." + nameof(copy.Handle), copy.Handle);
        }
    }

    /// <summary>Refuses what is only for transfers to a target.</summary>
    public static void CheckReadsOnly(DirectoryOptions options)
    {
        string? refused = options.SkipExisting ? nameof(options.SkipExisting)
            : options.DeleteSource ? nameof(options.DeleteSource)
            : options.DryRun ? nameof(options.DryRun)
            : null;
        if (refused is not null)
        {
            throw new ArgumentException($"{refused} is true; it is for transfers to a target, and must be false for objects that are only read.", nameof(options));
        }
    }

    private static void RefuseOfObjects(string name, bool isSet)
    {
        if (isSet)
        {
            throw new ArgumentException($"{name} can't be set for an upload, because it selects objects.", nameof(isSet));
        }
    }

    private static void Refuse(string name, object? value)
    {
        if (value is not null)
        {
            throw new ArgumentException($"{name} is '{value}'; it is for one object and can't be set for a transfer of many objects.", nameof(value));
        }
    }
}
