using System.Diagnostics.CodeAnalysis;
using System.Runtime.ExceptionServices;
using Transfer.Buffers;
using Transfer.Concurrency;
using Transfer.Integrity;
using Transfer.Observability;
using Transfer.Resume;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>
/// The parts of one object: each gets a place in the window and its memory before it is filled, and is sent by a task of its own. It ends
/// in a published object or in an upload that was aborted.
/// </summary>
/// <remarks>
/// Whoever cuts the object, a loop over a source or a caller who writes, opens parts and sends them in order, one at a time.
/// The first failure stops the other parts and is what everybody sees.
/// </remarks>
internal sealed class PartSet : IDisposable
{
    private readonly ClientContext _context;
    private readonly UploadRequest _request;
    private readonly TransferReporter _reporter;
    private readonly UploadCalls _calls;
    private readonly CancellationTokenSource _stop;
    private readonly Lock _gate = new();
    private readonly SortedDictionary<int, (UploadedPart Part, PartChecksumValue Checksum)> _done = [];
    private readonly TaskCompletionSource _allEnded = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly PartWindow _window;
    private FormerParts _former = FormerParts.None;
    private UploadJournal? _journal;
    private int _active = 1; // whoever cuts the object counts as one
    private bool _cut;
    private Task<string>? _created;
    private DateTimeOffset? _began;
    private long _sentBytes;
    private bool _published;
    private Exception? _error;

    public PartSet(ClientContext context, UploadRequest request, TransferReporter reporter, CancellationToken cancellationToken)
    {
        _context = context;
        _request = request;
        _reporter = reporter;
        _calls = new UploadCalls(context, request, reporter);
        _stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        _window = new PartWindow(context.Scheduler.Queue, reporter.Flow, request.MaxPartsInFlight, request.IsConcurrencyGiven, limits: reporter.Limits);
        Stopping = _stop.Token;
    }

    /// <summary>Cancelled at the first failure.</summary>
    public CancellationToken Stopping { get; }

    /// <summary>The first failure, as soon as there is one.</summary>
    public Exception? Error => Volatile.Read(ref _error);

    /// <summary>Parts that were handed over to be sent.</summary>
    public int Begun { get; private set; }

    /// <summary>Says how many parts are left to open, if that is known. The last ones are sent at the same time.</summary>
    public void SetLeft(int parts) => _window.SetLeft(parts);

    /// <summary>Opens a part for up to <paramref name="size"/> bytes as soon as the window has a place and the budget memory for it.</summary>
    /// <param name="size">Bytes of the part.</param>
    /// <param name="takesMemoryAsItGrows">
    /// Whether the part takes memory as it grows, because a caller or a stream fills it, who knows how slowly, or because bytes of the caller's need none. Otherwise all of its memory
    /// is there.
    /// </param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <remarks>It goes on to <see cref="Send"/>, <see cref="PutAsync"/> or <see cref="Return"/>, which give both back.</remarks>
    public async ValueTask<PartBody> OpenAsync(long size, bool takesMemoryAsItGrows, CancellationToken cancellationToken)
    {
        await _reporter.EnterAsync(_window, cancellationToken).ConfigureAwait(false);
        try
        {
            ChunkPool pool = _context.Pool;
            long since = _reporter.Now;
            ChunkLease lease = takesMemoryAsItGrows
                ? pool.LeaseForUnfinished(size)
                : await pool.LeaseAsync(MemoryUse.Transient, pool.ChunksFor(size), revolving: false, cancellationToken).ConfigureAwait(false);
            _reporter.AddTime(TransferTimeKind.Memory, since);
            return new PartBody(lease, size, _calls.Checksum, _reporter);
        }
        catch
        {
            LeaveWindow();
            throw;
        }
    }

    /// <summary>Opens a part that a caller fills, if the window has a place.</summary>
    public bool TryOpen(long size, [NotNullWhen(true)] out PartBody? body)
    {
        body = _window.TryEnter() ? new PartBody(_context.Pool.LeaseForUnfinished(size), size, _calls.Checksum, _reporter) : null;
        return body is not null;
    }

    /// <summary>Opens the first part that a caller fills on the memory that every open stream has. The lease is the part's from now on.</summary>
    public PartBody OpenOn(ChunkLease lease, long size)
    {
        _window.TryEnter();
        lease.GrowTo(_context.Pool.ChunksFor(size));
        return new PartBody(lease, size, _calls.Checksum, _reporter);
    }

    /// <summary>Takes back a part that is not needed.</summary>
    public void Return(PartBody body)
    {
        body.Dispose();
        LeaveWindow();
    }

