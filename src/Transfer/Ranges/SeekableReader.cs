using System.Runtime.ExceptionServices;
using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Download;
using Transfer.S3.Requests;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Ranges;

/// <summary>Reads one object at any position, through the pages of the client's cache.</summary>
/// <remarks>
/// The first request tells what the object is, and every later one is pinned to that state. A read copies from the pages that are there, waits for those that are
/// being fetched, and a <see cref="ReadAhead"/> begins to fetch the others. If there is no memory for pages, a read
/// uses the floor of the stream. Any number of reads can run at the same time.
/// </remarks>
internal sealed partial class SeekableReader : IAsyncDisposable
{
    /// <summary>The size of a buffer for reads from the floor, which aren't frequent.</summary>
    private const int SmallBytes = 16 * 1024;

    private readonly TransferRun _run;
    private readonly DownloadRequest _request;
    private readonly PartFetcher _fetcher;
    private readonly PartWindow _window;
    private readonly ContentVerifier _noVerifier;
    private readonly Action<long, ReadOnlyMemory<byte>>? _sum;
    private readonly FloorReader _floor;
    private readonly TimeSpan _retention;
    private readonly long _maxAheadBytes;
    private readonly TaskGroup _tasks;
    private readonly SemaphoreSlim _opening = new(1);
    private CachedObject? _object;
    private ReadAhead? _ahead;
    private ReadVerifier? _verifier;
    private long _length = -1;
    private long _returned;

    /// <param name="run">The transfer.</param>
    /// <param name="request">The object to read.</param>
    /// <param name="floor">The memory of the stream. This object owns it.</param>
    /// <param name="options">The options that only seekable streams have.</param>
    public SeekableReader(TransferRun run, DownloadRequest request, ChunkLease floor, SeekableReadOptions options)
    {
        _run = run;
        _request = request;
        _retention = options.CacheRetention;
        _maxAheadBytes = options.MaxReadAheadBytes ?? AccessPattern.Unlimited;
        _noVerifier = new ContentVerifier(request.Address, enabled: false); // ranges are compared by page
        _fetcher = new PartFetcher(run, request.Address, request.Condition, _noVerifier);
        _window = run.NewWindow(request.MaxConcurrency, request.IsConcurrencyGiven, run.Client.Pool.Budget.GetLimit(MemoryUse.Cache), request.PartSizeBytes);
        _sum = request.Verify ? Sum : null;
        _floor = new FloorReader(floor, FetchForFloorAsync, _sum);
        _tasks = new TaskGroup(run.Client.Stopping);
        if (request.IsConcurrencyGiven)
        {
            // Any number of reads can run at the same time, and each sends its own requests.
            run.Client.Queue.Change(run.Reporter.Flow, run.Reporter.Flow.Weight, request.MaxConcurrency);
        }

        if (request.Hint is { } hint)
        {
            string? etag = hint.ETag is { } tag ? ETags.Quoted(tag) : null;
            _fetcher.Pin(hint.Length, hint.ETag);
            Enter(hint.Length, etag);
        }
    }

    /// <summary>Gets the properties of the object; null until the first response has arrived.</summary>
    public ObjectInfo? Info { get; private set; }

    /// <summary>Gets the length of the object; -1 if it isn't known yet.</summary>
    public long Length => Volatile.Read(ref _length);

    /// <summary>Gets how much of what was read was verified.</summary>
    public ReadVerdict Verdict => !_request.Verify ? ReadVerifier.TurnedOff(Volatile.Read(ref _returned)) : _verifier?.Verdict ?? ReadVerifier.NothingRead;

    private PageCache Cache => _run.Client.Pages;

    private int PageBytes => Cache.PageBytes;

    /// <summary>Gets the number of bytes that the first request reads beyond what was asked for.</summary>
    private long FreeBytes => Math.Min(ReadAhead.GetFreeBytes(_run.Client), _maxAheadBytes);

    /// <summary>Requests the first or the last bytes of the object, if its length isn't known yet.</summary>
    public async ValueTask OpenAsync(bool atEnd, CancellationToken cancellationToken)
    {
        if (Length >= 0)
        {
            return;
        }

        using Call call = Enter(cancellationToken);
        await call.RunAsync(token => OpenAsync(0, FreeBytes, atEnd, isPrefetch: false, token)).ConfigureAwait(false);
    }

