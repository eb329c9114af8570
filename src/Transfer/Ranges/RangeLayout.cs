using Transfer.S3.Buffers;
using Transfer.S3.Download;
using Transfer.S3.Wire;

namespace Transfer.S3.Ranges;

/// <summary>The blocks of the requested ranges in an object of a known size.</summary>
/// <param name="Blocks">The blocks, in the order of their offsets, after the one whose beginning was already requested.</param>
/// <param name="EmptyBuffers">The buffers of empty ranges, which need no request.</param>
internal sealed record RangeLayout(IReadOnlyList<RangeBlock> Blocks, IReadOnlyList<RangeBuffer> EmptyBuffers)
{
    /// <summary>Gets the memory that ranges can have at the same time. This much always becomes available when other callers release what they hold.</summary>
    public static long GetLimit(MemoryBudget budget) => budget.CapacityBytes / 2;

    /// <param name="address">The object.</param>
    /// <param name="ranges">The ranges of the caller.</param>
    /// <param name="total">The size of the object.</param>
    /// <param name="first">The block whose beginning was already requested, if any. It can extend beyond the end of the object.</param>
    /// <param name="planner">Groups the ranges.</param>
    /// <param name="holdsAll">Whether all ranges are in memory at the same time; otherwise, each block is released before the next one needs memory.</param>
    /// <param name="pool">The memory.</param>
    /// <exception cref="TransferException">A range begins at or after the end of the object.</exception>
    /// <exception cref="MemoryLimitException">The ranges don't fit into memory.</exception>
    public static RangeLayout Create(
        ObjectAddress address, ObjectRange[] ranges, long total, PlannedBlock? first, RangePlanner planner, bool holdsAll, ChunkPool pool)
    {
        RangeBuffer[] buffers = new RangeBuffer[ranges.Length];
        List<RangeBuffer> empty = [];
        List<PlacedRange> inFirst = [];
        List<PlacedRange> others = [];
        PlannedBlock? start = first is { } begun ? begun with { Length = Math.Min(total - begun.Offset, begun.Length) } : null;
        for (int i = 0; i < buffers.Length; i++)
        {
            (long offset, long length) = ranges[i].Resolve(total);
            if (offset > 0 && length <= 0)
            {
                throw Failures.PastTheEnd(address, offset, total);
            }

            buffers[i] = new RangeBuffer(i, offset, Math.Max(0, length));
            if (length <= 0)
            {
                empty.Add(buffers[i]);
                continue;
            }

            bool isInFirst = start is { } block && offset >= block.Offset && offset + length <= block.Offset + block.Length;
            (isInFirst ? inFirst : others).Add(new PlacedRange(i, offset, length));
        }

        start = inFirst.Count > 0 ? start : null;
        PlacedRange[] rest = [.. others];
        long most = GetLimit(pool.Budget) / pool.ChunkSize;
        List<PlannedBlock> planned = planner.Plan(rest);
        if (holdsAll && GetChunks(planned, start, pool) > most)
        {
            planned = new RangePlanner(0, planner.MostBytes, planner.MostBytes, pool.ChunkSize).Plan(rest); // the gaps need memory too
        }

        CheckFits(planned, start, ranges.Length, holdsAll, most, pool);
        List<RangeBlock> blocks = new(planned.Count + 1);
        if (start is { } known)
        {
            // The requests keep the size that the first one had when the size of the object wasn't known.
            blocks.Add(GetBlock(known, planner.GetRequestBytes(first!.Value.Length), [.. inFirst.OrderBy(range => range.Offset)], buffers));
        }

        foreach (PlannedBlock block in planned)
        {
            blocks.Add(GetBlock(block, planner.GetRequestBytes(block.Length), rest.AsSpan(block.First, block.Count), buffers));
        }

        return new RangeLayout(blocks, empty);
    }

    private static RangeBlock GetBlock(PlannedBlock block, long requestBytes, ReadOnlySpan<PlacedRange> ranges, RangeBuffer[] buffers)
    {
        RangeBuffer[] own = new RangeBuffer[ranges.Length];
        for (int i = 0; i < own.Length; i++)
        {
            own[i] = buffers[ranges[i].Index];
        }

        return new RangeBlock(block.Offset, block.Length, requestBytes, own);
    }

    private static void CheckFits(List<PlannedBlock> planned, PlannedBlock? start, int ranges, bool holdsAll, long most, ChunkPool pool)
    {
        if (holdsAll)
        {
            if (GetChunks(planned, start, pool) is var chunks && chunks > most)
            {
                throw TooLarge(
                    $"The {ranges} ranges need {Text(chunks, pool)} of memory at the same time", $"Read fewer ranges at once, use {nameof(ITransferClient.EnumerateRangesAsync)}", pool);
            }

            return;
        }

        foreach (PlannedBlock block in start is { } first ? planned.Prepend(first) : planned)
        {
            if (GetChunks(block, pool) is var chunks && chunks > most)
            {
                throw TooLarge($"The range at byte {block.Offset} needs {Text(chunks, pool)} of memory", $"Read smaller ranges, use {nameof(ITransferClient.OpenReadAsync)}", pool);
            }
        }
    }

    private static MemoryLimitException TooLarge(string what, string remedy, ChunkPool pool)
    {
        const string Option = $"{nameof(TransferClientOptions)}.{nameof(TransferClientOptions.MemoryBytes)}";
        return new MemoryLimitException(
            $"{what}, but ranges can have at most {ByteSize.Format(GetLimit(pool.Budget))}, half of {Option} ({ByteSize.Format(pool.Budget.CapacityBytes)}). {remedy}, or increase {Option}.");
    }

    private static string Text(long chunks, ChunkPool pool) => ByteSize.Format(Math.Min(chunks, long.MaxValue / pool.ChunkSize) * pool.ChunkSize);

    private static long GetChunks(PlannedBlock block, ChunkPool pool) => 1 + ((block.Length - 1) / pool.ChunkSize);

    /// <summary>Gets the number of chunks of all blocks. The sum is limited, because a hint can contain any size.</summary>
    private static long GetChunks(List<PlannedBlock> planned, PlannedBlock? start, ChunkPool pool)
    {
        long sum = start is { } first ? GetChunks(first, pool) : 0;
        foreach (PlannedBlock block in planned)
        {
            sum = Math.Min(sum + GetChunks(block, pool), long.MaxValue / 2);
        }

        return sum;
    }
}
