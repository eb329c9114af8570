using Transfer.S3.Integrity;

namespace Transfer.S3.Upload;

/// <summary>
/// A source whose identity includes its content, so that the same identity proves the same bytes. Parts of an earlier run don't have to be read again.
/// </summary>
internal interface IPinnedSource : IResumableSource
{
    /// <summary>Counts a part as read whose checksum an earlier run has computed.</summary>
    /// <param name="offset">The offset of the part.</param>
    /// <param name="checksum">The checksum of the part.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>False if the part must be read again, because the source can't be verified with this checksum.</returns>
    ValueTask<bool> TrySkipAsync(long offset, PartChecksumValue checksum, CancellationToken cancellationToken);
}