    /// <summary>Fetches ranges before they are read, as far as memory allows.</summary>
    /// <param name="ranges">The ranges, at least one.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task PrefetchAsync(ObjectRange[] ranges, CancellationToken cancellationToken)
    {
        using Call call = Enter(cancellationToken);
        await call.RunAsync(async token =>
        {
            if (Length < 0)
            {
                await OpenAsync(ranges[0].Offset ?? 0, ranges[0].Length ?? FreeBytes, atEnd: ranges[0].Offset is null, isPrefetch: true, token).ConfigureAwait(false);
            }

            PlacedRange[] placed = [.. ranges.Select((range, i) => Place(range, i)).Where(static range => range.Length > 0)];
            await _ahead!.PrefetchAsync(placed, _maxAheadBytes, token).ConfigureAwait(false);
            return 0;
        }).ConfigureAwait(false);

        PlacedRange Place(ObjectRange range, int index)
        {
            (long offset, long length) = range.Resolve(Length);
            return new PlacedRange(index, offset, length);
        }
    }

    /// <summary>Reads bytes until the buffer is full or the object ends.</summary>
    /// <param name="offset">The offset of the first byte.</param>
    /// <param name="buffer">The buffer.</param>
    /// <param name="isPositional">Whether the read is independent of the others.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, bool isPositional, CancellationToken cancellationToken)
    {
        if (buffer.IsEmpty || (Length >= 0 && offset >= Length))
        {
            return ValueTask.FromResult(0);
        }

        // A read of what is there doesn't need a task.
        return TryReadNow(offset, buffer.Span, isPositional) ? ValueTask.FromResult((int)Math.Min(buffer.Length, Length - offset)) : ReadSlowAsync(offset, buffer, isPositional, cancellationToken);
    }

    /// <summary>Reads bytes until the buffer is full or the object ends, and blocks the thread while they aren't there.</summary>
    public int Read(long offset, Span<byte> buffer, bool isPositional)
    {
        if (buffer.IsEmpty)
        {
            return 0;
        }

        if (TryReadNow(offset, buffer, isPositional))
        {
            return (int)Math.Min(buffer.Length, Length - offset);
        }

        using Call call = Enter(CancellationToken.None);
        int length = buffer.Length;
        long end = call.Run(token => BeginReadAsync(offset, length, isPositional, token));
        int copied = 0;
        byte[]? small = null;
        while (offset + copied < end)
        {
            long at = offset + copied;
            Span<byte> rest = buffer[copied..(int)(end - offset)];
            if (call.Run(token => WaitForPageAsync(at, end, isPositional, token).AsTask()) is { } page)
            {
                copied += Copy(page, at, rest);
                Cache.Unpin(page, PageUse.Read);
                continue;
            }

            // A span can't be kept while the thread waits.
            small ??= new byte[Math.Min(rest.Length, SmallBytes)];
            int count = call.Run(token => _floor.ReadAsync(at, Length, small.AsMemory(0, (int)Math.Min(small.Length, end - at)), token).AsTask());
            small.AsSpan(0, count).CopyTo(rest);
            copied += count;
        }

        if (IsVerificationDue)
        {
            call.Run(async token =>
            {
                await VerifyIfDueAsync(token).ConfigureAwait(false);
                return 0;
            });
        }

        CountReturned(copied);
        return copied;
    }

    /// <summary>Cancels all requests, and waits until they and the reads have ended.</summary>
    public async ValueTask DisposeAsync()
    {
        await _tasks.StopAsync().ConfigureAwait(false);
        _ahead?.Cancel();
        await _tasks.WhenEndedAsync().ConfigureAwait(false);
        if (_object is { } item)
        {
            _ahead!.Forget();
            Cache.Leave(item);
        }

        _floor.Dispose();
        _window.Dispose();
        _noVerifier.Dispose();
        _verifier?.Dispose();
        _opening.Dispose();
        _tasks.Dispose();
    }

    /// <summary>Reads bytes that are all there.</summary>
    /// <returns>Whether they were. The number of bytes is limited only by the buffer and the end of the object.</returns>
    public bool TryReadNow(long offset, Span<byte> buffer, bool isPositional)
    {
        if (_object is null || offset >= Length || IsVerificationDue || !_tasks.TryEnter())
        {
            return false;
        }

        try
        {
            long end = offset + Math.Min(buffer.Length, Length - offset);
            for (long at = offset; at < end;)
            {
                if (!Cache.TryPin(_object, at / PageBytes, out Page? page))
                {
                    return false;
                }

                if (!CanUse(page))
                {
                    Cache.Unpin(page, PageUse.None);
                    return false;
                }

                at += Copy(page, at, buffer[(int)(at - offset)..(int)(end - offset)]);
                Cache.Unpin(page, PageUse.Read);
            }

            if (IsVerificationDue)
            {
                return false; // the last page has arrived meanwhile, and isn't compared yet
            }

            CountReturned(end - offset);
            _ahead!.Plan(offset, end - offset, isThere: true, isPositional);
            return true;
        }
        finally
        {
            _tasks.Leave();
        }
    }

