using System.Runtime.ExceptionServices;
using Microsoft.Win32.SafeHandles;
using Transfer.S3.Concurrency;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>
/// Downloads the ranges of one object in parallel into a sink. The first request is for the first range. When its headers have arrived, the other ranges
/// start, pinned to the same ETag.
/// </summary>
/// <remarks>
/// One loop admits the parts in order. Each part is fetched by its own task, which continues from the last received byte if a response body ends early.
/// The first failure ends all tasks.
/// </remarks>
internal sealed class DownloadCoordinator : IAsyncDisposable
{
    private readonly TransferRun _run;
    private readonly DownloadRequest _request;
    private readonly IPartSink _sink;
    private readonly ContentVerifier _verifier;
    private readonly TaskGroup _fetches;
    private readonly CancellationToken _callerToken;
    private readonly TaskCompletionSource<ObjectHead> _opened = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly PartFetcher _fetcher;
    private readonly bool _startsAtOnce;
    private IReadOnlyList<CompletedPart> _finished = [];
    private Task _start = Task.CompletedTask;
    private long _partSize;
    private bool _isAligned;
    private long _length = -1;
    private Task? _completion;
    private ChecksumLookup? _lookup;
    private Task _checksumLookup = Task.CompletedTask;
    private Task _digest = Task.CompletedTask;
    private FirstResponse _firstAnswer;
    private Func<ContentDigest, CancellationToken, Task<bool>>? _content;
    private int _begun;

    /// <param name="run">The transfer.</param>
    /// <param name="request">The object to download.</param>
    /// <param name="sink">Receives the parts. Its owner disposes it after the coordinator.</param>
    /// <param name="cancellationToken">The caller's token. If it is canceled, the exception contains this token.</param>
    public DownloadCoordinator(TransferRun run, DownloadRequest request, IPartSink sink, CancellationToken cancellationToken)
    {
        _run = run;
        _request = request;
        _partSize = request.PartSizeBytes;
        _sink = sink;
        _verifier = new ContentVerifier(request.Address, request.Verify) { AlsoWanted = sink.WantedCrcs };

        // If an earlier run has left parts, the store is asked first whether they still belong to the object.
        _startsAtOnce = request.StartsAtOnce && !sink.HasFinishedParts;
        _callerToken = cancellationToken;
        _fetches = new TaskGroup(cancellationToken);
        _fetcher = new PartFetcher(run, request.Address, request.Condition, _verifier) { RequiresETag = request.RequiresETag };
    }

    /// <summary>Gets the verifier of the content, which may need the bytes in order.</summary>
    public ContentVerifier Verifier => _verifier;

    /// <summary>
    /// Gets the number of bytes to deliver, of the object or the requested range. It is known once <see cref="StartAsync"/> has returned.
    /// </summary>
    public long Length => Volatile.Read(ref _length);

    /// <summary>Gets a task that completes when all bytes have reached the sink, or fails with the first failure.</summary>
    public Task Completion => _completion!;

    private PartBoundaries Grid => new(_partSize, _isAligned, _fetcher.Origin);

    private bool IsOver => _start.IsCompleted && _completion is null or { IsCompleted: true } && _checksumLookup.IsCompleted && _digest.IsCompleted;

    /// <summary>Starts the transfer and waits for the headers of the first response. The method is called once.</summary>
    public Task<ObjectHead> StartAsync()
    {
        Task<ObjectHead> start = OpenAsync();
        _start = start;
        return start;
    }

    /// <summary>Reads back the file of the sink if the checksum needs the bytes in order. Called once <see cref="StartAsync"/> has returned.</summary>
    public void Digest(SafeFileHandle file)
    {
        _content = (digest, cancellationToken) => FileDigest.AppendAsync(digest, file, Length, _run.Client.Pool, cancellationToken);
        _digest = FileDigest.RunAsync(_verifier, file, Length, _run.Client.Pool, _fetches.Stopping);
    }

