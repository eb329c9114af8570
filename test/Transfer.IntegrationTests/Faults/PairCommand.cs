namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>A command of a pair.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Source">The source; null for a deletion.</param>
/// <param name="Target">The target, or what is deleted.</param>
/// <param name="Replaces">Whether it replaces or deletes whatever is at the target, as cp, mv, and rm do by default.</param>
internal sealed record PairCommand(PairCommandKind Kind, CopyPlace? Source, CopyPlace Target, bool Replaces)
{
    /// <summary>Runs it, one object after the other.</summary>
    /// <param name="clients">Gets a client of the command for a store.</param>
    /// <param name="at">Any store, for the sake of folders.</param>
    public Task RunAsync(Func<CopyPlace, TransferClient> clients, CopyPlace at)
    {
        if (Kind == PairCommandKind.Remove)
        {
            return clients(Target).DeleteTreeAsync(
                CopyPlace.Bucket, Target.Prefix, new DeleteDirectoryOptions { OnlyIfUnchanged = !Replaces, OnFailure = FailurePolicy.Continue, MaxConcurrency = 1 });
        }

        (CopyPlace from, CopyPlace to) = (Source!, Target);
        TransferClient reader = clients(from.IsFolder ? to.IsFolder ? at : to : from);
        TransferClient writer = clients(to.IsFolder ? from : to);
        DirectoryOptions options = new()
        {
            OnFailure = FailurePolicy.Continue,
            MaxConcurrentObjects = 1,
            SymbolicLinks = SymbolicLinks.Skip,
        };
        if (Kind is PairCommandKind.Sync or PairCommandKind.SyncDelete)
        {
            SyncOptions sync = new()
            {
                OnFailure = options.OnFailure,
                MaxConcurrentObjects = options.MaxConcurrentObjects,
                SymbolicLinks = to.IsFolder ? default : SymbolicLinks.Skip,
                Delete = Kind == PairCommandKind.SyncDelete,
                AllowEmptySource = true,
                MaxDelete = Kind == PairCommandKind.SyncDelete ? DeletionLimit.Percent(100) : DeletionLimit.Default,
            };
            return from.IsFolder ? writer.SyncAsync(Place.InDirectory(from.Path!), Place.InBucket(CopyPlace.Bucket, to.Prefix), sync)
                : to.IsFolder ? reader.SyncAsync(Place.InBucket(CopyPlace.Bucket, from.Prefix), Place.InDirectory(to.Path!), sync)
                : from.Server == to.Server ? reader.SyncAsync(Place.InBucket(from.Uri), Place.InBucket(to.Uri), sync)
                : reader.SyncAsync(Place.InBucket(from.Uri), writer, Place.InBucket(to.Uri), sync);
        }

        options = options with { DeleteSource = Kind == PairCommandKind.Move, SkipExisting = !Replaces, SymbolicLinks = from.IsFolder ? SymbolicLinks.Skip : default };
        return from.IsFolder ? writer.UploadDirectoryAsync(from.Path!, CopyPlace.Bucket, to.Prefix, options)
            : to.IsFolder ? reader.DownloadDirectoryAsync(CopyPlace.Bucket, from.Prefix, to.Path!, options)
            : from.Server == to.Server ? reader.CopyTreeAsync(Place.InBucket(from.Uri), Place.InBucket(to.Uri), options)
            : reader.CopyTreeAsync(Place.InBucket(from.Uri), writer, Place.InBucket(to.Uri), options);
    }

    public override string ToString() => $"{Kind}{(Replaces ? string.Empty : " safely")} {Source?.Name} -> {Target.Name}";
}
