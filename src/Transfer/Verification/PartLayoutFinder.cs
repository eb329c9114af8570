using System.Net;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Verification;

/// <summary>
/// Determines the parts in which an object was stored, whatever their lengths are. A composite checksum can't be compared without them.
/// </summary>
/// <param name="run">The transfer.</param>
/// <param name="address">The object.</param>
/// <param name="info">The properties of the object from the first response. Every response must be about that state.</param>
/// <param name="count">The number of parts.</param>
internal sealed class PartLayoutFinder(TransferRun run, ObjectAddress address, ObjectInfo info, int count)
{
    /// <summary>Gets a value that indicates whether requests may be sent. If not, only a layout that is known without a request is returned.</summary>
    public bool MayAsk { get; init; } = true;

    /// <summary>Gets a value that indicates whether HEAD requests may be sent.</summary>
    public bool MayHead { get; init; } = true;

    /// <summary>Gets the reason why the store did not list the parts; null if it did, or was not asked.</summary>
    public string? ListFailure { get; private set; }

    /// <summary>Requests all parts at once, or else only the first one.</summary>
    /// <param name="mayList">
    /// Whether the store may list all parts. Amazon S3 does so only for objects with checksums (Amazon S3 API Reference, "GetObjectAttributes").
    /// </param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The parts; null if the store doesn't return them.</returns>
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

    /// <summary>Requests the length of each part.</summary>
    /// <returns>The parts; null if the store doesn't return them.</returns>
    public async Task<PartLayout?> MeasureAsync(CancellationToken cancellationToken)
    {
        StoredPart?[] parts = new StoredPart?[count];
        bool isUnknown = false;
        ParallelOptions options = new() { MaxDegreeOfParallelism = run.Client.Settings.MaxConcurrency, CancellationToken = cancellationToken };
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

        return end == info.Length ? new PartLayout([.. parts.Select(part => part!.Length)], IsGuess: false) : null;
    }

    private async Task<PartLayout?> ListAsync(CancellationToken cancellationToken)
    {
        if (MayHead && run.Client.Profile.RefusesAttributes(address.Bucket))
        {
            return null;
        }

        if (run.Client.Profile.NoAttributes is { } unsupported)
        {
            ListFailure = unsupported;
            return null;
        }

        List<long> lengths = [];
        try
        {
            await foreach (Page<ListedPart> page in Pages.ReadAsync<ListedPart>(
                (after, stopping) => run.SendAsync(token => run.Client.Wire.ListStoredPartsAsync(address, info.ETag, after, token), stopping),
                cancellationToken).ConfigureAwait(false))
            {
                lengths.AddRange(page.Items.Select(static part => part.Length));
                if (lengths.Count >= count)
                {
                    break;
                }
            }
        }
        catch (WireException e)
        {
            // Not every store supports the call, and it requires a separate permission.
            if (!e.MayRetry)
            {
                run.Client.Profile.LearnAttributes(address.Bucket, e);
            }

            ListFailure = e.Message;
            return null;
        }

        return lengths.Count == count && lengths.Sum() == info.Length && lengths.TrueForAll(static length => length > 0) ? new PartLayout(lengths, IsGuess: false) : null;
    }

    private async Task<StoredPart?> HeadAsync(int number, CancellationToken cancellationToken)
    {
        try
        {
            StoredPart? part = await run.SendAsync(token => run.Client.Wire.HeadPartAsync(address, number, info.ETag, token), cancellationToken).ConfigureAwait(false);
            return part is { } known && known.Total == info.Length && (known.Count ?? count) == count ? part : null;
        }
        catch (WireException e) when (e.Kind == FailureKind.PreconditionFailed || e.StatusCode == HttpStatusCode.NotFound)
        {
            throw new TransferException($"{address} was replaced or deleted while the lengths of its parts were requested.", address, e) { Error = TransferError.ObjectChanged };
        }
        catch (WireException e) when (!e.MayRetry)
        {
            return null; // the store doesn't keep the parts of completed objects
        }
        catch (WireException e)
        {
            throw new TransferException($"{address}: could not read the headers of part {number}: {e.Message}{e.AttemptsText}", address, e) { PartNumber = number };
        }
    }
}