    /// <summary>Waits until all bytes have reached the sink, and compares the checksum.</summary>
    /// <param name="settled">Called before the comparison, when it is known how the checksum is computed.</param>
    public async Task<ChecksumVerdict> FinishAsync(Action? settled = null)
    {
        await _completion!.ConfigureAwait(false);
        await _checksumLookup.ConfigureAwait(false);
        _callerToken.ThrowIfCancellationRequested(); // a canceled lookup must not lead to a verdict
        settled?.Invoke();
        await _digest.ConfigureAwait(false);
        return _lookup is null ? _verifier.Finish(Length) : await _lookup.FinishAsync(_verifier, Length, _content, _fetches.Stopping).ConfigureAwait(false);
    }

    /// <summary>Stops all requests and waits until they have ended.</summary>
    public async ValueTask DisposeAsync()
    {
        if (!IsOver)
        {
            await _fetches.StopAsync().ConfigureAwait(false);
        }

        await _start.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (_completion is not null)
        {
            await _completion.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        await _checksumLookup.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _digest.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _verifier.Dispose();
        _fetches.Dispose();
    }

    // The first response is awaited here and not in the loop, so that the caller continues at once. For a small object, there is nothing else to do.
    private async Task<ObjectHead> OpenAsync()
    {
        long offset = 0;
        if (_request.Hint is { } pin)
        {
            _fetcher.Pin(pin.Length, pin.ETag);
        }

        try
        {
            if (_request.AlignsToStoredParts && !_request.IsInOnePiece)
            {
                await AlignAsync().ConfigureAwait(false);
            }

            if (!_startsAtOnce)
            {
                offset = await LearnAsync().ConfigureAwait(false);
            }
        }
#pragma warning disable CA1031 // translated for the caller and thrown below
        catch (Exception e)
#pragma warning restore CA1031
        {
            Fail(e);
            _fetches.ThrowIfFailed();
        }

        _completion = RunAsync(offset);
        return await _opened.Task.ConfigureAwait(false);
    }

    /// <summary>Requests the first of the wanted bytes to determine what the object is.</summary>
    /// <returns>The number of these bytes that the response contains.</returns>
    private Task<long> LearnAsync()
    {
        if (_request.Range is { Offset: null } || _sink.HasFinishedParts)
        {
            // The offset of the last bytes depends on the size. Which bytes are missing depends on whether the kept parts still belong to the object.
            return ProbeAsync();
        }

        _fetcher.Origin = _request.Range?.Offset ?? 0;
        return BeginFirstAsync(wholeObject: false);
    }

    private async Task<long> ProbeAsync()
    {
        ObjectHead head = FindKnown() ?? await _fetcher.ProbeAsync(_fetches.Stopping).ConfigureAwait(false);
        _fetcher.Pin(head.Info.Length, head.Info.ETag);
        Place(head.Info.Length, head.Info.ETag);
        Opened(head);
        return 0;
    }

    /// <summary>Gets the object that the sink knows, if it doesn't contradict what the caller wants; otherwise, null. The store checks conditions.</summary>
    private ObjectHead? FindKnown()
        => _sink.KnownHead is { Info: var info } known
            && _request.Condition == ReadCondition.None
            && (_request.Hint is not { } hint || (hint.Length == info.Length && ETags.AreSame(hint.ETag, info.ETag))) ? known : null;

    private async Task RunAsync(long offset)
    {
        try
        {
            await AdmitPartsAsync(offset).ConfigureAwait(false);
        }
#pragma warning disable CA1031 // stored, and thrown below after the fetches have ended
        catch (Exception e)
#pragma warning restore CA1031
        {
            Fail(e);
        }

        await _fetches.WhenEndedAsync().ConfigureAwait(false);
        if (_fetches.Error is { } error)
        {
            _opened.TrySetException(error);
            _ = _opened.Task.Exception; // marks it as observed: the caller may not have waited for the first response
            ExceptionDispatchInfo.Throw(error);
        }
    }

    private async Task AdmitPartsAsync(long offset)
    {
        if (_startsAtOnce)
        {
            Place(_request.Hint!.Length, _request.Hint.ETag is { } etag ? ETags.Quoted(etag) : null);
            if (Length <= _partSize && IsWhole(_request.Hint!.Length))
            {
                // No range of an empty object can be requested. The response to a request for the whole object contains the checksum, which a range
                // may not.
                await BeginFirstAsync(wholeObject: true).ConfigureAwait(false);
                return;
            }
        }

        long length = Length;
        _run.Reporter.SetTotal(length, _begun + Grid.CountFrom(offset, length));
        int behind = 0;
        while (true)
        {
            offset = _sink.NextOffset(offset);
            if (offset >= length)
            {
                if (!await _sink.WaitForMoreAsync(_fetches.Stopping).ConfigureAwait(false))
                {
                    return;
                }

                continue;
            }

            CompletedPart? next = behind < _finished.Count ? _finished[behind] : null;
            CompletedPart? finished = next?.At == offset ? next : null;
            long end = finished is null ? Math.Min(Grid.GetEnd(offset), next?.At ?? length) : offset + finished.Bytes;
            end = next is null && length - end < Grid.SmallestPartBytes ? length : end;
            PartReservation grant = await _sink.AdmitAsync(end - offset, finished is null ? length - offset : long.MaxValue, _fetches.Stopping).ConfigureAwait(false);
            long partLength = Math.Min(end - offset, grant.Bytes);
            if (TryBegin(offset, partLength, grant, null, yields: true, finished))
            {
                behind += finished is null ? 0 : 1;
                offset += partLength;
                _run.Reporter.SetTotal(length, Volatile.Read(ref _begun) + Grid.CountFrom(offset, length)); // if memory is short, there are more parts than the part size implies
            }
        }
    }

    /// <summary>Gets the parts in which the object was stored. Errors are ignored, because the first range finds them too.</summary>
    private async Task AlignAsync()
    {
        try
        {
            StoredParts? stored = await _run.SendAsync(token => _run.Client.Wire.GetStoredPartsAsync(_request.Address, token), _fetches.Stopping).ConfigureAwait(false);
            _isAligned = stored is not null;
            _partSize = stored?.LengthBytes ?? _partSize;
        }
        catch (WireException)
        {
            // The object can be downloaded in ranges of any size.
        }
    }

    /// <summary>Sends the request that determines what the object is. Its body is the first part.</summary>
    /// <returns>The number of bytes of the part.</returns>
    private async Task<long> BeginFirstAsync(bool wholeObject)
    {
        long want = Math.Min(Grid.GetEnd(0), _startsAtOnce ? Math.Max(1, Length) : _request.Range?.Length ?? long.MaxValue);
        PartReservation grant = await _sink.AdmitAsync(want, long.MaxValue, _fetches.Stopping).ConfigureAwait(false);
        RangeBody response;
        try
        {
            response = await _fetcher.SendFirstAsync(
                wholeObject ? null : Math.Min(grant.Bytes, want), _request.Verify, _fetches.Stopping, grant.Lease).ConfigureAwait(false);
        }
        catch
        {
            grant.Release();
            throw;
        }

        if (!_startsAtOnce)
        {
            try
            {
                Place(response.Info.Length, response.Info.ETag);
            }
            catch
            {
                response.Dispose();
                grant.Release();
                throw;
            }
        }

        if (response.Length > grant.Bytes)
        {
            // The store ignored the range and sends the whole object. The single response body waits for the reader, chunk by chunk.
            grant.Lease.Revolve();
        }

        // If the download has only this part, the object's properties are published after the data that arrived with the headers was read, so that
        // the reader doesn't wait twice. If the store ignored the range and sends more than was requested, the part detects it.
        long length = Math.Min(response.Length, Length);
        bool isAll = length >= Length;
        _firstAnswer = wholeObject ? FirstResponse.AllWithChecksum : isAll ? FirstResponse.All : FirstResponse.Part;
        ObjectHead head = response.Head;
        if (!isAll)
        {
            Opened(head);
        }

        TryBegin(0, length, grant, response, yields: !isAll);
        Opened(head);
        return length;
    }

    /// <summary>Sets the size of the object, and determines from it which bytes are wanted.</summary>
    private void Place(long total, string? etag)
    {
        (_fetcher.Origin, long length) = _request.GetExtent(total);
        Volatile.Write(ref _length, length);
        _finished = _sink.Open(length, etag);
        _run.Reporter.SetTotal(length, Math.Max(1, Grid.CountFrom(0, length))); // before the first part is complete
        if (!IsWhole(total))
        {
            _verifier.GiveUp($"only {length} of the object's {total} bytes were requested, and the store's checksum covers all of them");
        }
    }

    private bool IsWhole(long total) => Length == total;

    /// <summary>Begins a part, unless earlier parts must be fetched again first. The grant is used up in both cases.</summary>
    private bool TryBegin(long offset, long length, PartReservation grant, RangeBody? response, bool yields, CompletedPart? finished = null)
    {
        IPartWriter? writer = null;
        try
        {
            writer = _sink.BeginPart(offset, length, grant);
        }
        finally
        {
            if (writer is null)
            {
                response?.Dispose();
                grant.Release();
                _sink.PartFetched();
            }
        }

        if (writer is null)
        {
            return false;
        }

        Interlocked.Increment(ref _begun);
        _fetches.Add(FetchAsync(offset, length, grant, writer, response, yields, finished));
        return true;
    }

    private async Task FetchAsync(long offset, long length, PartReservation grant, IPartWriter writer, RangeBody? response, bool yields, CompletedPart? finished)
    {
        if (yields)
        {
            // Leave the stack of the loop at once, because it has other parts to start.
            await default(PoolTurn);
        }

        using CancellationTokenSource? stop = writer.Dropped.CanBeCanceled ? CancellationTokenSource.CreateLinkedTokenSource(_fetches.Stopping, writer.Dropped) : null;
        CancellationToken stopping = stop?.Token ?? _fetches.Stopping;
        try
        {
            if (finished is not null && _verifier.Begin(offset) is var there && _sink.TryReadBack(finished, grant.Lease, there, stopping))
            {
                await writer.CompleteAsync(there, stopping).ConfigureAwait(false);
                _run.Reporter.Bytes.AddResumed(length);
                _run.Reporter.Bytes.Add(length);
                _run.Reporter.Bytes.AddPart(length);
            }
            else
            {
                using PartFetch part = _fetcher.Begin(offset, length, grant.Lease, writer, response);
                if (response is null)
                {
                    Opened(await part.OpenAsync(stopping).ConfigureAwait(false));
                }

                await part.ReceiveAsync(stopping).ConfigureAwait(false);
            }
        }
#pragma warning disable CA1031 // stored, and thrown where the transfer ends
        catch (Exception e)
#pragma warning restore CA1031
        {
            if (!writer.IsDropped)
            {
                Fail(e);
                writer.Fail(_fetches.Error!);
            }
        }

        if (writer.IsDropped)
        {
            Interlocked.Decrement(ref _begun);
        }

        grant.Release();
        _sink.PartFetched();
    }

    private void Opened(ObjectHead head)
    {
        if (_opened.TrySetResult(head) && _request.Verify && IsWhole(head.Info.Length))
        {
            _lookup = new ChecksumLookup(_run, _request.Verification, head, _firstAnswer);
            _checksumLookup = _lookup.RunAsync(_verifier, _fetches.Stopping);
        }
    }

    private void Fail(Exception e)
    {
        Exception error = e switch
        {
            OperationCanceledException when _run.Client.Stopping.IsCancellationRequested => new ObjectDisposedException(nameof(TransferClient), "The client was disposed during the transfer."),
            OperationCanceledException when _callerToken.IsCancellationRequested => new OperationCanceledException(_callerToken),
            _ => e,
        };
        if (_fetches.TryKeep(error))
        {
            _sink.Fail(error);
            _fetches.Stop();
        }
    }
}