    private async ValueTask<int> ReadSlowAsync(long offset, Memory<byte> buffer, bool isPositional, CancellationToken cancellationToken)
    {
        using Call call = Enter(cancellationToken);
        return await call.RunAsync(async token =>
        {
            long end = await BeginReadAsync(offset, buffer.Length, isPositional, token).ConfigureAwait(false);
            int copied = 0;
            while (offset + copied < end)
            {
                long at = offset + copied;
                Memory<byte> rest = buffer[copied..(int)(end - offset)];
                if (await WaitForPageAsync(at, end, isPositional, token).ConfigureAwait(false) is { } page)
                {
                    copied += Copy(page, at, rest.Span);
                    Cache.Unpin(page, PageUse.Read);
                }
                else
                {
                    copied += await _floor.ReadAsync(at, Length, rest, token).ConfigureAwait(false);
                }
            }

            await VerifyIfDueAsync(token).ConfigureAwait(false);
            CountReturned(copied);
            return copied;
        }).ConfigureAwait(false);
    }

    /// <summary>Begins to fetch what a read needs, and what comes with it.</summary>
    /// <returns>The offset after the last byte of the read; <paramref name="offset"/> if it is at or beyond the end of the object.</returns>
    private async Task<long> BeginReadAsync(long offset, int count, bool isPositional, CancellationToken cancellationToken)
    {
        if (Length < 0)
        {
            await OpenAsync(offset, Math.Max(count, Math.Min(count + _maxAheadBytes, ReadAhead.GetFreeBytes(_run.Client))), atEnd: false, isPrefetch: false, cancellationToken).ConfigureAwait(false);
        }

        long end = offset < Length ? offset + Math.Min(count, Length - offset) : offset;
        if (offset < end)
        {
            _ahead!.Plan(offset, end - offset, Cache.FindMissing(_object!, offset / PageBytes, (offset / PageBytes) + 1).Count == 0, isPositional);
        }

        return end;
    }

    /// <summary>Waits until the page of an offset is there, and pins it.</summary>
    /// <param name="at">The offset.</param>
    /// <param name="end">The offset after the last byte that the caller needs.</param>
    /// <param name="isPositional">Whether the read is independent of the others.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <param name="pages">The number of pages to wait for, if one request fetches them and the first one isn't there yet.</param>
    /// <returns>The page; null if there is no memory for it.</returns>
    private async ValueTask<Page?> WaitForPageAsync(long at, long end, bool isPositional, CancellationToken cancellationToken, int pages = 1)
    {
        CachedObject item = _object!;
        long index = at / PageBytes;
        while (true)
        {
            if (TryPin(index, out Page? page))
            {
                return page;
            }

            _ahead!.FetchNow(index, end, isPositional);
            if (!Cache.TryAwait(item, index, out page, out Task changed, out object? filler))
            {
                return null;
            }

            if (pages > 1 && filler is PageFill { End: var fillEnd } && Math.Min(index + pages, fillEnd) - 1 is var last && last > index)
            {
                Cache.Unpin(page, PageUse.None);
                if (!Cache.TryAwait(item, last, out page, out changed, out filler))
                {
                    continue;
                }
            }

            try
            {
                await changed.WaitAsync(cancellationToken).ConfigureAwait(false);
            }
            catch
            {
                Cache.Unpin(page, PageUse.None);
                throw;
            }

            if (page.Chunk is not null && page.Index == index)
            {
                MakeUsable(page);
                return page;
            }

            Cache.Unpin(page, PageUse.None);
            if (filler is PageFill { Error: { } error } fill && fill.Reader == _ahead && error is not OperationCanceledException)
            {
                ExceptionDispatchInfo.Throw(error);
            }
        }
    }

    private void CountReturned(long bytes)
    {
        if (_sum is null)
        {
            Interlocked.Add(ref _returned, bytes); // the checksums don't tell what was read
        }
    }

    private int Copy(Page page, long at, Span<byte> buffer)
    {
        ReadOnlySpan<byte> data = page.Chunk!.Filled.Span[(int)(at % PageBytes)..];
        data = data[..Math.Min(data.Length, buffer.Length)];
        data.CopyTo(buffer);
        return data.Length;
    }

    private Task FetchForFloorAsync(long offset, long length, ChunkLease lease, IPartWriter writer, CancellationToken cancellationToken)
        => FetchAsync(offset, length, lease, writer, null, cancellationToken);

    private async Task FetchAsync(long offset, long length, ChunkLease lease, IPartWriter writer, RangeBody? response, CancellationToken cancellationToken)
    {
        using PartFetch part = _fetcher.Begin(offset, length, lease, writer, response);
        Note(await part.OpenAsync(cancellationToken).ConfigureAwait(false));
        await part.ReceiveAsync(cancellationToken).ConfigureAwait(false);
    }

    private long PageAfter(long offset) => (Math.Min(offset, Length) + PageBytes - 1) / PageBytes;
}
