using System.Diagnostics.CodeAnalysis;
using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>
/// Uploads the parts of one object. Each part reserves a slot and memory before it is filled and is sent by its own task. The upload ends with a published object,
/// or it is aborted, unless it is shared with others.
/// </summary>
/// <remarks>
/// The loop over a source, or the caller that writes, opens the parts and sends them in order, one at a time. The first error stops the other parts, and all callers
/// see it.
/// </remarks>
internal sealed class PartSet : IDisposable
{
    private readonly TransferRun _run;
    private readonly UploadRequest _request;
    private readonly PartMemory _memory;
    private readonly UploadCalls _calls;
    private readonly MultipartUpload _upload;
    private readonly SharedUpload? _shared;
    private readonly TaskGroup _sends;
    private readonly Lock _gate = new();
    private readonly SortedDictionary<int, (UploadedPart Part, long Length, PartChecksumValue Checksum)> _done = [];
    private readonly PartWindow _window;
    private ResumedParts _former = ResumedParts.None;
    private UploadedPart? _firstReused;
    private long _sentBytes;

    /// <param name="run">The transfer.</param>
    /// <param name="request">The object.</param>
    /// <param name="memory">The memory that a part takes.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <param name="shared">The upload, if others send its other parts.</param>
    public PartSet(TransferRun run, UploadRequest request, PartMemory memory, CancellationToken cancellationToken, SharedUpload? shared = null)
    {
        _run = run;
        _request = request;
        _memory = memory;
        _calls = new UploadCalls(run, request);
        _upload = new MultipartUpload(run, request, _calls, shared);
        if (shared is not null)
        {
            _shared = shared;
            _calls.Checksums.Use(shared.Checksum);
        }

        _sends = new TaskGroup(cancellationToken);
        run.Reporter.Flow.SentPartBytes = request.Copied is null ? request.PartSizeBytes : 0; // all objects of a directory have the same size
        _window = new PartWindow(run.Client.Queue, run.Reporter.Flow, request.MaxConcurrency, request.IsConcurrencyGiven, limits: run.Reporter.Limits)
        {
            FillsInTurn = memory == PartMemory.AsItGrows,
        };
    }

    /// <summary>Gets the token that is canceled at the first error.</summary>
    public CancellationToken Stopping => _sends.Stopping;

    /// <summary>Gets the first error; null if there is none.</summary>
    public Exception? Error => _sends.Error;

    /// <summary>Gets the number of parts whose sending has started.</summary>
    public int Begun { get; private set; }

    /// <summary>Sets the number of parts that are left to open, if it is known. The last parts are sent at the same time.</summary>
    public void SetLeft(int parts) => _window.SetLeft(parts);

    /// <summary>Opens a part for up to <paramref name="size"/> bytes as soon as the window has a slot and the budget has memory for it.</summary>
    /// <param name="size">The number of bytes.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation of the wait.</param>
    /// <remarks>The part must be passed to <see cref="Send"/>, <see cref="PutAsync"/>, or <see cref="Return"/>, which release both.</remarks>
    public async ValueTask<PartBody> OpenAsync(long size, CancellationToken cancellationToken)
    {
        await _run.Reporter.Times.EnterAsync(_window, cancellationToken).ConfigureAwait(false);
        try
        {
            ChunkPool pool = _run.Client.Pool;
            long since = _run.Reporter.Times.Now;
            ChunkLease lease = _memory switch
            {
                PartMemory.AsItGrows or PartMemory.None => pool.LeaseForUnfinished(size),
                PartMemory.Chunks => await pool
                    .LeaseAsync(MemoryUse.Transient, pool.ChunksFor(PartBody.GetMemory(size, pool.ChunkSize, _run.Client.Settings.MemoryBytes)), revolving: true, cancellationToken).ConfigureAwait(false),
                _ => await pool.LeaseAsync(MemoryUse.Transient, pool.ChunksFor(size), revolving: false, cancellationToken).ConfigureAwait(false),
            };
            _run.Reporter.Times.Add(TransferTimeKind.Memory, since);
            return NewBody(lease, size);
        }
        catch
        {
            LeaveWindow();
            throw;
        }
    }

