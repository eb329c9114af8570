using Transfer.S3.Buffers;
using Transfer.S3.Wire;

namespace Transfer.S3.Seekable;

/// <content>Compares what was read.</content>
internal sealed partial class SeekableReader
{
    private bool IsVerificationDue => _request.Verify && _verifier!.IsDue;

    /// <summary>Compares the content when all of it was fetched, before a reader gets the last of it.</summary>
    private async ValueTask VerifyIfDueAsync(CancellationToken cancellationToken)
    {
        if (!IsVerificationDue)
        {
            return;
        }

        try
        {
            await _verifier!.CompareAsync(TryPassAll, cancellationToken).ConfigureAwait(false);
        }
        catch (ChecksumMismatchException)
        {
            Cache.Disown(_object!);
            throw;
        }
    }

    /// <summary>Adds a page that was fetched. If it was fetched before and is different now, no other stream gets what is cached.</summary>
    private void AddToSums(long page, ReadOnlyMemory<byte> data)
    {
        try
        {
            if (_request.Verify)
            {
                _verifier!.Add(page, PageBytes, data.Span);
            }
        }
        catch (ChecksumMismatchException)
        {
            Cache.Disown(_object!);
            throw;
        }
    }

    /// <summary>Compares the parts in a range that was fetched.</summary>
    private async Task CompareFetchedAsync(long from, long end)
    {
        if (!_request.Verify)
        {
            return;
        }

        _verifier!.CompareParts(from, end);
        if (_verifier.TryAskForParts())
        {
            await _verifier.AskForPartsAsync(_tasks.Stopping).ConfigureAwait(false);
        }
    }

    /// <summary>Passes all bytes of the object in order, if all pages are there.</summary>
    private bool TryPassAll(Action<ReadOnlyMemory<byte>> pass)
    {
        for (long index = 0; index < PageAfter(Length); index++)
        {
            if (!Cache.TryPin(_object!, index, out Page? page))
            {
                return false;
            }

            pass(page.Chunk!.Filled);
            Cache.Unpin(page, PageUse.Read);
        }

        return true;
    }

    /// <summary>Requests the checksum when the reader probably reads all of the object.</summary>
    private void AskForChecksum()
    {
        if (_request.Verify && _verifier!.TryAsk())
        {
            _tasks.Add(_verifier.AskAsync(_tasks.Stopping));
        }
    }

    private void Note(ObjectHead head)
    {
        Info ??= head.Info;
        if (_verifier is { Sums.Head: null } verifier)
        {
            verifier.Sums.Head = head;
        }
    }
}
