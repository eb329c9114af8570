using Transfer.Buffers;
using Transfer.Integrity;

namespace Transfer.Download;

/// <summary>Where the parts of a download go. Parts are admitted and begun in the object's order, one at a time; they fill up in any order.</summary>
internal interface IPartSink
{
    /// <summary>Waits until the next part may start and has memory.</summary>
    /// <param name="wantBytes">The bytes up to the end of the part.</param>
    /// <param name="restBytes">The bytes up to the end of the download; <see cref="long.MaxValue"/> if the part is not to be divided for other connections.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>How many of <paramref name="wantBytes"/> the part may ask for, and the chunks that it may use.</returns>
    ValueTask<PartGrant> AdmitAsync(long wantBytes, long restBytes, CancellationToken cancellationToken);

    /// <summary>Whether an earlier run has left parts here: then what the object is now is asked for before any of its bytes.</summary>
    bool HasFinishedParts => false;

    /// <summary>CRCs that it wants to be told of every part.</summary>
    CrcSet.Kinds WantedCrcs => CrcSet.Kinds.None;

    /// <summary>It is known how many bytes will come: called once, before any part is begun.</summary>
    /// <param name="length">Bytes in all.</param>
    /// <param name="etag">Which state of the object they are of; null where that is not known yet.</param>
    /// <returns>Parts that are here already, in order: each is to be read back before it counts.</returns>
    IReadOnlyList<FinishedPart> Open(long length, string? etag);

    /// <summary>Where the next part begins: at <paramref name="offset"/>, or before it if parts were given back.</summary>
    long NextOffset(long offset) => offset;

    /// <summary>Begins the next part.</summary>
    /// <param name="offset">Its first byte.</param>
    /// <param name="length">How many bytes it has.</param>
    /// <param name="grant">What it was admitted with.</param>
    /// <returns>Null if parts before it were given back meanwhile and have to be fetched first; the grant is the caller's then.</returns>
    IPartWriter? BeginPart(long offset, long length, PartGrant grant);

    /// <summary>A part that was admitted is not being fetched any more, whatever came of it.</summary>
    void PartFetched();

    /// <summary>Waits, after the last part was begun, until parts are given back.</summary>
    /// <returns>Whether there is more to fetch; false when none will be given back any more.</returns>
    ValueTask<bool> WaitForMoreAsync(CancellationToken cancellationToken) => ValueTask.FromResult(false);

    /// <summary>Reads a part back that is here already.</summary>
    /// <param name="part">What it is said to be.</param>
    /// <param name="lease">The chunks that its reading may use.</param>
    /// <param name="checksum">Takes its bytes.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <returns>Whether it is here as it was said to be; otherwise it is to be fetched.</returns>
    bool TryReadBack(FinishedPart part, ChunkLease lease, RangeChecksum checksum, CancellationToken cancellationToken) => false;

    /// <summary>Nothing more will come.</summary>
    void Fail(Exception error);
}
