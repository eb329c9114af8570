using System.Runtime.CompilerServices;
using Transfer.S3.Concurrency;
using Transfer.S3.Download;
using Transfer.S3.Requests;

namespace Transfer.S3.Trees;

/// <summary>
/// Opens the objects under a prefix, and passes each to a callback. Objects are read while the listing is being read, as many at a time as the link needs.
/// </summary>
internal sealed class TreeRead
{
    private readonly StoreSide _side;
    private readonly ReadObjectsOptions _options;
    private readonly DownloadRequest _request;
    private readonly PathFilter _filter;
    private readonly ArchivedSources _archived;
    private readonly Func<string, ObjectReadStream, CancellationToken, Task> _readAsync;

    public TreeRead(
        ClientContext client, string bucket, string prefix, Func<string, ObjectReadStream, CancellationToken, Task> readAsync, ReadObjectsOptions options)
    {
        ArgumentNullException.ThrowIfNull(readAsync);
        TreeGuard.Check(options);
        (_options, _readAsync) = (options, readAsync);
        prefix = KeyPrefix.Normalize(prefix);
        _request = DownloadRequest.ForPrefix(bucket, prefix, options.Download ?? new DownloadOptions(), client.Settings);
        _side = new StoreSide(client, _request.Address with { Key = prefix });
        _filter = new PathFilter(options);
        _archived = new ArchivedSources(options.Archived, options.RestoreDays, dryRun: false);
    }

    public StoreSide Side => _side;

    public async Task<DirectoryResult> RunAsync(TransferRun whole, CancellationToken cancellationToken)
    {
        _side.Run = whole;
        ManyTally tally = new(_options.OnFailure, _options.ObjectEnded, whole.Reporter, hasSizes: _options.Keys is null);
        using SemaphoreSlim open = new(whole.Client.Settings.MaxOpenStreams);
        ObjectWorkQueue<TreeEntry> workQueue = ObjectWorkQueue.Create<TreeEntry>(
            whole,
            _options,
            RequestDirection.Download,
            entry => entry.Length > _request.PartSizeBytes, // an unknown length is not
            (entry, token) => ReadAsync(entry, open, tally, whole, token));
        await workQueue.RunAsync(FindAsync(tally, cancellationToken), tally.FoundAll, cancellationToken).ConfigureAwait(false);
        return tally.ToResult();
    }

    /// <summary>Finds the objects, except those that consoles create to show a folder.</summary>
    private async IAsyncEnumerable<TreeEntry> FindAsync(ManyTally tally, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        SideReading all = new(_filter)
        {
            IsOrdered = false,
            AsOf = _options.AsOf,
            Keys = _options.Keys,
            WithRestoreStates = true,
            Outside = item => tally.Refused(SelectedObjects.NotUnder(_side.Query, item, isInList: _options.Keys is not null)),
        };
        await foreach (TreeEntry entry in _side.ReadAsync(all, cancellationToken).ConfigureAwait(false))
        {
            bool isFolder = entry is { HasFolderName: true, HasLength: true, Length: 0 };
            if (!isFolder && _filter.Takes(entry.Name) && _filter.TakesProperties(entry.Listed!))
            {
                tally.Found(entry.Length);
                yield return entry;
            }
        }
    }

    private async Task ReadAsync(TreeEntry entry, SemaphoreSlim open, ManyTally tally, TransferRun whole, CancellationToken cancellationToken)
    {
        Outcome outcome = new() { Operation = ObjectOperation.Copy, Status = OutcomeStatus.Planned, Name = entry.Name, Bytes = entry.Length, From = _side.Place };
        try
        {
            outcome = await _archived.CheckAsync(_side, entry, outcome, cancellationToken).ConfigureAwait(false)
                ?? await OpenAsync(entry, open, outcome, whole, cancellationToken).ConfigureAwait(false);
            if (outcome.Status == OutcomeStatus.Done && outcome.Bytes != entry.Length)
            {
                tally.Resized(outcome.Bytes - entry.Length);
            }
        }
        catch (TransferException e) when (e.Error != TransferError.LimitReached)
        {
            outcome = outcome.Failed(e);
        }

        tally.Ended(outcome);
    }

    private async Task<Outcome> OpenAsync(TreeEntry entry, SemaphoreSlim open, Outcome outcome, TransferRun whole, CancellationToken cancellationToken)
    {
        await open.WaitAsync(cancellationToken).ConfigureAwait(false);
        DownloadRequest request = _request with
        {
            Address = _side.GetAddress(entry),
            Hint = entry.HasLength ? new KnownObject(entry.Length, entry.ETag) : null,
            IsPatient = true,
        };
        TransferRun run = whole.Client.Begin(TransferDirection.Download, request.Address, null, _options.Download?.Events, whole);
        try
        {
            return await run.EndAfterAsync(ReadAsync(run, request, outcome, cancellationToken)).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.Error == TransferError.Archived)
        {
            return await _archived.EndAsync(_side, entry, outcome, e, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            open.Release();
        }
    }

    /// <summary>Lets the callback read the object. What it doesn't read isn't verified.</summary>
    private async Task<Outcome> ReadAsync(TransferRun run, DownloadRequest request, Outcome outcome, CancellationToken cancellationToken)
    {
        ObjectReadStream stream = await ListedDownload
            .RunAsync(run, request, one => OrderedDownload.OpenAsync(run, one, static _ => ValueTask.CompletedTask, cancellationToken)).ConfigureAwait(false);
        await using (stream.ConfigureAwait(false))
        {
            await _readAsync(request.Address.Key, stream, cancellationToken).ConfigureAwait(false);
            return outcome with { Status = OutcomeStatus.Done, Bytes = stream.Length, Verdict = stream.Verdict, SourceETag = stream.Info.ETag };
        }
    }
}
