namespace Transfer.Upload;

/// <summary>Where an upload's bytes come from, cut into parts.</summary>
internal interface IUploadSource
{
    /// <summary>Bytes in all; null where nobody knows yet.</summary>
    long? Length { get; }

    /// <summary>
    /// Reads bytes <c>[offset, offset + count)</c>, or fewer at the end of a source of unknown length.
    /// </summary>
    /// <exception cref="TransferException">The source has fewer bytes than it said, or could not be read.</exception>
    ValueTask ReadPartAsync(long offset, long count, PartBody body, CancellationToken cancellationToken);

    /// <summary>Checks, after the last part was read, that the source is as long as it said.</summary>
    ValueTask CheckEndAsync(CancellationToken cancellationToken);
}
