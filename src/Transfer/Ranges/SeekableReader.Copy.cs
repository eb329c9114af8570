using Transfer.S3.Buffers;

namespace Transfer.S3.Ranges;

/// <content>Copies the rest of the object.</content>
internal sealed partial class SeekableReader
{
    /// <summary>The number of pages that a copy waits for at once, so that a fast link wakes it less often.</summary>
    private const int PagesPerWake = 4;

    /// <summary>Passes all bytes from an offset to the end of the object to a stream, in order.</summary>
    /// <param name="offset">The offset of the first byte.</param>
    /// <param name="destination">The stream to write to.</param>
    /// <param name="copied">Called with the number of bytes after each write.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task CopyToAsync(long offset, Stream destination, Action<int> copied, CancellationToken cancellationToken)
    {
        using Call call = Enter(cancellationToken);
        await call.RunAsync(async token =>
        {
            if (Length < 0)
            {
                await OpenAsync(offset, ReadAhead.GetFreeBytes(_run.Client), atEnd: false, isPrefetch: false, token).ConfigureAwait(false);
            }

            if (offset >= Length)
            {
                await VerifyIfDueAsync(token).ConfigureAwait(false); // an empty object has a checksum too
                return 0;
            }

            _ahead!.PlanToEnd(offset);
            bool keeps = _retention > TimeSpan.Zero || PageAfter(Length) <= Cache.Capacity;
            long first = offset / PageBytes;
            byte[]? small = null;
            while (offset < Length)
            {
                int count;
                if (await WaitForPageAsync(offset, offset + 1, isPositional: false, token, PagesPerWake).ConfigureAwait(false) is { } page)
                {
                    try
                    {
                        await VerifyIfDueAsync(token).ConfigureAwait(false);
                        ReadOnlyMemory<byte> data = page.Chunk!.Filled[(int)(offset % PageBytes)..];
                        count = data.Length;
                        await destination.WriteAsync(data, token).ConfigureAwait(false);
                    }
                    finally
                    {
                        Cache.Unpin(page, keeps ? PageUse.Read : PageUse.Last);
                    }
                }
                else
                {
                    small ??= new byte[SmallBytes];
                    count = await _floor.ReadAsync(offset, Length, small, token).ConfigureAwait(false);
                    await VerifyIfDueAsync(token).ConfigureAwait(false);
                    await destination.WriteAsync(small.AsMemory(0, count), token).ConfigureAwait(false);
                }

                offset += count;
                CountReturned(count);
                copied(count);
                _ahead!.MoveTo(offset);
            }

            if (!keeps)
            {
                // A copy leaves no memory behind when it returns.
                await _ahead!.EndAheadAsync(token).ConfigureAwait(false);
                await _floor.ClearAsync(token).ConfigureAwait(false);
                Cache.Release(_object!, first, PageAfter(Length));
            }

            return 0;
        }).ConfigureAwait(false);
    }
}
