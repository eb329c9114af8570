using Transfer.S3.Requests;

namespace Transfer.S3.Upload;

/// <summary>The sizes of the parts of an upload.</summary>
/// <param name="PartSizeBytes">The size of the first parts.</param>
/// <param name="TotalParts">The number of parts; null if the length isn't known.</param>
/// <param name="LargestPartBytes">The maximum size of a part; the same as <paramref name="PartSizeBytes"/> if parts must be equal.</param>
/// <param name="PartsOfOneSize">The number of parts after which the size doubles, if parts grow.</param>
internal readonly record struct UploadPlan(long PartSizeBytes, int? TotalParts, long LargestPartBytes, int PartsOfOneSize)
{
    /// <summary>Gets the number of the last part that follows the usual growth; 0 if all parts do.</summary>
    public int LastUsualPart { get; private init; }

    /// <summary>Gets the size of the parts after <see cref="LastUsualPart"/>.</summary>
    public long LateBytes { get; private init; }

    /// <summary>
    /// Creates the plan for a known length: with the requested part size, or with the smallest number of whole MiB with which <paramref name="maxParts"/> parts hold
    /// the object.
    /// </summary>
    public static UploadPlan ForLength(long length, long partSizeBytes, int maxParts)
    {
        long needed = DivideUp(length, maxParts);
        long size = needed <= partSizeBytes ? partSizeBytes : DivideUp(needed, Sizes.MiB) * Sizes.MiB;
        return new UploadPlan(size, (int)Math.Max(1, DivideUp(length, size)), size, maxParts);
    }

    /// <summary>
    /// Creates the plan for an unknown length. Parts grow so that <paramref name="maxParts"/> of them hold 50 TB, the largest object of S3. If memory doesn't hold
    /// the largest parts of S3, they hold three quarters of what the same number of the largest possible parts would hold. Parts grow as late as possible, because
    /// large parts take memory.
    /// </summary>
    /// <param name="partSizeBytes">The size of the first parts.</param>
    /// <param name="largestPartBytes">The maximum size of a part, because of memory or the limit of S3.</param>
    /// <param name="maxParts">The maximum number of parts.</param>
    public static UploadPlan ForUnknownLength(long partSizeBytes, long largestPartBytes, int maxParts)
    {
        long largest = Math.Max(partSizeBytes, largestPartBytes);
        long goal = Math.Min(LargestObjectBytes, (largest < TransferDefaults.MaxPartSizeBytes ? largest / 4 * 3 : largest) * maxParts);

        // More parts of one size hold fewer bytes in total. This finds the maximum that reaches the goal.
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
    /// Creates the same plan with larger parts in its second half. Memory holds few of them at the same time, so they come late: a very large object is uploaded
    /// more slowly instead of failing.
    /// </summary>
    public UploadPlan WithLateParts(long bytes, int maxParts)
        => this with { LastUsualPart = maxParts / 2, LateBytes = Math.Max(bytes, GetSize(Math.Max(1, maxParts / 2))) };

    /// <summary>The size of the largest object that S3 announced in December 2025. It is slightly less than the 48.8 TiB of 10,000 parts of 5 GiB.</summary>
    public const long LargestObjectBytes = 50_000_000_000_000;

    /// <summary>Gets the size of a part by its number, from 1.</summary>
    public long GetSize(int partNumber)
    {
        if (LastUsualPart > 0 && partNumber > LastUsualPart)
        {
            return LateBytes;
        }

        int doublings = Math.Min((partNumber - 1) / PartsOfOneSize, 30);
        return Math.Min(PartSizeBytes << doublings, LargestPartBytes);
    }

    /// <summary>Gets the number of bytes that a number of full parts hold.</summary>
    public long Reach(int parts)
    {
        int usual = LastUsualPart > 0 ? Math.Min(parts, LastUsualPart) : parts;
        long reach = (parts - usual) * LateBytes;
        for (int number = 1; number <= usual; number += PartsOfOneSize)
        {
            reach += GetSize(number) * Math.Min(PartsOfOneSize, usual - number + 1);
        }

        return reach;
    }

    private static long DivideUp(long value, long by) => (value / by) + (value % by == 0 ? 0 : 1);
}
