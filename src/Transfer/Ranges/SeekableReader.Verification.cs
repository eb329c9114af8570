using System.Diagnostics.CodeAnalysis;
using Transfer.S3.Buffers;
using Transfer.S3.Wire;

namespace Transfer.S3.Ranges;

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

    /// <summary>
    /// Adds a page to the checksums, and compares the part that it completes, before any reader gets the page. If the page is damaged, no other stream gets what is
    /// cached.
    /// </summary>
    private void Sum(long page, ReadOnlyMemory<byte> data)
    {
        try
        {
            if (_verifier!.Add(page, PageBytes, data.Span) && _verifier.TryAskForParts())
            {
                _tasks.Add(AskForPartsAsync());
            }
        }
        catch (ChecksumMismatchException)
        {
            Cache.Disown(_object!);
            throw;
        }
    }

    /// <summary>Returns whether this reader can use a page that is there. A reader that doesn't verify leaves pages that nobody has added to the checksums.</summary>
    private bool CanUse(Page page) => _sum is null || page.IsSummed;

    /// <summary>Pins a page whose data is there, and adds it to the checksums if necessary.</summary>
    private bool TryPin(long index, [NotNullWhen(true)] out Page? page)
    {
        if (!Cache.TryPin(_object!, index, out page))
        {
            return false;
        }

        MakeUsable(page);
        return true;
    }

    /// <summary>Adds a pinned page to the checksums if necessary.</summary>
    private void MakeUsable(Page page)
    {
        if (CanUse(page))
        {
            return;
        }

        try
        {
            Sum(page.Index, page.Chunk!.Filled);
            page.IsSummed = true;
        }
        catch
        {
            Cache.Unpin(page, PageUse.None);
            throw;
        }
    }

    private async Task AskForPartsAsync()
    {
        await _verifier!.AskForPartsAsync(_tasks.Stopping).ConfigureAwait(false);
        if (_verifier.Sums.Mismatch is not null)
        {
            Cache.Disown(_object!);
        }
    }

    /// <summary>Passes all bytes of the object in order, if all pages are there.</summary>
    private bool TryPassAll(Action<ReadOnlyMemory<byte>> pass)
    {
        for (long index = 0; index < PageAfter(Length); index++)
        {
            if (!TryPin(index, out Page? page))
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