    /// <summary>Publishes the object in one request, of a part that holds all of it.</summary>
    public async Task<PublishedUpload> PutAsync(PartBody body, CancellationToken cancellationToken)
    {
        body.Settle();
        try
        {
            return await _calls.PutAsync(body, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            Return(body);
        }
    }

    /// <summary>Uses a journal, which is disposed together with this object, and resumes the upload in it if possible.</summary>
    /// <returns>The published object if an earlier run completed the upload; null if there are parts to send.</returns>
    public Task<PublishedUpload?> UseAsync(UploadJournal journal, SourceReader reader, UploadPlan plan)
    {
        _journal = journal;
        return new UploadResumption(_context, _request, _reporter, _calls, this, journal, reader, plan).RunAsync(Stopping);
    }

    /// <summary>Uses the parts of an earlier run.</summary>
    /// <param name="former">The upload of the earlier run.</param>
    /// <param name="there">Its parts.</param>
    /// <param name="uploadId">The id of the upload to continue; null as long as it is not known whether the store still has it.</param>
    public void Resume(FormerUpload former, FormerParts there, string? uploadId = null)
    {
        _former = there;
        _began = former.Header.Begun;
        _created = uploadId is null ? null : Task.FromResult(uploadId);
    }

    /// <summary>Forgets the upload of the earlier run, which no longer exists.</summary>
    public void StartAgain() => (_former, _began) = (FormerParts.None, null);

    /// <summary>Sends the first part to the upload of an earlier run, even if that has it. The body stays the caller's.</summary>
    public async Task SendFirstAsync(PartBody body, string uploadId)
    {
        UploadedPart part = await _calls.SendPartAsync(uploadId, 1, body, Stopping).ConfigureAwait(false);
        _journal?.Add(new UploadStep(1, part.ETag, body.Checksum.ToBase64()));
        _former.Find(1, body); // so that it does not count as unread
        Done(1, body, part);
        _created = Task.FromResult(uploadId);
        Begun = 1;
    }

    /// <summary>Begins the multipart upload, if nothing has begun it yet, and waits for it.</summary>
    public Task CreateAsync() => _created ??= BeginAsync();

    /// <summary>Sends the next part.</summary>
    /// <param name="body">The part.</param>
    /// <param name="reader">
    /// Reads the source if it can be read at any offset: then the part's own task fills the part, and releases its memory while the part is sent. Null if the part is filled.
    /// </param>
    /// <param name="offset">The offset of the part in that source.</param>
    public void Send(PartBody body, SourceReader? reader = null, long offset = 0)
    {
        Task<string> created = _created ??= BeginAsync();
        if (reader is null)
        {
            body.Settle();
        }

        Begun++;
        Interlocked.Increment(ref _active);
        _ = SendAsync(created, Begun, body, reader, offset);
    }

    /// <summary>Logs how large an object of unknown length can become: when its first part was begun, and again when half of its parts were.</summary>
    /// <param name="plan">The sizes of the parts.</param>
    /// <param name="bytes">The number of bytes in the parts that were begun.</param>
    public void LogLimit(UploadPlan plan, long bytes)
    {
        if (Begun != 1 && Begun != _request.MaxParts / 2)
        {
            return;
        }

        (long last, long most) = (plan.SizeOf(_request.MaxParts), plan.Reach(_request.MaxParts));
        if (Begun == 1)
        {
            Log.UnknownLength(_context.Logger, _request.Address.Bucket, _request.Address.Key, plan.PartSizeBytes, most);
        }

        if (Begun == _request.MaxParts / 2)
        {
            Log.PartsRunOut(_context.Logger, _request.Address.Bucket, _request.Address.Key, bytes, last, most);
        }
    }

    /// <summary>Waits until all parts are read and sent. No part can be sent after this call.</summary>
    public async Task WhenSentAsync()
    {
        await WhenEndedAsync().ConfigureAwait(false);
        ThrowIfFailed();
    }

    /// <summary>Waits for all parts, then publishes the object that they make.</summary>
    public async Task<PublishedUpload> CompleteAsync(CancellationToken cancellationToken)
    {
        await WhenSentAsync().ConfigureAwait(false);
        ObjectChecksum checksum = new();
        foreach ((_, PartChecksumValue part) in _done.Values)
        {
            checksum.Add(part);
        }

        UploadedPart[] parts = [.. _done.Values.Select(done => done.Part)];
        string uploadId = await _created!.ConfigureAwait(false);
        _journal?.Add(new UploadStep(0, null, checksum.Expected));
        (PublishedObject published, bool mayBeOpen) = await _calls.CompleteAsync(uploadId, parts, checksum, _began, cancellationToken).ConfigureAwait(false);
        _published = true;
        if (mayBeOpen && await _calls.AbortAsync(uploadId).ConfigureAwait(false) is not null)
        {
            _journal?.Remember(uploadId);
        }

        _journal?.Delete();
        return new PublishedUpload(published, _calls.Verdict(published, checksum.Algorithm, checksum.Expected), parts.Length);
    }

    /// <summary>
    /// Ends the upload without an object: stops the requests, waits for them, and aborts the multipart upload unless a later run can resume it. An error of the abort is
    /// attached to the first failure.
    /// </summary>
    /// <returns>The first failure, which may be an earlier one than <paramref name="error"/>.</returns>
    public async Task<Exception> AbandonAsync(Exception error)
    {
        Fail(error);
        await WhenEndedAsync().ConfigureAwait(false);
        Exception first = _error!;
        if (_published)
        {
            return first;
        }

        (string? uploadId, Exception? cleanup) = await CreatedAsync().ConfigureAwait(false);
        if (_journal is not null && KeptBytes is var kept and > 0 && (_created is null || MayGoOn.AfterUpload(first)))
        {
            // An earlier upload stays after any failure that comes before this run has resumed it.
            _reporter.AddKept(kept);
            (first as TransferException)?.BytesKept = kept;
            return first;
        }

        if (uploadId is not null)
        {
            cleanup = await _calls.AbortAsync(uploadId).ConfigureAwait(false);
        }

        // Otherwise the next run needs the journal to resume the upload or to abort it.
        if (uploadId is null ? _journal?.Former is null : cleanup is null)
        {
            _journal?.Delete();
        }

        return Failures.WithCleanup(first, cleanup);
    }

    /// <summary>Stops everything; the first reason stands.</summary>
    public void Fail(Exception error)
    {
        if (Interlocked.CompareExchange(ref _error, error, null) is null)
        {
            try
            {
                _stop.Cancel();
            }
            catch (ObjectDisposedException)
            {
                // It came after the end: there is nothing to stop.
            }
        }
    }

    public void ThrowIfFailed()
    {
        if (Error is { } error)
        {
            ExceptionDispatchInfo.Throw(error);
        }
    }

    public void Dispose()
    {
        _stop.Dispose();
        _window.Dispose();
        _journal?.Dispose();
    }

    /// <summary>The bytes that a later run need not send: parts that were sent or compared, and parts of an earlier run that were not compared yet.</summary>
    private long KeptBytes => Interlocked.Read(ref _sentBytes) + _former.UnreadBytes;

    /// <summary>Waits for the upload's id.</summary>
    /// <returns>The id, or null if no upload was created; and an error if the store may have created one whose id is not known.</returns>
    private async Task<(string? UploadId, Exception? Cleanup)> CreatedAsync()
    {
        try
        {
            return (_created is null ? null : await _created.ConfigureAwait(false), null);
        }
#pragma warning disable CA1031 // the failure is already the upload's own
        catch (Exception e)
#pragma warning restore CA1031
        {
            return (null, Failures.CleanupOf(e));
        }
    }

    /// <summary>Completes when no part is under way any more. No part can be sent after it was called.</summary>
    private Task WhenEndedAsync()
    {
        if (!_cut)
        {
            _cut = true;
            PartEnded();
        }

        return _allEnded.Task;
    }

    private async Task SendAsync(Task<string> created, int number, PartBody body, SourceReader? reader, long offset)
    {
        // Off its caller's stack at once: there are other parts to begin.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        try
        {
            using (body)
            {
                if (reader is not null)
                {
                    body.ReleaseWhenSent(reader, offset);
                    await reader.FillAsync(offset, body, Stopping).ConfigureAwait(false);
                }

                string uploadId = await created.ConfigureAwait(false);
                if (_former.Find(number, body) is { } there)
                {
                    _reporter.AddResumed(body.Length);
                    _reporter.AddBytes(body.Length);
                    _reporter.AddPart(body.Length);
                    Done(number, body, there);
                }
                else
                {
                    UploadedPart part = await _calls.SendPartAsync(uploadId, number, body, Stopping).ConfigureAwait(false);
                    _journal?.Add(new UploadStep(number, part.ETag, body.Checksum.ToBase64()));
                    Done(number, body, part);
                }
            }
        }
#pragma warning disable CA1031 // kept, and thrown where the upload ends
        catch (Exception e)
#pragma warning restore CA1031
        {
            Fail(e);
        }

        LeaveWindow();
        PartEnded();
    }

    private void LeaveWindow()
    {
        _window.Fetched();
        _window.Leave();
    }

    /// <summary>Records a part that the store has.</summary>
    private void Done(int number, PartBody body, UploadedPart part)
    {
        if (body.Checksum.Algorithm != ChecksumAlgorithm.None)
        {
            Interlocked.Add(ref _sentBytes, body.Length); // without a checksum nobody could tell later what was sent
        }

        lock (_gate)
        {
            _done.Add(number, (part, body.Checksum.ToValue()));
        }
    }

    private async Task<string> BeginAsync()
    {
        DateTimeOffset began = _context.Time.GetUtcNow();
        _began = began;
        string uploadId = await _calls.CreateAsync(Stopping).ConfigureAwait(false);
        if (_journal is { } journal && !journal.Begin(uploadId, _calls.Checksum, began))
        {
            Log.NoJournal(_context.Logger, _context.Settings.StateDirectory!, journal.Failure);
            journal.Delete();
            journal.Dispose();
            _journal = null;
        }

        return uploadId;
    }

    private void PartEnded()
    {
        if (Interlocked.Decrement(ref _active) == 0)
        {
            _allEnded.SetResult();
        }
    }
}
