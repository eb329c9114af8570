using System.Net;
using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>Finds out in which parts an object was stored, whatever their lengths: what is made of its parts' checksums can't be compared otherwise.</summary>
/// <param name="context">What the client's transfers share.</param>
/// <param name="address">The object.</param>
/// <param name="info">The object as it was first seen: every answer must be about that state of it.</param>
/// <param name="count">How many parts it has.</param>
/// <param name="reporter">Counts the requests.</param>
internal sealed class PartLayoutFinder(ClientContext context, ObjectAddress address, ObjectInfo info, int count, TransferReporter reporter)
{
    /// <summary>Whether any request may be sent. What is known without one is told in any case.</summary>
    public bool MayAsk { get; init; } = true;

    /// <summary>Whether a HEAD may be among them.</summary>
    public bool MayHead { get; init; } = true;

    /// <summary>Why the store did not list the parts; null if it did, or was not asked.</summary>
    public string? ListFailure { get; private set; }

    /// <summary>Asks for all parts at once, or else for the first one alone.</summary>
    /// <param name="mayList">Whether the store may tell all parts at once: Amazon S3 does so of objects with checksums alone (Amazon S3 API Reference, "GetObjectAttributes").</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <returns>Null where the store does not tell.</returns>
    public async Task<PartLayout?> FindAsync(bool mayList, CancellationToken cancellationToken)
    {
        if (count == 1)
        {
            return new PartLayout([info.Length], IsGuess: false);
        }

        if (!MayAsk || count > Math.Min(TransferDefaults.MaxParts, info.Length))
        {
            return null;
        }

        if (mayList && await ListAsync(cancellationToken).ConfigureAwait(false) is { } listed)
        {
            return listed;
        }

        if (!MayHead || await HeadAsync(1, cancellationToken).ConfigureAwait(false) is not { Offset: 0 } first)
        {
            return null;
        }

        (long whole, long rest) = Math.DivRem(info.Length, first.Length);
        return whole + (rest > 0 ? 1 : 0) == count
            ? new PartLayout([.. Enumerable.Repeat(first.Length, count - 1), info.Length - (first.Length * (count - 1))], IsGuess: true)
            : await MeasureAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Asks for each part.</summary>
    /// <returns>Null where the store does not tell.</returns>
    public async Task<PartLayout?> MeasureAsync(CancellationToken cancellationToken)
    {
        StoredPart?[] parts = new StoredPart?[count];
        bool isUnknown = false;
        ParallelOptions options = new() { MaxDegreeOfParallelism = context.Settings.Concurrency, CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(Enumerable.Range(1, count), options, async (number, stopping) =>
        {
            if (!Volatile.Read(ref isUnknown))
            {
                parts[number - 1] = await HeadAsync(number, stopping).ConfigureAwait(false);
                if (parts[number - 1] is null)
                {
                    Volatile.Write(ref isUnknown, true);
                }
            }
        }).ConfigureAwait(false);
        long end = 0;
        foreach (StoredPart? part in parts)
        {
            if (part is not { } known || known.Offset != end)
            {
                return null;
            }

            end += known.Length;
        }

        return end == info.Length ? new PartLayout([.. parts.Select(part => part!.Value.Length)], IsGuess: false) : null;
    }

    private async Task<PartLayout?> ListAsync(CancellationToken cancellationToken)
    {
        List<long> lengths = [];
        int? after = 0;
        while (after is { } marker && lengths.Count < count)
        {
            if (MayHead && context.Attributes.IsRefusedIn(address.Bucket))
            {
                return null;
            }

            if (context.Attributes.Unsupported is { } unsupported)
            {
                ListFailure = unsupported;
                return null;
            }

            try
            {
                StoredPartPage? page = await context.Scheduler.SendAsync(
                    token => context.Wire.ListStoredPartsAsync(address, info.ETag, marker, token), reporter, cancellationToken).ConfigureAwait(false);
                lengths.AddRange(page?.LengthsBytes ?? []);
                after = page?.Next;
            }
            catch (WireException e)
            {
                // Not every store has the call, and it needs a permission of its own.
                if (!e.MayRetry)
                {
                    context.Attributes.Refused(address.Bucket, e);
                }

                ListFailure = e.Message;
                return null;
            }
        }

        return lengths.Count == count && lengths.Sum() == info.Length ? new PartLayout(lengths, IsGuess: false) : null;
    }

    private async Task<StoredPart?> HeadAsync(int number, CancellationToken cancellationToken)
    {
        try
        {
            StoredPart? part = await context.Scheduler.SendAsync(
                token => context.Wire.HeadPartAsync(address, number, info.ETag, token), reporter, cancellationToken).ConfigureAwait(false);
            return part is { } known && known.Total == info.Length && (known.Count ?? count) == count ? part : null;
        }
        catch (WireException e) when (e.Kind == FailureKind.PreconditionFailed || e.StatusCode == HttpStatusCode.NotFound)
        {
            throw new ObjectChangedException($"{address} was replaced or deleted while the lengths of its parts were requested.", address, e);
        }
        catch (WireException e) when (!e.MayRetry)
        {
            return null; // the store does not know parts of finished objects
        }
        catch (WireException e)
        {
            throw new TransferException($"{address}: could not read the headers of part {number}: {e.Message}{e.AttemptsText}", address, e) { PartNumber = number };
        }
    }
}
