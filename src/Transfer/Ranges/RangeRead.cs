using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Download;
using Transfer.S3.Requests;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Ranges;

/// <summary>Reads ranges of one object. Neighbors are fetched together as blocks, and the requests of all blocks run in parallel.</summary>
/// <remarks>
/// <para>
/// One loop begins the requests in the order of their offsets. If the size of the object isn't known, the first response tells it. The loop reserves the memory of
/// a block, or of all blocks if the caller wants them at the same time, before it sends the first request. So no caller holds a part of the memory that it
/// needs while it waits for the rest.
/// </para>
/// <para>Internal offsets are those in the object. The first failure ends all requests.</para>
/// </remarks>
internal sealed class RangeRead : IDisposable
{
    private readonly TransferRun _run;
    private readonly DownloadRequest _request;
    private readonly ObjectRange[] _ranges;
    private readonly bool _holdsAll;
    private readonly Action<RangeBuffer> _deliver;
    private readonly RangePlanner _planner;
    private readonly PartFetcher _fetcher;
    private readonly ContentVerifier _verifier;
    private readonly PartWindow _window;
    private IReadOnlyList<RangeBlock> _blocks = [];
    private ChunkLease? _lease;
    private TaskGroup? _fetches;
    private ObjectInfo? _info;
    private volatile bool _isAwaited = true;

    /// <param name="run">The transfer.</param>
    /// <param name="request">The object and the ranges, at least one.</param>
    /// <param name="holdsAll">Whether the caller holds all buffers at the same time; otherwise, it releases some before others arrive.</param>
    /// <param name="deliver">Receives the buffers, on any thread. The method owns them from then on.</param>
    public RangeRead(TransferRun run, RangeReadRequest request, bool holdsAll, Action<RangeBuffer> deliver)
    {
        _run = run;
        _request = request.Download;
        _ranges = request.Ranges;
        _holdsAll = holdsAll;
        _deliver = deliver;
        _verifier = new ContentVerifier(_request.Address, enabled: false);
        _fetcher = new PartFetcher(run, _request.Address, _request.Condition, _verifier);
        _window = run.NewWindow(_request.MaxConcurrency, _request.IsConcurrencyGiven);

        // A few requests fit into the memory of ranges, so that they can run in parallel.
        long most = Math.Min(request.MaxCoalescedBytes, RangeLayout.GetLimit(run.Client.Pool.Budget) / 4);
        _planner = RangePlanner.Create(run.Client, most);
    }

    /// <summary>Reads all ranges.</summary>
    /// <returns>The buffers, in the order of the caller's list.</returns>
    public static async Task<RangeBuffers> ReadAllAsync(TransferRun run, RangeReadRequest request, CancellationToken cancellationToken)
    {
        RangeBuffer[] buffers = new RangeBuffer[request.Ranges.Length];
        using RangeRead read = new(run, request, holdsAll: true, buffer => buffers[buffer.Index] = buffer);
        try
        {
            return new RangeBuffers(buffers, await read.RunAsync(cancellationToken).ConfigureAwait(false));
        }
        catch
        {
            foreach (RangeBuffer? buffer in buffers)
            {
                buffer?.Dispose();
            }

            throw;
        }
    }

    /// <summary>Reads the ranges, and returns when all of them were delivered. The method is called once.</summary>
    /// <returns>The properties of the object.</returns>
    public async Task<ObjectInfo?> RunAsync(CancellationToken cancellationToken)
    {
        _fetches = new TaskGroup(cancellationToken);
        _fetches.Add(BeginAllAsync(_fetches.Stopping));
        await _fetches.WhenEndedAsync().ConfigureAwait(false);
        foreach (RangeBlock block in _blocks)
        {
            block.Release();
        }

        _lease?.Dispose(); // the memory that the ranges didn't use must not wait for the caller
        _fetches.ThrowIfFailed();
        return _info;
    }

