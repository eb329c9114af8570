using System.Runtime.CompilerServices;
using Transfer.S3.Concurrency;
using Transfer.S3.Delete;
using Transfer.S3.Requests;
using Transfer.S3.Stores;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Directories;

/// <summary>Uploads the files in a directory. Files are uploaded while the directory is being read.</summary>
internal sealed class DirectoryUpload
{
    private readonly string _prefix;
    private readonly string _directory;
    private readonly DirectoryOptions _options;
    private readonly UploadRequest _request;
    private readonly UploadOptions _each;
    private readonly PathFilter _filter;
    private readonly Place _from;
    private readonly Place _to;

    private DirectoryUpload(ClientContext context, string directory, string bucket, string prefix, DirectoryOptions options)
    {
        _prefix = KeyPrefix.Normalize(prefix);
        _directory = Path.GetFullPath(directory);
        _options = options;
        _each = (options.Upload ?? new UploadOptions()) with { Overwrite = !options.SkipExisting };
        _request = UploadRequest.ForPrefix(bucket, _prefix, _each, context.Settings);
        _filter = new PathFilter(options);
        (_from, _to) = (Place.InDirectory(_directory), Place.Of(Address));
    }

    public ObjectAddress Address => _request.Address with { Key = _prefix };

    /// <summary>Validates the arguments and options.</summary>
    public static DirectoryUpload Plan(ClientContext context, string directory, string bucket, string prefix, DirectoryOptions options)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(directory);
        DirectoryGuard.Check(options, hasStorageClass: false);
        if (options.AsOf is not null)
        {
            throw new ArgumentException($"{nameof(options.AsOf)} can't be set for an upload, because it selects versions of objects.", nameof(options));
        }

        if (options.Keys is not null)
        {
            throw new ArgumentException($"{nameof(options.Keys)} can't be set for an upload, because it selects objects.", nameof(options));
        }

        if (options is { DeleteSource: true, SymbolicLinks: not SymbolicLinks.Skip })
        {
            throw new ArgumentException($"{nameof(options.DeleteSource)} needs {nameof(options.SymbolicLinks)} to be {nameof(SymbolicLinks.Skip)}, because files behind links are elsewhere.", nameof(options));
        }

