using Transfer.Buffers;

namespace Transfer.Download;

/// <summary>Takes one part's bytes in order, a chunk at a time.</summary>
internal interface IPartWriter
{
    /// <summary>Whether somebody waits for this part's bytes right now. A hint.</summary>
    bool IsStarved { get; }

    /// <summary>Takes the chunk over, whether it succeeds or not.</summary>
    ValueTask WriteAsync(Chunk chunk, CancellationToken cancellationToken);

    /// <summary>Tells whoever waits for what was written so far.</summary>
    /// <param name="inline">Whether that one may go on inside this call.</param>
    void Wake(bool inline);

    /// <summary>Canceled if the part is given up before it is complete, to be fetched again later.</summary>
    CancellationToken Dropped => CancellationToken.None;

    /// <summary>Whether the part was given up before it was complete.</summary>
    bool IsDropped => false;

    /// <summary>All of the part's bytes have been written, or are there already.</summary>
    /// <param name="checksum">What they are. <see cref="RangeChecksum.Complete"/> is to be called when they are where they are to go for good.</param>
    /// <param name="cancellationToken">Ends it.</param>
    ValueTask CompleteAsync(RangeChecksum checksum, CancellationToken cancellationToken);

    /// <summary>The part will not be completed.</summary>
    void Fail(Exception error);
}
