using Transfer.S3.Buffers;

namespace Transfer.S3.Download;

/// <summary>The permission to fetch a part of a limited length into the chunks of a lease.</summary>
/// <param name="Lease">The memory.</param>
/// <param name="Bytes">The maximum number of bytes to request.</param>
/// <param name="IsFloor">Whether the memory is the stream's own floor, which outlives the part.</param>
internal readonly record struct PartReservation(ChunkLease Lease, long Bytes, bool IsFloor)
{
    /// <summary>Releases the memory that the part did not use.</summary>
    public void Release()
    {
        if (IsFloor)
        {
            Lease.Unclaim();
        }
        else
        {
            Lease.Dispose();
        }
    }
}