    /// <summary>Opens a part that a caller fills, if the window has a slot.</summary>
    public bool TryOpen(long size, [NotNullWhen(true)] out PartBody? body)
    {
        body = _window.TryEnter() ? NewBody(_run.Client.Pool.LeaseForUnfinished(size), size) : null;
        return body is not null;
    }

    /// <summary>Opens the first part that a caller fills with the memory that every open stream has. The part becomes the owner of the lease.</summary>
    public PartBody OpenOn(ChunkLease lease, long size)
    {
        _window.TryEnter();
        lease.GrowTo(_run.Client.Pool.ChunksFor(size));
        return NewBody(lease, size);
    }

    /// <summary>Releases a part that isn't needed.</summary>
    public void Return(PartBody body)
    {
        body.Dispose();
        LeaveWindow();
    }

    /// <summary>Publishes the object with one request. The part contains the whole object.</summary>
    public async Task<PublishedUpload> PutAsync(PartBody body, CancellationToken cancellationToken)
    {
        body.Settle();
        try
        {
            return await _calls.Publisher.PutAsync(body, cancellationToken).ConfigureAwait(false);
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
        _upload.Journal = journal;
        return new UploadResumption(_run, _request, _calls, this, journal, reader, plan).RunAsync(Stopping);
    }

    /// <summary>Uses the parts of an earlier run.</summary>
    /// <param name="former">The upload of the earlier run.</param>
    /// <param name="there">The parts of that upload.</param>
    /// <param name="uploadId">The ID of the upload to resume; null if it isn't known whether the store still has it.</param>
    public void Resume(ResumedUpload former, ResumedParts there, string? uploadId = null)
    {
        _former = there;
        _upload.Expect(former);
        if (uploadId is not null)
        {
            _upload.UseFormer(uploadId);
        }
    }

    /// <summary>Forgets the upload of the earlier run, which no longer exists.</summary>
    public void StartAgain()
    {
        _former = ResumedParts.None;
        _upload.Forget();
    }

    /// <summary>Sends the first part to the upload of an earlier run, even if it was already sent. The caller remains the owner of the part.</summary>
    public async Task SendFirstAsync(PartBody body, string uploadId)
    {
        if (_request.Copied is not null)
        {
            await CopyAsync(uploadId, 1, body, 0).ConfigureAwait(false);
        }
        else
        {
            UploadedPart part = await _calls.SendPartAsync(uploadId, 1, body, Stopping).ConfigureAwait(false);
            _upload.Journal?.Add(UploadStep.Sent(1, part.ETag, body));
            _former.Find(1, body); // so that it does not count as unread
            Done(1, body, part);
        }

        _upload.UseFormer(uploadId);
        Begun = 1;
    }

    /// <summary>Creates the multipart upload if necessary, and waits for it.</summary>
    public Task CreateAsync() => _upload.GetIdAsync(Stopping);

    /// <summary>Lets the store copy the first part that is reused before data is sent, because not every store can do that for every object.</summary>
    public async Task TryReuseAsync(UploadPlan plan)
    {
        if (_request.Reused is { } reused && reused.FindFirst(Begun) is { } first && first.Checksum.Algorithm == _calls.Checksum)
        {
            _firstReused = await ReuseAsync(first.Number, (first.Number - 1) * plan.PartSizeBytes, first.Length, first.Checksum).ConfigureAwait(false);
        }
    }

    /// <summary>Sends the next part.</summary>
    /// <param name="body">The part.</param>
    /// <param name="reader">
    /// Reads the source if it can be read concurrently: the part's own task then fills the part. Null if the part is already filled.
    /// </param>
    /// <param name="offset">The offset of the part in that source.</param>
    /// <param name="number">The number of the part, if it isn't the one after the last one.</param>
    public void Send(PartBody body, SourceReader? reader = null, long offset = 0, int? number = null)
    {
        Task<string> created = _upload.GetIdAsync(Stopping);
        if (reader is null)
        {
            body.Settle();
        }

        Begun++;
        _sends.Add(SendAsync(created, number ?? Begun, body, reader, offset));
    }

    /// <summary>Logs the maximum size of an object of unknown length, when its first part starts and when half of its parts have started.</summary>
    /// <param name="plan">The sizes of the parts.</param>
    /// <param name="bytes">The number of bytes in the parts that have started.</param>
    public void LogLimit(UploadPlan plan, long bytes)
    {
        if (Begun != 1 && Begun != _request.MaxParts / 2)
        {
            return;
        }

        (long last, long most) = (plan.GetSize(_request.MaxParts), plan.Reach(_request.MaxParts));
        if (Begun == 1)
        {
            Log.UnknownLength(_run.Client.Logger, _request.Address.Bucket, _request.Address.Key, plan.PartSizeBytes, most);
        }

        if (Begun == _request.MaxParts / 2)
        {
            Log.PartsRunOut(_run.Client.Logger, _request.Address.Bucket, _request.Address.Key, bytes, last, most);
        }
    }

    /// <summary>Waits until all parts are read and sent. No part can be sent after this call.</summary>
    public Task WhenSentAsync() => _sends.EndAsync();

    /// <summary>Waits for all parts, and then publishes the object.</summary>
    public async Task<PublishedUpload> CompleteAsync(CancellationToken cancellationToken)
    {
        await WhenSentAsync().ConfigureAwait(false);
        ObjectChecksum checksum = new();
        long bytes = 0;
        foreach ((_, long length, PartChecksumValue part) in _done.Values)
        {
            bytes += length;
            checksum.Add(part);
        }

        return await _upload.CompleteAsync([.. _done.Values.Select(static done => done.Part)], bytes, checksum, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Ends the upload without an object: stops the requests, waits for them, and aborts the multipart upload unless a later run can resume it. An error of the
    /// abort is attached to the first failure.
    /// </summary>
    /// <returns>The first failure, which may be an earlier one than <paramref name="error"/>.</returns>
    public async Task<Exception> AbandonAsync(Exception error)
    {
        _sends.Fail(error);
        await _sends.WhenEndedAsync().ConfigureAwait(false);
        return await _upload.AbandonAsync(Error!, KeptBytes).ConfigureAwait(false);
    }

    /// <summary>Stops all parts. Only the first error is kept.</summary>
    public void Fail(Exception error) => _sends.Fail(error);

    public void ThrowIfFailed() => _sends.ThrowIfFailed();

    public void Dispose()
    {
        _sends.Dispose();
        _window.Dispose();
        _upload.Dispose();
    }

    /// <summary>
    /// Gets the number of bytes that a later run doesn't have to send: parts that were sent or compared, and parts of an earlier run that were not compared yet.
    /// </summary>
    private long KeptBytes => Interlocked.Read(ref _sentBytes) + _former.UnreadBytes;

    private async Task SendAsync(Task<string> created, int number, PartBody body, SourceReader? reader, long offset)
    {
        // Don't run on the caller's stack, because the caller has other parts to open.
        await default(PoolTurn);
        try
        {
            using (body)
            {
                if (_request.Copied is not null)
                {
                    await CopyAsync(await created.ConfigureAwait(false), number, body, offset).ConfigureAwait(false);
                }
                else if (_request.Reused?.Find(number) is { } same)
                {
                    await ReuseAsync(number, body, reader!, offset, same).ConfigureAwait(false);
                }
                else if (reader?.Source is not IPinnedSource pinned || !await TrySkipAsync(pinned, number, body.Size, offset).ConfigureAwait(false))
                {
                    await FillAndSendAsync(created, number, body, reader, offset).ConfigureAwait(false);
                }
            }
        }
#pragma warning disable CA1031 // kept, and thrown at the end of the upload
        catch (Exception e)
#pragma warning restore CA1031
        {
            Fail(e); // before the window lets another part start
        }

        LeaveWindow();
    }

    /// <summary>Lets the store copy a part, unless an earlier run has done that. The part has no data here.</summary>
    private async Task CopyAsync(string uploadId, int number, PartBody body, long offset)
    {
        long size = body.Size;
        UploadedPart? part = _upload.IsBegun ? _former.FindCopied(number, size) : null;
        _former.Skip(number);
        if (part is not null)
        {
            Resumed(size);
        }
        else
        {
            part = await _calls.CopyPartAsync(uploadId, number, offset, size, Stopping).ConfigureAwait(false);
            _upload.Journal?.Add(new UploadStep(number, part.ETag, part.Checksum));
        }

        Interlocked.Add(ref _sentBytes, size);
        Keep(number, size, part, body.Checksum.ToValue());
    }

    /// <summary>Lets the store copy a part of the object that is replaced. It is read only if the checksum of its parts isn't that of the upload.</summary>
    private async Task ReuseAsync(int number, PartBody body, SourceReader reader, long offset, PartChecksumValue same)
    {
        if (same.Algorithm != _calls.Checksum)
        {
            await reader.FillAsync(offset, body, Stopping).ConfigureAwait(false);
            same = body.Checksum.ToValue();
        }

        UploadedPart part = _firstReused is { } first && first.Number == number ? first : await ReuseAsync(number, offset, body.Size, same).ConfigureAwait(false);
        Resumed(body.Size);
        Done(number, body.Size, part, same);
    }

    private async Task<UploadedPart> ReuseAsync(int number, long offset, long length, PartChecksumValue same)
    {
        string? checksum = same.ToBase64();
        string uploadId = await _upload.GetIdAsync(Stopping).ConfigureAwait(false);
        if (_former.Find(number, length, same.Algorithm, checksum) is { } there)
        {
            return there;
        }

        try
        {
            UploadedPart part = await _calls.ReusePartAsync(uploadId, number, offset, length, checksum, Stopping).ConfigureAwait(false);
            _upload.Journal?.Add(new UploadStep(number, part.ETag, checksum));
            return part;
        }
        catch (TransferException e) when (e is { Error: not TransferError.ObjectChanged, InnerException: WireException { MayRetry: false } })
        {
            _request.Reused!.Refusal ??= e;
            throw;
        }
    }

    private async Task FillAndSendAsync(Task<string> created, int number, PartBody body, SourceReader? reader, long offset)
    {
        if (reader is not null)
        {
            await reader.FillAsync(offset, body, Stopping).ConfigureAwait(false);
        }

        string uploadId = await created.ConfigureAwait(false);
        if (_former.Find(number, body) is { } there)
        {
            if (reader?.Source is IPinnedSource)
            {
                _upload.Journal?.Add(UploadStep.Sent(number, there.ETag, body)); // so that the next run doesn't read the part again
            }

            Resumed(body.Length);
            Done(number, body, there);
        }
        else
        {
            UploadedPart part = await _calls.SendPartAsync(uploadId, number, body, Stopping).ConfigureAwait(false);
            _upload.Journal?.Add(UploadStep.Sent(number, part.ETag, body));
            Done(number, body, part);
        }
    }

    /// <summary>Uses a part of an earlier run without reading it again.</summary>
    private async Task<bool> TrySkipAsync(IPinnedSource source, int number, long size, long offset)
    {
        if (_former.FindUnread(number, size) is not { } found || !await source.TrySkipAsync(offset, found.SourceChecksum, Stopping).ConfigureAwait(false))
        {
            return false;
        }

        _former.Skip(number);
        Resumed(size);
        Done(number, size, found.Part, found.Checksum);
        return true;
    }

    private void Resumed(long bytes)
    {
        _run.Reporter.Bytes.AddResumed(bytes);
        _run.Reporter.Bytes.Add(bytes);
        _run.Reporter.Bytes.AddPart(bytes);
    }

    private PartBody NewBody(ChunkLease lease, long size) => new(lease, size, _calls.Checksum, _calls.SignsBodies, _run.Reporter);

    private void LeaveWindow()
    {
        _window.Fetched();
        _window.Leave();
    }

    /// <summary>Records a part that the store has.</summary>
    private void Done(int number, PartBody body, UploadedPart part) => Done(number, body.Length, part, body.Checksum.ToValue());

    private void Done(int number, long length, UploadedPart part, PartChecksumValue checksum)
    {
        if (checksum.Algorithm != ChecksumAlgorithm.None)
        {
            Interlocked.Add(ref _sentBytes, length); // without a checksum, a later run can't compare the part
        }

        Keep(number, length, part, checksum);
    }

    private void Keep(int number, long length, UploadedPart part, PartChecksumValue checksum)
    {
        _shared?.Sent(part, length, checksum);
        lock (_gate)
        {
            _done.Add(number, (part, length, checksum));
        }
    }
}
