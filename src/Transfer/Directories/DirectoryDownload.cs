using System.Runtime.CompilerServices;
using Transfer.S3.Concurrency;
using Transfer.S3.Delete;
using Transfer.S3.Download;
using Transfer.S3.Files;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Directories;

/// <summary>
/// Downloads the objects under a prefix. Objects are downloaded while the listing is being read. The size and the ETag in the listing are their hints, so an object
/// that fits into one request takes only that request.
/// </summary>
internal sealed class DirectoryDownload
{
    private readonly string _prefix;
    private readonly string _directory;
    private readonly DirectoryOptions _options;
    private readonly DownloadRequest _request;
    private readonly FileTarget _target;
    private readonly DownloadOptions _each;
    private readonly PathFilter _filter;
    private readonly ArchivedSources _archived;
    private readonly OwnEntries _own;
    private readonly Place _from;
    private readonly Place _to;

    private DirectoryDownload(ClientContext context, string bucket, string prefix, string directory, DirectoryOptions options)
    {
        _prefix = KeyPrefix.Normalize(prefix);
        _directory = Path.GetFullPath(directory);
        _options = options;
        _each = options.Download ?? new DownloadOptions();
        _each = options.DeleteSource ? _each with { FlushToDisk = true } : _each; // the file will be the only copy
        _request = DownloadRequest.ForPrefix(bucket, _prefix, _each, context.Settings);
        _target = FileTarget.From(_directory, _each) with { Overwrite = !options.SkipExisting };
        _filter = new PathFilter(options);
        _archived = new ArchivedSources(options);
        _own = new OwnEntries(context.Settings);
        (_from, _to) = (Place.Of(Address), Place.InDirectory(_directory));
    }

    public ObjectAddress Address => _request.Address with { Key = _prefix };

