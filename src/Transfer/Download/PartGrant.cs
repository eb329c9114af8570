using Transfer.Buffers;

namespace Transfer.Download;

/// <summary>Leave to fetch a part: at most so many bytes, into the chunks of this lease.</summary>
/// <param name="Lease">The memory.</param>
/// <param name="Bytes">Bytes that may be asked for.</param>
/// <param name="IsFloor">Whether the memory is the stream's own floor, which outlives the part.</param>
internal readonly record struct PartGrant(ChunkLease Lease, long Bytes, bool IsFloor)
{
    /// <summary>Gives back what the part did not use.</summary>
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
