using System.Net;
using Transfer.S3.Buffers;
using Transfer.S3.Download;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Ranges;

/// <content>Sends the first request, which tells what the object is.</content>
internal sealed partial class SeekableReader
{
    /// <summary>Sends the first request, unless another call has done so.</summary>
    private async Task<int> OpenAsync(long offset, long count, bool atEnd, bool isPrefetch, CancellationToken cancellationToken)
    {
        await _opening.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (Length < 0)
            {
                await SendFirstAsync(offset, count, atEnd, isPrefetch, cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            _opening.Release();
        }

        return 0;
    }

    private async Task SendFirstAsync(long offset, long count, bool atEnd, bool isPrefetch, CancellationToken cancellationToken)
    {
        if (offset >= Sizes.MaxObject)
        {
            // No object is so large, and the sums below could overflow.
            Opened(await _fetcher.ProbeAsync(cancellationToken).ConfigureAwait(false));
            return;
        }

        long from = offset / PageBytes * PageBytes;
        int pages = (int)Math.Min(Cache.Capacity / 2, (offset - from + Math.Min(count, Sizes.MaxObject) + PageBytes - 1) / PageBytes);
        ChunkLease? lease = Cache.TryLease(Math.Max(1, pages), isNeeded: true);
        if (lease is null)
        {
            Opened(await _fetcher.ProbeAsync(cancellationToken).ConfigureAwait(false));
            return;
        }

        long length = (long)lease.Chunks * PageBytes;
        RangeBody response;
        try
        {
            response = await _fetcher.SendFirstAsync(atEnd ? RequestedRange.Last(length) : new RequestedRange(from, length), _request.Verify, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when ((e.StatusCode == HttpStatusCode.RequestedRangeNotSatisfiable && from > 0) || (atEnd && Failures.IsRangeIgnored(e)))
        {
            // The object ends before this offset, so that the read is empty. Or the store doesn't support ranges of the last bytes.
            lease.Dispose();
            Opened(await _fetcher.ProbeAsync(cancellationToken).ConfigureAwait(false));
            return;
        }
        catch
        {
            lease.Dispose();
            throw;
        }

        Opened(response.Head);
        Receive(response, lease, isPrefetch);
    }

    /// <summary>Fetches the pages that begin in the first response. The memory is sufficient unless the store ignored the range.</summary>
    private void Receive(RangeBody response, ChunkLease lease, bool isPrefetch)
    {
        long first = (response.Offset + PageBytes - 1) / PageBytes;
        long pages = PageAfter(response.Offset + response.Length) - first;
        if (pages <= 0 || pages > lease.Chunks)
        {
            lease.Dispose();
            response.Dispose();
            return;
        }

        response.Overlap = (first * PageBytes) - response.Offset;
        _ahead!.Receive(first, (int)pages, lease, response, isPrefetch);
    }

    private void Opened(ObjectHead head)
    {
        if (Length < 0)
        {
            Enter(head.Info.Length, head.Info.ETag);
        }

        Note(head);
    }

    private void Enter(long length, string? etag)
    {
        ObjectAddress address = _request.Address;
        bool canShare = !string.IsNullOrEmpty(etag) && !etag.StartsWith("W/", StringComparison.Ordinal); // equal weak ETags don't mean equal bytes (RFC 9110, section 8.8.1)
        CachedObject item = Cache.Enter(canShare ? (address, length, etag) : new object(), _retention, () => new ContentSums(length, PageBytes));
        FirstResponse answer = length <= _request.PartSizeBytes ? FirstResponse.All : FirstResponse.Part;
        _verifier = new ReadVerifier(_run, _request.Verification, answer, (ContentSums)item.Shared!, length);
        _ahead = new ReadAhead(_run, item, length, _window, _request.PartSizeBytes, _tasks, _maxAheadBytes) { FetchAsync = FetchAsync, Sum = _sum, ReadsToEnd = AskForChecksum };
        Volatile.Write(ref _object, item);
        Volatile.Write(ref _length, length);
    }
}