    /// <summary>Validates the arguments and options.</summary>
    public static DirectoryDownload Plan(ClientContext context, string bucket, string prefix, string directory, DirectoryOptions options)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(directory);
        DirectoryGuard.Check(options);
        return new DirectoryDownload(context, bucket, prefix, directory, options);
    }

    public async Task<DirectoryResult> RunAsync(TransferRun whole, CancellationToken cancellationToken)
    {
        if (File.Exists(_directory))
        {
            throw new TransferException($"'{_directory}' is a file. Specify a directory to download {Address} to.") { Bucket = Address.Bucket, Key = _prefix };
        }

        ManyTally totals = new(_options.OnFailure, _options.ObjectEnded, whole.Reporter, hasSizes: _options.Keys is null);
        using TargetTree tree = new(_directory, _target.FlushToDisk);
        ObjectWorkQueue<Item> workQueue = ObjectWorkQueue.Create<Item>(
            whole,
            _options,
            RequestDirection.Download,
            item => item.Length > _request.PartSizeBytes, // an unknown length is not
            (item, token) => DownloadAsync(item, tree, totals, whole, token));
        await workQueue.RunAsync(FindAsync(tree, totals, whole, cancellationToken), totals.FoundAll, cancellationToken).ConfigureAwait(false);
        return totals.ToResult();
    }

    /// <summary>Creates the directory when there is something to download, and determines whether its file system is case-sensitive.</summary>
    private PathConflictDetector MakeRoot(TargetTree tree)
    {
        try
        {
            return new PathConflictDetector(!_options.DryRun && tree.IsCaseBlind());
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TransferException($"{Address} could not be written to '{_directory}': {e.Message}", e) { Bucket = Address.Bucket, Key = _prefix };
        }
    }

    /// <summary>Finds the objects, and rejects keys that can't be files.</summary>
    private async IAsyncEnumerable<Item> FindAsync(TargetTree tree, ManyTally totals, TransferRun whole, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        PathConflictDetector? taken = null;
        ListQuery query = new(_request.Address.Bucket, _prefix, _request.Address.Access) { AsOf = _options.AsOf, WithRestoreStates = true };
        await foreach ((ListedObject listed, bool hasLength) in SelectedObjects.ReadAsync(whole, query, _options.Keys, _filter, _prefix.Length, item => totals.Refused(NotUnder(query, item)), cancellationToken).ConfigureAwait(false))
        {
            string relative = listed.Key[_prefix.Length..];
            if (relative.Length == 0 || !_filter.Takes(listed, _prefix.Length))
            {
                continue; // the prefix itself, which consoles create to show a folder
            }

            taken ??= MakeRoot(tree);
            bool isFolder = relative[^1] == '/';
            string? reason;
            if (!KeyPath.TrySplit(relative, OperatingSystem.IsWindows(), _options.AllowSpecialNames, out (string Folder, string Name) path, out reason)
                || (reason = taken.Take(relative)) is not null
                || (reason = isFolder && listed.Length > 0 ? $"its name ends in '/' like that of a folder, but it has {listed.Length} bytes" : null) is not null)
            {
                totals.Refused((Begin(relative, listed.Length) with { To = null }).Failed(Refused(listed.Key, reason)));
                continue;
            }

            if (!isFolder)
            {
                totals.Found(listed.Length);
                yield return new Item(listed.Key, listed.VersionId, path.Folder, path.Name, hasLength ? new KnownObject(listed.Length, listed.ETag) : null, listed.StorageClass, listed.Restore);
            }
            else if (!_options.DryRun)
            {
                MakeFolder(listed.Key, path.Folder, tree, totals);
            }
        }
    }

    private void MakeFolder(string key, string folder, TargetTree tree, ManyTally totals)
    {
        try
        {
            tree.Enter(folder);
            tree.Leave(folder);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            totals.Refused(Begin(folder + "/", 0).Failed(NotWritten(key, folder, e)));
        }
    }

    private async Task DownloadAsync(Item item, TargetTree tree, ManyTally totals, TransferRun whole, CancellationToken cancellationToken)
    {
        string path = Path.Combine(_directory, item.Folder, item.Name);
        Outcome outcome = Begin(item.Key[_prefix.Length..], item.Length);
        try
        {
            if (_own.HasFiles && _own.Contains(path))
            {
                throw Refused(item.Key, "this program writes the file itself");
            }

            if (_options.DryRun)
            {
                outcome = _options.SkipExisting && Path.Exists(path) ? outcome with { Status = OutcomeStatus.Skipped }
                    : await CheckArchivedAsync(item, outcome, whole, cancellationToken).ConfigureAwait(false) ?? outcome;
            }
            else
            {
                LocalFolder folder = tree.Enter(item.Folder);
                try
                {
                    outcome = await DownloadAsync(item, folder, outcome, whole, cancellationToken).ConfigureAwait(false);
                }
                finally
                {
                    tree.Leave(item.Folder);
                }

                if (outcome is { Status: OutcomeStatus.Done, Bytes: var bytes } && bytes != item.Length)
                {
                    totals.Resized(bytes - item.Length);
                }
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            outcome = outcome.Failed(NotWritten(item.Key, path, e));
        }
        catch (TransferException e)
        {
            outcome = outcome.Failed(e);
        }

        totals.Ended(outcome);
    }

    private async Task<Outcome> DownloadAsync(Item item, LocalFolder folder, Outcome outcome, TransferRun whole, CancellationToken cancellationToken)
    {
        if (_options.SkipExisting && Path.Exists(folder.GetPath(item.Name)))
        {
            return outcome with { Status = OutcomeStatus.Skipped };
        }

        if (await CheckArchivedAsync(item, outcome, whole, cancellationToken).ConfigureAwait(false) is { } ended)
        {
            return ended;
        }

        ObjectAddress source = GetSource(item);
        FileTarget target = _target with { Path = outcome.Target!, Folder = folder };
        DownloadRequest request = _request with { Address = source, Hint = item.Hint };
        TransferRun run = whole.Client.Begin(TransferDirection.Download, request.Address, null, _each.Events, whole);
        try
        {
            DownloadResult result = (await run.EndAfterAsync(ListedDownload.RunAsync(run, request, one => FileDownload.RunAsync(run, one, target, cancellationToken))).ConfigureAwait(false)).Result;
            if (_options.DeleteSource)
            {
                await SourceRemoval.RemoveAsync(whole, request.Address, result.Info, $"'{target.Path}'", result.Verdict, cancellationToken).ConfigureAwait(false);
            }

            return outcome with { Status = OutcomeStatus.Done, Bytes = result.Statistics.BytesTransferred, Verdict = result.Verdict, SourceETag = result.Info.ETag };
        }
        catch (TransferException e) when (e.Error == TransferError.Archived)
        {
            return await _archived.EndAsync(whole, source, outcome, e, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (_options.SkipExisting && e.InnerException is IOException && Path.Exists(folder.GetPath(item.Name)))
        {
            return outcome with { Status = OutcomeStatus.Skipped };
        }
    }

    private Outcome Begin(string name, long bytes)
        => new() { Operation = ObjectOperation.Copy, Status = OutcomeStatus.Planned, Name = name, Bytes = bytes, From = _from, To = _to };

    private Outcome NotUnder(ListQuery query, ListedObject item) => SelectedObjects.NotUnder(query, item, isInList: _options.Keys is not null);

    private ObjectAddress GetSource(Item item) => _request.Address with { Key = item.Key, VersionId = item.VersionId };

    private Task<Outcome?> CheckArchivedAsync(Item item, Outcome outcome, TransferRun whole, CancellationToken cancellationToken)
        => _archived.CheckAsync(whole, GetSource(item), item.StorageClass, item.Restore, outcome, cancellationToken);

    private TransferException Refused(string key, string reason)
        => new($"s3://{_request.Address.Bucket}/{key} can't be a file under '{_directory}': {reason}.")
        {
            Bucket = _request.Address.Bucket,
            Key = key,
            Hint = !_options.AllowSpecialNames && KeyPath.IsOnlySpecial(key[_prefix.Length..]) ? $"use {nameof(DirectoryOptions.AllowSpecialNames)} to write it" : null,
        };

    private TransferException NotWritten(string key, string path, Exception e)
        => new($"s3://{_request.Address.Bucket}/{key} could not be written to '{path}': {e.Message}", e) { Bucket = _request.Address.Bucket, Key = key };

    /// <param name="Key">The key.</param>
    /// <param name="VersionId">The ID of the version to download; null for the current one.</param>
    /// <param name="Folder">The path of its directory.</param>
    /// <param name="Name">The name of its file.</param>
    /// <param name="Hint">What the listing tells about the object; null if it comes from a list of keys.</param>
    /// <param name="StorageClass">The storage class; null if it isn't known.</param>
    /// <param name="Restore">The state of the restoration of an archived object; null if it isn't known.</param>
    private readonly record struct Item(string Key, string? VersionId, string Folder, string Name, KnownObject? Hint, string? StorageClass, RestoreState? Restore)
    {
        /// <summary>Gets the size, as far as it is known.</summary>
        public long Length => Hint?.Length ?? 0;
    }
}
