using Transfer.S3.Buffers;
using Transfer.S3.Verification;

namespace Transfer.S3.Download;

/// <summary>Receives the bytes of one part in order, a chunk at a time.</summary>
internal interface IPartWriter
{
    /// <summary>Gets a value that indicates whether a reader is waiting for the data of this part. The value is a hint.</summary>
    bool IsStarved { get; }

    /// <summary>Gets a value that indicates whether a reader waits for this part, so that its requests come first.</summary>
    bool IsHead => IsStarved;

    /// <summary>Writes a chunk. The writer owns the chunk from then on, even if the call fails.</summary>
    ValueTask WriteAsync(Chunk chunk, CancellationToken cancellationToken);

    /// <summary>
    /// Writes what was received to its destination, so that the part holds no memory between two requests. Data that stays in memory isn't affected.
    /// </summary>
    /// <param name="partial">The chunk that isn't full, if any. The writer owns it if the method returns <see langword="true"/> or throws.</param>
    /// <returns>Whether everything was written.</returns>
    bool TryWriteOut(Chunk? partial) => false;

    /// <summary>Wakes a reader that waits for the data that was written.</summary>
    /// <param name="inline">Whether the reader may continue inside this call.</param>
    void Wake(bool inline);

    /// <summary>Gets a token that is canceled if the part is given up before it is complete, to be fetched again later.</summary>
    CancellationToken Dropped => CancellationToken.None;

    /// <summary>Gets a value that indicates whether the part was given up before it was complete.</summary>
    bool IsDropped => false;

    /// <summary>Reports that all bytes of the part were written or already exist.</summary>
    /// <param name="checksum">
    /// The checksum of the part. <see cref="RangeChecksum.Complete"/> must be called when the bytes are in their final place.
    /// </param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    ValueTask CompleteAsync(RangeChecksum checksum, CancellationToken cancellationToken);

    /// <summary>Reports that the part won't be completed.</summary>
    void Fail(Exception error);
}
