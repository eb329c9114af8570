using Transfer.Scheduling;

namespace Transfer.Upload;

/// <summary>How an object is cut into parts.</summary>
/// <param name="PartSizeBytes">Bytes of a part to begin with.</param>
/// <param name="TotalParts">Parts in all; null where the length is not known.</param>
/// <param name="LargestPartBytes">Bytes that a part may grow to; the same as <paramref name="PartSizeBytes"/> where parts must be equal.</param>
/// <param name="PartsOfOneSize">After so many parts the size doubles, where parts grow.</param>
internal readonly record struct UploadPlan(long PartSizeBytes, int? TotalParts, long LargestPartBytes, int PartsOfOneSize)
{
    /// <summary>The number of the last part that follows the usual growth; 0 if all parts do.</summary>
    public int LastUsualPart { get; private init; }

    /// <summary>The size of the parts after <see cref="LastUsualPart"/>.</summary>
    public long LateBytes { get; private init; }

    /// <summary>
    /// The plan for a known length: the part size that was asked for, or the smallest whole MiB with which <paramref name="maxParts"/> parts hold the object.
    /// </summary>
    public static UploadPlan ForLength(long length, long partSizeBytes, int maxParts)
    {
        long needed = DivideUp(length, maxParts);
        long size = needed <= partSizeBytes ? partSizeBytes : DivideUp(needed, Sizes.MiB) * Sizes.MiB;
        return new UploadPlan(size, (int)Math.Max(1, DivideUp(length, size)), size, maxParts);
    }

    /// <summary>
    /// The plan for a length that nobody knows yet. Parts grow so that <paramref name="maxParts"/> of them reach 50 TB, S3's largest object, or where memory
    /// does not hold S3's largest parts, three quarters of what as many of the largest that it holds would reach; and they grow as late as that allows, because
    /// large parts cost memory.
    /// </summary>
    /// <param name="partSizeBytes">Bytes of the first parts.</param>
    /// <param name="largestPartBytes">What a part may grow to, because of memory or S3's limit.</param>
    /// <param name="maxParts">Parts that there can be.</param>
    public static UploadPlan ForUnknownLength(long partSizeBytes, long largestPartBytes, int maxParts)
    {
        long largest = Math.Max(partSizeBytes, largestPartBytes);
        long goal = Math.Min(LargestObjectBytes, (largest < TransferDefaults.MaxPartSizeBytes ? largest / 4 * 3 : largest) * maxParts);

        // The more parts of one size, the less they reach in all: the most that still reach the goal.
        int least = 1;
        int most = maxParts;
        while (least < most)
        {
            int middle = least + ((most - least + 1) / 2);
            if (new UploadPlan(partSizeBytes, null, largest, middle).Reach(maxParts) >= goal)
            {
                least = middle;
            }
            else
            {
                most = middle - 1;
            }
        }

        return new UploadPlan(partSizeBytes, null, largest, least);
    }

    /// <summary>
    /// Returns the same plan with larger parts in its second half. Memory holds few of them at once, so they come late: a very large object is uploaded more slowly instead
    /// of failing.
    /// </summary>
    public UploadPlan WithLateParts(long bytes, int maxParts)
        => this with { LastUsualPart = maxParts / 2, LateBytes = Math.Max(bytes, SizeOf(Math.Max(1, maxParts / 2))) };

    /// <summary>What S3 announced as its largest object in December 2025; a few parts are left of the 48.8 TiB that 10,000 parts of 5 GiB could be.</summary>
    public const long LargestObjectBytes = 50_000_000_000_000;

    /// <summary>Bytes of a part by its number, from 1.</summary>
    public long SizeOf(int partNumber)
    {
        if (LastUsualPart > 0 && partNumber > LastUsualPart)
        {
            return LateBytes;
        }

        int doublings = Math.Min((partNumber - 1) / PartsOfOneSize, 30);
        return Math.Min(PartSizeBytes << doublings, LargestPartBytes);
    }

    /// <summary>Bytes that so many parts hold, the last one full.</summary>
    public long Reach(int parts)
    {
        int usual = LastUsualPart > 0 ? Math.Min(parts, LastUsualPart) : parts;
        long reach = (parts - usual) * LateBytes;
        for (int number = 1; number <= usual; number += PartsOfOneSize)
        {
            reach += SizeOf(number) * Math.Min(PartsOfOneSize, usual - number + 1);
        }

        return reach;
    }

    private static long DivideUp(long value, long by) => (value / by) + (value % by == 0 ? 0 : 1);
}
