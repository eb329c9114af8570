using Transfer.S3.Buffers;
using Transfer.S3.Integrity;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>Receives the parts of a download. Parts are admitted and begun one at a time, in order, but completed in any order.</summary>
internal interface IPartSink
{
    /// <summary>Waits until the next part may start and has memory.</summary>
    /// <param name="wantBytes">The number of bytes to the end of the part.</param>
    /// <param name="restBytes">
    /// The bytes to the end of the download; <see cref="long.MaxValue"/> if the part must not be divided for other connections.
    /// </param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The number of bytes, of <paramref name="wantBytes"/>, that may be requested, and the chunks that the part may use.</returns>
    ValueTask<PartReservation> AdmitAsync(long wantBytes, long restBytes, CancellationToken cancellationToken);

    /// <summary>Gets a value that indicates whether an earlier run has left parts. The current state of the object is then requested first.</summary>
    bool HasFinishedParts => false;

    /// <summary>Gets the object, if the sink has already requested its headers; otherwise, null.</summary>
    ObjectHead? KnownHead => null;

    /// <summary>Gets the CRCs that the sink needs of every part.</summary>
    CrcSet.Kinds WantedCrcs => CrcSet.Kinds.None;

    /// <summary>Opens the sink when the number of bytes is known. It is called once, before any part is begun.</summary>
    /// <param name="length">The number of bytes in total.</param>
    /// <param name="etag">The ETag of the object that they belong to; null if it isn't known yet.</param>
    /// <returns>The parts that already exist, in order. Each must be read back before it counts.</returns>
    IReadOnlyList<CompletedPart> Open(long length, string? etag);

    /// <summary>Gets the offset of the next part: <paramref name="offset"/>, or a smaller one if parts were given back.</summary>
    long NextOffset(long offset) => offset;

    /// <summary>Begins the next part.</summary>
    /// <param name="offset">The offset of the first byte of the part.</param>
    /// <param name="length">The length of the part, in bytes.</param>
    /// <param name="grant">The grant that the part was admitted with.</param>
    /// <returns>The writer; null if earlier parts were given back and must be fetched first. The caller then still owns the grant.</returns>
    IPartWriter? BeginPart(long offset, long length, PartReservation grant);

    /// <summary>Reports that an admitted part is no longer being fetched, successfully or not.</summary>
    void PartFetched();

    /// <summary>Waits, after the last part was begun, until parts are given back.</summary>
    /// <returns>Whether there is more to fetch; <see langword="false"/> if no more parts will be given back.</returns>
    ValueTask<bool> WaitForMoreAsync(CancellationToken cancellationToken) => ValueTask.FromResult(false);

    /// <summary>Reads back a part that already exists.</summary>
    /// <param name="part">The expected part.</param>
    /// <param name="lease">The chunks that the read may use.</param>
    /// <param name="checksum">Receives the bytes.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>Whether the part is as expected; otherwise, it must be fetched.</returns>
    bool TryReadBack(CompletedPart part, ChunkLease lease, RangeChecksum checksum, CancellationToken cancellationToken) => false;

    /// <summary>Reports that no more data will arrive.</summary>
    void Fail(Exception error);
}