        return new DirectoryUpload(context, directory, bucket, prefix, options);
    }

    public async Task<DirectoryResult> RunAsync(TransferRun whole, CancellationToken cancellationToken)
    {
        if (!Directory.Exists(_directory))
        {
            throw new TransferException($"'{_directory}' is not a directory. Specify the directory to upload.") { Bucket = Address.Bucket, Key = _prefix };
        }

        ManyTally totals = new(_options.OnFailure, _options.ObjectEnded, whole.Reporter);
        ObjectWorkQueue<LocalFile> workQueue = ObjectWorkQueue.Create<LocalFile>(
            whole,
            _options,
            RequestDirection.Upload,
            file => file.Length >= _request.MultipartThresholdBytes,
            (file, token) => UploadAsync(file, totals, whole, token));
        SpecialNames names = new(whole.Client.Logger, Address.Bucket);
        LeftOutFiles leftOut = new(whole.Client.Logger);
        try
        {
            await workQueue.RunAsync(FindAsync(totals, names, leftOut, new OwnEntries(whole.Client.Settings), cancellationToken), totals.FoundAll, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            names.LogCount();
            leftOut.LogCount();
        }

        return totals.ToResult();
    }

    private async IAsyncEnumerable<LocalFile> FindAsync(
        ManyTally totals, SpecialNames names, LeftOutFiles leftOut, OwnEntries own, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // the caller must not wait for the disk
        foreach (LocalFile file in new LocalTree(_directory, _options, _filter.Prunes, own).Walk())
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (file.LeftOut != LeftOut.None)
            {
                if (_filter.Takes(file.Name))
                {
                    leftOut.Note(file.LeftOut, file.Path);
                }

                continue;
            }

            // The content of a directory that can't be read may be selected, because an excluded one isn't opened.
            bool isTaken = file.Error is null ? _filter.Takes(file) : file.IsFolder || file.Name.Length == 0 || _filter.Takes(file.Name);
            if ((file.IsFolder && !_options.EmptyFolders && file.Error is null) || !isTaken)
            {
                continue;
            }

            string key = _prefix + file.Name;
            if (file.Error is null)
            {
                totals.Found(file.Length);
                names.Check(file.Path, file.Name, key);
                yield return file;
            }
            else
            {
                totals.Refused(Begin(file).Failed(NotRead(key, file.Path, file.Error)));
            }
        }
    }

    private async Task UploadAsync(LocalFile file, ManyTally totals, TransferRun whole, CancellationToken cancellationToken)
    {
        string key = _prefix + file.Name;
        Outcome outcome = Begin(file);
        try
        {
            UploadRequest request = _request.For(key, _each, file.Name);
            ObjectPresence? presence = await LookAsync(file, request, whole, cancellationToken).ConfigureAwait(false);
            if (presence == ObjectPresence.Present)
            {
                outcome = outcome with { Status = OutcomeStatus.Skipped };
            }
            else if (!_options.DryRun)
            {
                outcome = await UploadAsync(file, request with { Presence = presence, ProvesCondition = true }, outcome, whole, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            outcome = outcome.Failed(NotRead(key, file.Path, e));
        }
        catch (TransferException e)
        {
            outcome = outcome.Failed(e);
        }

        totals.Ended(outcome);
    }

    /// <summary>
    /// Checks whether the object exists, before a large upload or if only a HEAD request can tell. If the store is known to honor If-None-Match, a small object is
    /// sent without a HEAD request, because a rejected upload takes only one request too.
    /// </summary>
    private async ValueTask<ObjectPresence?> LookAsync(LocalFile file, UploadRequest request, TransferRun whole, CancellationToken cancellationToken)
    {
        bool isSmall = file.Length < _request.MultipartThresholdBytes;
        if (!_options.SkipExisting || (isSmall && !_options.DryRun && whole.Client.Profile.GetSupport(StoreTrait.PutCondition, request.Address.Bucket) == StoreSupport.Supported))
        {
            return null;
        }

        try
        {
            return await PresenceLookup.RunAsync(whole, request.Address, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            throw Failures.Create(request.Address, "check whether the object exists", null, e);
        }
    }

    private async Task<Outcome> UploadAsync(LocalFile file, UploadRequest request, Outcome outcome, TransferRun whole, CancellationToken cancellationToken)
    {
        if (file.IsFolder)
        {
            return await UploadAsync(new MemorySource(default), request, outcome, whole, cancellationToken).ConfigureAwait(false);
        }

        string? root = _options.SymbolicLinks == SymbolicLinks.Follow ? null : _directory;
        LocalSource local = LocalSource.OpenFile(file.Path, root);
        await using (local.ConfigureAwait(false))
        {
            request = local.Source is FileSource source ? request.ForFile(source, _each) : request;
            outcome = await UploadAsync(local.Source, request, outcome, whole, cancellationToken).ConfigureAwait(false);
            if (_options.DeleteSource && outcome is { Status: OutcomeStatus.Done, Verdict: { } verdict })
            {
                await SourceRemoval.RemoveAsync(file.Path, local, request.Address, verdict).ConfigureAwait(false);
            }

            return outcome;
        }
    }

    private async Task<Outcome> UploadAsync(
        IUploadSource source, UploadRequest request, Outcome outcome, TransferRun whole, CancellationToken cancellationToken)
    {
        TransferRun run = whole.Client.Begin(TransferDirection.Upload, request.Address, null, _each.Events, whole);
        try
        {
            PublishedUpload published = await run.EndAfterAsync(new UploadCoordinator(run, request, source).RunAsync(cancellationToken)).ConfigureAwait(false);
            return outcome with { Status = OutcomeStatus.Done, Bytes = source.Length ?? run.Reporter.Bytes.Transferred, Verdict = published.Verdict, TargetETag = published.Object.ETag };
        }
        catch (PreconditionFailedException) when (_options.SkipExisting)
        {
            return outcome with { Status = OutcomeStatus.Skipped };
        }
    }

    private Outcome Begin(LocalFile file)
        => new() { Operation = ObjectOperation.Copy, Status = OutcomeStatus.Planned, Name = file.Name, Bytes = file.Length, From = _from, To = _to };

    private TransferException NotRead(string key, string path, Exception e)
        => new($"'{path}' could not be read: {e.Message}", e) { Bucket = _request.Address.Bucket, Key = key };
}
