using System.Runtime.CompilerServices;
using Transfer.S3.Concurrency;
using Transfer.S3.Download;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Directories;

/// <summary>
/// Opens the objects under a prefix, and passes each to a callback. Objects are read while the listing is being read, as many at a time as the link needs.
/// </summary>
internal sealed class DirectoryRead
{
    private readonly string _prefix;
    private readonly DirectoryOptions _options;
    private readonly DownloadRequest _request;
    private readonly PathFilter _filter;
    private readonly ArchivedSources _archived;
    private readonly Func<string, ObjectReadStream, CancellationToken, Task> _readAsync;
    private readonly int _mostOpen;
    private readonly Place _from;

    private DirectoryRead(
        ClientContext context, string bucket, string prefix, Func<string, ObjectReadStream, CancellationToken, Task> readAsync, DirectoryOptions options)
    {
        _prefix = KeyPrefix.Normalize(prefix);
        _options = options;
        _readAsync = readAsync;
        _mostOpen = context.Settings.MaxOpenStreams;
        _request = DownloadRequest.ForPrefix(bucket, _prefix, options.Download ?? new DownloadOptions(), context.Settings);
        _filter = new PathFilter(options);
        _archived = new ArchivedSources(options);
        _from = Place.Of(Address);
    }

    public ObjectAddress Address => _request.Address with { Key = _prefix };

    /// <summary>Validates the arguments and options.</summary>
    public static DirectoryRead Plan(
        ClientContext context, string bucket, string prefix, Func<string, ObjectReadStream, CancellationToken, Task> readAsync, DirectoryOptions options)
    {
        ArgumentNullException.ThrowIfNull(readAsync);
        DirectoryGuard.Check(options);
        DirectoryGuard.CheckReadsOnly(options);
        return new DirectoryRead(context, bucket, prefix, readAsync, options);
    }

    public async Task<DirectoryResult> RunAsync(TransferRun whole, CancellationToken cancellationToken)
    {
        ManyTally totals = new(_options.OnFailure, _options.ObjectEnded, whole.Reporter, hasSizes: _options.Keys is null);
        using SemaphoreSlim open = new(_mostOpen);
        ObjectWorkQueue<SelectedObject> workQueue = ObjectWorkQueue.Create<SelectedObject>(
            whole,
            _options,
            RequestDirection.Download,
            item => item.Listed.Length > _request.PartSizeBytes, // an unknown length is not
            (item, token) => ReadAsync(item, open, totals, whole, token));
        await workQueue.RunAsync(FindAsync(totals, whole, cancellationToken), totals.FoundAll, cancellationToken).ConfigureAwait(false);
        return totals.ToResult();
    }

    /// <summary>Finds the objects, except those that consoles create to show a folder.</summary>
    private async IAsyncEnumerable<SelectedObject> FindAsync(ManyTally totals, TransferRun whole, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ListQuery query = new(_request.Address.Bucket, _prefix, _request.Address.Access) { AsOf = _options.AsOf, WithRestoreStates = true };
        await foreach (SelectedObject selected in SelectedObjects.ReadAsync(whole, query, _options.Keys, _filter, _prefix.Length, item => totals.Refused(SelectedObjects.NotUnder(query, item, isInList: _options.Keys is not null)), cancellationToken).ConfigureAwait(false))
        {
            ListedObject listed = selected.Listed;
            bool isFolder = selected.Length == 0 && listed.Key[^1] == '/';
            if (listed.Key.Length > _prefix.Length && !isFolder && _filter.Takes(listed, _prefix.Length))
            {
                totals.Found(listed.Length);
                yield return selected;
            }
        }
    }

    private async Task ReadAsync(SelectedObject selected, SemaphoreSlim open, ManyTally totals, TransferRun whole, CancellationToken cancellationToken)
    {
        ListedObject item = selected.Listed;
        Outcome outcome = new() { Operation = ObjectOperation.Copy, Status = OutcomeStatus.Planned, Name = item.Key[_prefix.Length..], Bytes = item.Length, From = _from };
        ObjectAddress source = _request.Address with { Key = item.Key, VersionId = item.VersionId };
        try
        {
            outcome = await _archived.CheckAsync(whole, source, item.StorageClass, item.Restore, outcome, cancellationToken).ConfigureAwait(false)
                ?? await OpenAsync(selected, source, open, outcome, whole, cancellationToken).ConfigureAwait(false);
            if (outcome.Status == OutcomeStatus.Done && outcome.Bytes != item.Length)
            {
                totals.Resized(outcome.Bytes - item.Length);
            }
        }
        catch (TransferException e)
        {
            outcome = outcome.Failed(e);
        }

        totals.Ended(outcome);
    }

    private async Task<Outcome> OpenAsync(
        SelectedObject item, ObjectAddress source, SemaphoreSlim open, Outcome outcome, TransferRun whole, CancellationToken cancellationToken)
    {
        await open.WaitAsync(cancellationToken).ConfigureAwait(false);
        DownloadRequest request = _request with { Address = source, Hint = item.Length is { } length ? new KnownObject(length, item.Listed.ETag) : null, IsPatient = true };
        TransferRun run = whole.Client.Begin(TransferDirection.Download, source, null, _options.Download?.Events, whole);
        try
        {
            return await run.EndAfterAsync(ReadAsync(run, request, outcome, cancellationToken)).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.Error == TransferError.Archived)
        {
            return await _archived.EndAsync(whole, source, outcome, e, cancellationToken).ConfigureAwait(false);
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