    /// <summary>
    /// Gets or sets a value that indicates whether the caller waits for a buffer. Only then does a wait for memory end with an error if nothing happens that could
    /// free it.
    /// </summary>
    public bool IsAwaited
    {
        get => _isAwaited;
        set => _isAwaited = value;
    }

    /// <summary>Reports that the caller has received the last buffer of a block. Until then, the block counts as one request in progress.</summary>
    public void Left() => _window.Leave();

    public void Dispose()
    {
        _window.Dispose();
        _verifier.Dispose();
        _lease?.Dispose();
        _fetches?.Dispose();
    }

    private async Task BeginAllAsync(CancellationToken cancellationToken)
    {
        RangeBody? first = null;
        if (_request.Hint is { } hint)
        {
            _fetcher.Pin(hint.Length, hint.ETag);
            Place(hint.Length, first: null);
        }

        if (_request.Hint is null || !_request.StartsAtOnce || _blocks.Count == 0)
        {
            await _window.EnterAsync(cancellationToken).ConfigureAwait(false);
            first = await LearnAsync(cancellationToken).ConfigureAwait(false);
            if (first is null)
            {
                _window.Fetched();
                _window.Leave();
            }
            else
            {
                Begin(_blocks[0], _blocks[0].Parts[0], _blocks[0].FirstLease!, first, cancellationToken);
            }
        }

        if (_holdsAll && _lease is null && _blocks.Sum(GetChunks) is > 0 and var chunks && first is null)
        {
            _lease = await LeaseAsync(chunks, cancellationToken).ConfigureAwait(false);
        }

        foreach (RangeBlock block in _blocks)
        {
            foreach (BlockPart part in block.Parts)
            {
                if (first is not null)
                {
                    first = null;
                    continue; // it has begun
                }

                await _window.EnterAsync(cancellationToken).ConfigureAwait(false);
                if (!_holdsAll)
                {
                    block.Lease ??= await LeaseAsync(GetChunks(block), cancellationToken).ConfigureAwait(false);
                }

                Begin(block, part, _lease ?? block.Lease!, null, cancellationToken);
            }
        }
    }

    /// <summary>Sends the first request, which determines what the object is and confirms the conditions of the caller.</summary>
    /// <returns>The response, with the beginning of the first block; null if no request has begun.</returns>
    private async Task<RangeBody?> LearnAsync(CancellationToken cancellationToken)
    {
        (RequestedRange range, PlannedBlock? planned, bool isData) = First();
        ChunkLease lease = await LeaseAsync(_run.Client.Pool.ChunksFor(range.Length ?? 0), cancellationToken).ConfigureAwait(false);
        RangeBody? response = null;
        try
        {
            response = await _fetcher.SendFirstAsync(range, wantChecksum: false, cancellationToken).ConfigureAwait(false);
            _info = response.Info;
            if (_request.Hint is null)
            {
                Place(response.Info.Length, planned ?? (range.IsLast ? new PlannedBlock(response.Offset, response.Length, 0, 0) : null));
            }

            if (isData && _blocks.Count > 0 && TryLeaseRest())
            {
                _blocks[0].FirstLease = lease;
                return response;
            }
        }
        catch
        {
            response?.Dispose();
            lease.Dispose();
            throw;
        }

        // Without the memory of the rest, the request must not hold its own, because another call may do the same.
        response.Dispose();
        lease.Dispose();
        return null;
    }

