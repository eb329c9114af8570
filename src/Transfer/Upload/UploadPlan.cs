using Transfer.Scheduling;

namespace Transfer.Upload;

/// <summary>How an object is cut into parts.</summary>
/// <param name="PartSizeBytes">Bytes of a part to begin with.</param>
/// <param name="TotalParts">Parts in all; null where the length is not known.</param>
internal readonly record struct UploadPlan(long PartSizeBytes, int? TotalParts)
{
    /// <summary>Parts of one size in an upload of unknown length before the size doubles.</summary>
    private const int PartsBeforeGrowth = 1000;

    /// <summary>
    /// The plan for a known length: the part size that was asked for, or the smallest whole MiB with which
    /// <see cref="TransferDefaults.MaxParts"/> parts hold the object.
    /// </summary>
    public static UploadPlan ForLength(long length, long partSizeBytes)
    {
        long needed = DivideUp(length, TransferDefaults.MaxParts);
        long size = needed <= partSizeBytes ? partSizeBytes : DivideUp(needed, Sizes.MiB) * Sizes.MiB;
        return new UploadPlan(size, (int)Math.Max(1, DivideUp(length, size)));
    }

    /// <summary>The plan for a length that nobody knows yet.</summary>
    public static UploadPlan ForUnknownLength(long partSizeBytes) => new(partSizeBytes, null);

    /// <summary>
    /// Bytes of a part by its number, from 1. Where the length is not known, every thousand parts the size doubles, as far as
    /// <paramref name="mostBytes"/>: 8 MiB reach 7.8 TiB that way, and small objects still have small parts.
    /// </summary>
    public long SizeOf(int partNumber, long mostBytes)
    {
        if (TotalParts is not null)
        {
            return PartSizeBytes;
        }

        int doublings = Math.Min((partNumber - 1) / PartsBeforeGrowth, 30);
        return Math.Min(PartSizeBytes << doublings, Math.Max(PartSizeBytes, mostBytes));
    }

    private static long DivideUp(long value, long by) => (value / by) + (value % by == 0 ? 0 : 1);
}