    /// <summary>Gets the range to request first, and the block that it belongs to if that is planned before the size of the object is known.</summary>
    /// <returns>The range, the block, and whether the response contains the beginning of the first block.</returns>
    private (RequestedRange Range, PlannedBlock? Block, bool IsData) First()
    {
        if (_request.Hint is not null)
        {
            // No range of an empty object can be requested.
            return _blocks.Count == 0 ? default : (new RequestedRange(_blocks[0].Offset, _blocks[0].Parts[0].Length), null, true);
        }

        PlacedRange[] placed = [.. _ranges.Index().Where(one => one.Item.Offset is not null).Select(one => ToPlaced(one.Index, one.Item.Resolve(long.MaxValue)))];
        if (placed.Length > 0)
        {
            PlannedBlock block = _planner.Plan(placed)[0];
            return (new RequestedRange(block.Offset, _planner.GetRequestBytes(block.Length)), block, true);
        }

        // Where the last bytes begin isn't known. If they don't fit into one request, one byte tells the size.
        long last = _ranges.Max(range => range.Length!.Value);
        return last <= _planner.MostBytes ? (RequestedRange.Last(last), null, true) : (new RequestedRange(0, 1), null, false);
    }

    /// <summary>Reserves the memory that must be available before the first block is fetched, apart from that of the first request.</summary>
    private bool TryLeaseRest()
    {
        int chunks = (_holdsAll ? _blocks.Sum(GetChunks) : GetChunks(_blocks[0])) - _run.Client.Pool.ChunksFor(_blocks[0].Parts[0].Length);
        if (chunks == 0)
        {
            return true;
        }

        ChunkLease? rest = _run.Client.Pool.TryLease(MemoryUse.Unfinished, chunks);
        if (_holdsAll)
        {
            _lease = rest;
        }
        else
        {
            _blocks[0].Lease = rest;
        }

        return rest is not null;
    }

    /// <summary>Places the ranges in an object of a known size. Empty ones are complete.</summary>
    private void Place(long total, PlannedBlock? first)
    {
        RangeLayout layout = RangeLayout.Create(_request.Address, _ranges, total, first, _planner, _holdsAll, _run.Client.Pool);
        _blocks = layout.Blocks;
        _run.Reporter.SetTotal(_blocks.Sum(block => block.Length), _blocks.Sum(block => block.Parts.Length));
        foreach (RangeBuffer buffer in layout.EmptyBuffers)
        {
            _deliver(buffer);
        }
    }

    private void Begin(RangeBlock block, BlockPart part, ChunkLease lease, RangeBody? response, CancellationToken cancellationToken)
        => _fetches!.Add(FetchAsync(block, part, lease, response, cancellationToken));

    private async Task FetchAsync(RangeBlock block, BlockPart part, ChunkLease lease, RangeBody? response, CancellationToken cancellationToken)
    {
        // Leave the stack of the loop at once, because it has other requests to send.
        await default(PoolTurn);
        using (PartFetch fetch = _fetcher.Begin(part.Offset, part.Length, lease, part, response))
        {
            ObjectHead head = await fetch.OpenAsync(cancellationToken).ConfigureAwait(false);
            Interlocked.CompareExchange(ref _info, head.Info, null);
            await fetch.ReceiveAsync(cancellationToken).ConfigureAwait(false);
        }

        _window.Fetched();
        bool isComplete = block.CompletePart();
        if (isComplete)
        {
            foreach (RangeBuffer buffer in block.Deliver())
            {
                _deliver(buffer);
            }
        }

        if (!isComplete || _holdsAll)
        {
            _window.Leave(); // otherwise, the caller reports it
        }
    }

    private async ValueTask<ChunkLease> LeaseAsync(int chunks, CancellationToken cancellationToken)
    {
        long since = _run.Reporter.Times.Now;
        try
        {
            while (true)
            {
                try
                {
                    return await _run.Client.Pool.LeaseAsync(MemoryUse.Unfinished, chunks, revolving: false, cancellationToken).ConfigureAwait(false);
                }
                catch (MemoryLimitException) when (!IsAwaited)
                {
                    // The caller still works on the buffers that it has, which can take any time.
                }
            }
        }
        finally
        {
            _run.Reporter.Times.Add(TransferTimeKind.Memory, since);
        }
    }

    private int GetChunks(RangeBlock block) => _run.Client.Pool.ChunksFor(block.Length);

    private static PlacedRange ToPlaced(int index, (long Offset, long Length) place) => new(index, place.Offset, place.Length);
}
